"""Podium: a self-hosted, Kaggle-style competition scorer for recommender systems.

`app/README.md` is the map of this package.
"""

__version__ = "0.7.0.dev0"

DOCUMENTATION = "https://github.com/podium-scorer/podium/tree/main/docs"
"""The address of the guides; pages link to it, and load nothing from there."""


def line_to_install(extra: str) -> str:
    """The line that installs an extra of this package; a shell of any system takes it."""
    return f'pip install "podium-scorer[{extra}] @ git+https://github.com/podium-scorer/podium"'
