"""What arrays are called in type hints."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]  # numbers, of any shape; formulas mix whole and real ones freely
Integers = NDArray[np.int64]
