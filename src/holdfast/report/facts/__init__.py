"""What a report says beside its claims: one class for each kind of report, one file for each family of kinds."""
