"""One file a verb: the only place that walks the catalog to compute."""
