"""Baselines for sessions: from truncated test sessions and a training set to rows of a submission.
Full OTTO size in minutes on two cores; the same input gives the same bytes.

material.py        events of both sets, read once
lists.py           building ranked lists and filling them up
simple.py          random, popular and recent items
covisitation.py    items seen together, and lists of them
factors.py         matrix factorization with the library `implicit`
rows.py            the rows of a submission
"""
