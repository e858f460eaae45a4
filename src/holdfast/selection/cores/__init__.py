"""Inference from a few validated classifiers, and what unlabelled inputs make certain."""
