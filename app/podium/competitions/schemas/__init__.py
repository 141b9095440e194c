"""Documents of competitions and metrics."""
