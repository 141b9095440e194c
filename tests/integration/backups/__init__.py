"""Backups on both databases and both kinds of storage."""
