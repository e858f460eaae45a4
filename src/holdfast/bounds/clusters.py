"""Limits where whole clusters, not examples, were drawn."""
