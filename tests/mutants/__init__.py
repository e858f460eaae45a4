"""Planted mistakes in the source, and the quick test that catches each; `python -m tests.mutants` plants them all."""
