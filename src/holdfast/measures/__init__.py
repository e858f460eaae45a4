"""Importing this package fills the catalog: one file a family, in the order in which a report shows them."""

from holdfast.measures import rates  # noqa: F401  (imported to declare)
