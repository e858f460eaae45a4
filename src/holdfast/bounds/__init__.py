"""Importing this package fills the catalog: one file a family, in the order in which `methods` shows them."""

from holdfast.bounds import binomial, bounded, mixture, betting, survey  # noqa: F401, I001  (imported to declare; the order is shown)
from holdfast.bounds import strata, ranking, matchings, bootstrap  # noqa: F401
from holdfast.bounds import sequential, clusters, prevalence, calibration  # noqa: F401
from holdfast.bounds import paired, influence  # noqa: F401
from holdfast.bounds import folds  # noqa: F401
from holdfast.bounds import cross, progressive, cross_approximate  # noqa: F401
from holdfast.bounds import panel, pool, spread, spread_uniform, squares  # noqa: F401
