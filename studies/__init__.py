"""The five source documents, reproduced and corrected: `make studies` writes docs/studies/ and docs/errata.md."""
