"""The five source documents, reproduced and corrected, and a study of our own.

`make studies` writes docs/studies/ and docs/errata.md.
"""
