"""Truth beside a model's output, wherever the rows live."""

from holdfast.predictions.rows import MISSING, Missing, Predictions

__all__ = ["MISSING", "Missing", "Predictions"]
