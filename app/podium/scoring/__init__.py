"""Scores files with Polars alone: no web, no database, no clock; works in a notebook."""
