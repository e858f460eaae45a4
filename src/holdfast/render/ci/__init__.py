"""Decisions for machines that build: annotations, JUnit, one line."""
