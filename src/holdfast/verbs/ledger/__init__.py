"""One test set, many looks: gates that say one bit, looks that are written down, and where the ledger stands."""
