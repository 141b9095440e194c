"""Baselines for users × items: from a training set and published users to rows of a submission.
All of it needs the extra `baselines`, and `als` and `bpr` the extra `als`.

interactions.py    reading interactions, and their sparse matrix
model.py           input and output of algorithms
ranking.py         lists from scores, and filling short ones up
popularity.py      popular, recent and random items
neighbors.py       nearest neighbors among items and among users
factors.py         factorizations with the library `implicit`
ease.py            a linear model with a closed form
recommending.py    rows of a submission
"""
