"""Reads numbers for published pairs of user and item: ratings, scored pairs, and reranked
candidates; these are rows whose values are numbers.

layout.py          pairs as a layout of rows, by which `rows` reads them
orders.py          candidates in their order, read as lists are
truth.py           the canonical targets; `solutions` makes them of a file

A submission is CSV with exactly the task's columns, `<user>,<item>[,<context>],<number>…` (the
competition names them), in any order, one row for each published pair in any order, and in each
finite decimal numbers. Containers, line ends, quotes and the byte order mark are those of ranked
lists. Parquet has the same columns; a number is a float, an integer or a decimal there. The ground
truth has the same form, and may have a column `Usage`, which is constant within a unit.
"""
