"""Finding, checking, building and calling plugin components."""
