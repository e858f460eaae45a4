"""Binomial and hypergeometric tails, the Bernoulli divergence, and vectorised roots: no statistics here."""
