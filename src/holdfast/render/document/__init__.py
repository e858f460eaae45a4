"""Answers for a document: comments in Markdown, tables in LaTeX."""
