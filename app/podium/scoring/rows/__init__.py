"""Rows with one to three keys: everything that a task publishes but lists.

layout.py          what a file of rows holds, and the words of messages: the kinds give values of it
strict.py          the strict reader, which names every line that is wrong; fields.py has its rules
plain.py           the fast readers: of text that compiled.py proves good, and of frames of cells
                   (cells.py), which frames.py makes of a text and parquet.py of Parquet
reading.py         a whole file by the first of these that can
keys.py, truth.py  what is published, and what is true, row by row
"""
