"""Reads organizers' files of pairs and of tables: their ground truth, and lists of published
ids."""
