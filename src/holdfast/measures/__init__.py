"""Importing this package fills the catalog: one file a family, in the order in which a report shows them."""

from holdfast.measures import rates, agreement, ranking, costs, samples, calibration  # noqa: F401, I001  (imported to declare; the order is shown)
