"""What a difference or a ranking needs beyond a bound: tests of no difference, folds, data sets, bets."""
