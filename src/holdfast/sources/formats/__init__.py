"""Bytes, records and lines: how text is read, whatever its dialect, and as it comes."""
