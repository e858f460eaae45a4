"""From the answers of several models to a panel of them."""
