"""What pages are made of: tables, and the word to the search that a page is not for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

NOT_SEARCHED = """---
search:
  exclude: true
---

"""
"""Before a page: the site's search does not look at it."""


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The lines of a table; cells are put on one line each."""
    for row in (head, ("---",) * len(head), *rows):
        cells = (" ".join(cell.split()).replace("|", r"\|") for cell in row)
        yield f"| {' | '.join(cells)} |"
