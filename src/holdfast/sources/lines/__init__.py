"""Streams line by line: where the lines come from as they are written, and what each of them says."""
