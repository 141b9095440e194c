"""Renders boards: whole documents, and rows of pages."""
