"""Reading a table of 5 million rows: `python -m benchmarks.tables`."""
