"""Scores: how they rank the classes and what they forecast."""
