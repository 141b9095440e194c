"""Baselines for users × items: a training set and published users in, rows of a submission out.
All of it needs the extra `baselines`, and `als` and `bpr` the extra `als`.

interactions.py    what is read, and the sparse matrix of it
model.py           what an algorithm is given, and what it hands back
ranking.py         lists out of scores, and what stands behind short ones
popularity.py      popular, recent and random items
neighbors.py      nearest neighbors among items and among users
factors.py         factorizations with the library `implicit`
ease.py            a linear model with a closed form
algorithms.py      all of them by name, and their settings
recommending.py    rows of a submission
"""
