"""MATHS: files in, numbers out. Polars only; no web, no database, no clock; works in a notebook."""
