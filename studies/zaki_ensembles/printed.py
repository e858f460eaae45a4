"""What section 22.3 prints, digit by digit."""

from __future__ import annotations

N = 150  # points of Iris, in Examples 22.12 to 22.14
C_GRID = (0.01, 0.1, 1.0, 10.0, 100.0)  # Example 22.12: "from 10^-2 to 10^2"
BOOTSTRAPS = 10
LEAST_LOSS_AT = 1.0

# Example 22.13: number of models K, zero-one loss, squared loss
BAGGED = (
    (3, "0.047", "0.187"),
    (5, "0.04", "0.16"),
    (8, "0.02", "0.10"),
    (10, "0.027", "0.113"),
    (15, "0.027", "0.107"),
)
WORST_K, BEST_K = 3, 8

# Example 22.14: weighted error and weight of each hyperplane, error of the first 1, 2, 3 and 4 together
EPSILONS = ("0.280", "0.305", "0.174", "0.282")
ALPHAS = ("0.944", "0.826", "1.559", "0.935")
COMBINED = ("0.280", "0.253", "0.073", "0.047")
LEAST_TEST_ERROR, LEAST_AT = "0.02", 110
