"""Simple recommenders to compare with, which read files and yield rows of a submission. The same
files give the same bytes.

registry.py all of them by name, and their hyperparameters
sessions/   for sessions in OTTO's format: the next events of each
matrix/     for users × items: nearest neighbors and factorizations
"""
