"""Is A better than B? Pairs on the same examples, on folds and over data sets."""
