"""Several models together: their average, the best of them, their vote, and what unlabelled inputs add."""
