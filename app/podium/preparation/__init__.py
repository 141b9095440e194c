"""Prepares competitions from interactions or whole sessions: training set, labels, published ids.
Reads and writes files only, without the command line or the database. The order of rows and threads
does not change a byte."""
