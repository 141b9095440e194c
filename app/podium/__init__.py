"""Podium: a self-hosted, Kaggle-style competition scorer for recommender systems.

`app/podium/README.md` is the map of this package.
"""

from pathlib import Path

__version__ = "0.8.0.dev0"

REPOSITORY = "https://github.com/podium-scorer/podium"


def documentation_of(version: str) -> str:
    """The address of the guides of a version: of its tag if it is a release, else of `main`.

    >>> documentation_of("1.2.3")
    'https://github.com/podium-scorer/podium/blob/v1.2.3/docs/index.md'
    >>> documentation_of("1.2.3.dev0")
    'https://github.com/podium-scorer/podium/blob/main/docs/index.md'
    """
    is_release = version.replace(".", "").isdecimal()
    return f"{REPOSITORY}/blob/{f'v{version}' if is_release else 'main'}/docs/index.md"


DOCUMENTATION = documentation_of(__version__)
"""The address of this version's guides; pages link to it, and load nothing from there."""


def line_to_install(extra: str) -> str:
    """The line that installs an extra of this package; a shell of any system takes it."""
    return f'pip install "podium-scorer[{extra}] @ git+{REPOSITORY}"'


def packed_folder(path: str) -> Path:
    """A folder that is packed into the package: an installed one holds it inside, and in the source
    tree it stands beside `app`."""
    package = Path(__file__).parent
    inside = package / path
    return inside if inside.is_dir() else package.parents[1] / path
