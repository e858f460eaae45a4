"""What the folds of a cross-validation hold."""
