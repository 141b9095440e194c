"""Reads submissions of lists in which every item has a line of its own.

Blocks are read as columns; one that is not proven valid is read again line by line, and only that
reading reports problems. Of each list only the scored depth is retained.
"""
