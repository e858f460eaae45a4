"""Tables of several models: their answers, their folds, their scores on many data sets."""
