"""Several models, and inputs without labels."""
