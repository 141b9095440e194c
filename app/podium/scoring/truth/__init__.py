"""Reads ground truth: organizers' formats → one canonical, immutable, hashed frame; its splits."""
