"""OPERATIONS: health, state and backups of an installation."""
