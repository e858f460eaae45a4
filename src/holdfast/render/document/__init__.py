"""Reports and decisions for a document: Markdown and LaTeX."""
