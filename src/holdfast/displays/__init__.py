"""Pictures for those who draw with matplotlib: used as scikit-learn's displays are, and with intervals.

`RocDisplay`, `CalibrationDisplay` and `ConfusionDisplay` are made `from_predictions` or `from_estimator`, hold the
numbers that they show, and `plot` onto any axes. `of` makes one without drawing it, which needs no matplotlib; the
rest needs the extra: pip install 'holdfast[mpl]'.
"""

from holdfast.displays.confusion import ConfusionDisplay
from holdfast.displays.scores import CalibrationDisplay, RocDisplay

__all__ = ["CalibrationDisplay", "ConfusionDisplay", "RocDisplay"]
