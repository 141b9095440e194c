"""Documents of ceams and metrics."""
