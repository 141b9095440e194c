"""Reads text of unknown bytes for the strict readers: blocks, header, fields, findings."""
