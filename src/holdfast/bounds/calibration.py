"""Limits on how far forecasts are from what comes true."""
