"""One file per tool: how its logs are known by what they hold, and how each becomes runs."""
