"""A learner and no test set: what its cross-validation, decomposition and learning curve let one claim."""
