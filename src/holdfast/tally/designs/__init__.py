"""From rows to what was drawn: clusters, strata and weights, and what each draw adds to a measure."""
