"""Reads tables: submissions with an id and any named columns, and their solutions."""
