"""The schema's history: one tree of dated, reversible steps for SQLite and PostgreSQL."""
