"""Organizers' files of pairs and of tables: their ground truth, and lists of what is published."""
