"""Podium: a self-hosted, Kaggle-style competition scorer for recommender systems.

`app/README.md` is the map of this package.
"""

__version__ = "0.7.0.dev0"
