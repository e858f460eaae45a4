"""Limits that hold at every moment of a stream."""
