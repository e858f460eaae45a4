"""Streams that one may look at whenever one likes: a monitor of one model, a duel of two, and what is said of them."""
