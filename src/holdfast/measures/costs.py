"""What answers cost: matrices of costs, distances of numeric classes, losses of a margin."""
