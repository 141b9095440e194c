"""The HTTP contract, version 1: a room for each of its subjects, in it one module per group of
routes, each with a `router`. Documents that a room's routes share are in its `documents.py`, what
all documents have in common in `schemas.py`, lists in pages in `paging.py`.
"""
