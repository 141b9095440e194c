"""Installations whose competitions of tables are scored by metric files."""
