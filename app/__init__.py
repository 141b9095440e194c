"""Podium: a self-hosted, Kaggle-style competition scorer for recommender systems.

`app/README.md` is the map of this package.
"""

__version__ = "0.7.0.dev0"

DOCUMENTATION = "https://github.com/podium-scorer/podium/tree/main/docs"
"""The address of the guides; pages link to it, and load nothing from there."""
