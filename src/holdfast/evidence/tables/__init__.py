"""What is read off a whole contingency table: statistics, several proportions, quantities at a stated prevalence."""
