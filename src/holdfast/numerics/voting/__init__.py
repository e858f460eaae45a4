"""Who says what, on many inputs: disagreements of classifiers, and the weight behind each label."""
