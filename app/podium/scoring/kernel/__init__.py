"""Compiled functions: one pass over a file's bytes reads and checks them, and scores submissions.

In the folder `c`:

fields.h      numbers, tokens, ids of rows and line ends; decimals.h: decimal numbers
places.h      published ids → their places; places.c makes the index
lists.c       the rows of ranked lists, and what is found in them; lists.h: one row, and
              the different items
rows.c        rows with one to three keys, entered at their places or handed on as columns
ranks.c       scores → how often one class is above the other
labels.c      labels of ground truth, in JSON or CSV
quotes.c      how many rows there are, by the quotes around fields
cells.c       rows of columns → lines of text
sessions.c    the sessions that rows are of
combining.c   several submissions side by side
columns.c     arrays → columns

In Python:

library.py    the functions of all these, if they were built
columns.py    columns of Polars as C sees them, and back
endings.py    the names of objectives in ids
text.py       blocks of whole lines; threads.py: the parts of a reading

The readers that are made of them stand with what they read: `lists/compiled.py`,
`rows/compiled.py`, `truth/compiled.py`.

It knows plain text only, and says nothing about any other but where it begins: every rejection
comes from the strict readers, which also stand in where nothing was compiled.
"""
