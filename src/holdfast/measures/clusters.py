"""Rates of clusters, and of questions that were asked several times."""
