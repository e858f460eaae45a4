"""Two models on the same draws."""
