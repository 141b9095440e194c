"""The cost of scoring beside other libraries, in one table: `python -m benchmarks`. See README.md
here."""
