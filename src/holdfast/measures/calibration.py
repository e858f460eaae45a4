"""How far forecasts are from what comes true."""
