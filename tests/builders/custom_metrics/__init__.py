"""Installations whose competitions of tables are scored by custom metrics."""
