"""Claims about what the same data chose: thresholds, curves, committees, and cores that speak for many."""
