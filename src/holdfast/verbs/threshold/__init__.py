"""From which score on to say yes, and what may then be claimed."""
