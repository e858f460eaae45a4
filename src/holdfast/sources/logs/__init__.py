"""Logs of language-model evaluations, as their tools write them: each becomes runs, and runs become our tables."""
