"""What scoring costs, against whom, in one table: `python -m benchmarks`. See README.md here."""
