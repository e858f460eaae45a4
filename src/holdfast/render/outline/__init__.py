"""What is shown of a report, as data: chosen once, for text, page and notebook to lay out."""
