"""Reads rows with one to three keys: everything that a task publishes except lists.

layout.py          the columns of a file of rows, and the words of messages, defined by each kind
strict.py          the strict reader, which reports every invalid line; fields.py has its rules
plain.py           the fast readers: of text that compiled.py proves valid, and of frames of cells
                   (cells.py), which frames.py reads from text and parquet.py from Parquet
reading.py         a whole file by the first of these that can
keys.py, truth.py  the published rows, and their truth
"""
