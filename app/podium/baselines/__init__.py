"""Simple recommenders to compare with: files in, rows of a submission out. The same files give the
same bytes.

sessions/   for sessions in OTTO's form: what comes next in each
matrix/     for users × items: nearest neighbors and factorizations
"""
