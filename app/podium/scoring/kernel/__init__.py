"""Compiled functions: one pass over a file's bytes reads and checks them, and scores submissions.

In the folder `c`:

fields.h      numbers, tokens, ids of rows and line ends; decimals.h: decimal numbers
places.h      published ids → their indices; places.c builds the index
lists.c       the rows of ranked lists, and the hits in them; lists.h: one row, and
              the distinct items
rows.c        rows with one to three keys, stored by index or returned as columns
ranks.c       scores → the pairs in which one class is above the other
labels.c      labels of ground truth, in JSON or CSV
quotes.c      counts of rows, with quotes around fields
cells.c       rows of columns → lines of text
sessions.c    the sessions that rows are of
combining.c   several submissions side by side
columns.c     arrays → columns

In Python:

library.py    all these functions, if they were built
columns.py    columns of Polars as arrays of C, and back
endings.py    the names of objectives in ids
text.py       blocks of whole lines; threads.py: the parts of a reading

The readers that use them are in the packages of their formats: `lists/compiled.py`,
`rows/compiled.py`, `truth/compiled.py`.

The kernel reads plain text only, and of any other reports just where it begins: every rejection
comes from the strict readers, which also read everything where the kernel was not compiled.
"""
