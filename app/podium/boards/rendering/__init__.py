"""Boards as they are shown: whole documents, and rows of pages."""
