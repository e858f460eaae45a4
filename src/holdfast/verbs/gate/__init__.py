"""May it be shipped? Conditions, and what proves or refutes them."""
