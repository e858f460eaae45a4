"""Limits at a stated prevalence, from the rates within each class."""
