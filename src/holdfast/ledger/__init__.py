"""One test set, many looks: what may still go wrong, the chain of what was asked, and the database that keeps it."""
