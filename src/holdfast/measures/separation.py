"""How far the scores of two classes lie apart: Gini and Kolmogorov-Smirnov."""
