"""Running cases through the adapter and the metrics, and summing up."""
