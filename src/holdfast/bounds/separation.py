"""Limits on how far the scores of two classes lie apart."""
