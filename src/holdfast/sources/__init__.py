"""Files and frames as the numbers they hold; every value is checked, nothing is executed."""
