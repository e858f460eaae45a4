"""Importing this package fills the catalog: one file a family, in the order in which `methods` shows them."""

from holdfast.bounds import binomial, finite, bounded, mixture, betting, star, survey  # noqa: F401, I001  (imported to declare; the order is shown)
from holdfast.bounds import strata, agreement, ranking, matchings, bootstrap, jackknife  # noqa: F401
from holdfast.bounds import sequential, clusters, prevalence, calibration, separation  # noqa: F401
from holdfast.bounds import paired, grades, paired_ranking, influence, separate  # noqa: F401
from holdfast.bounds import folds  # noqa: F401
from holdfast.bounds import cross, progressive, cross_bets, cross_approximate, point632  # noqa: F401
from holdfast.bounds import compression  # noqa: F401
from holdfast.bounds import panel, pool, spread, spread_uniform, squares, designs  # noqa: F401
