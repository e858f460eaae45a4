"""Reports and claims as text, JSON and pictures: everything here reads, nothing computes."""
