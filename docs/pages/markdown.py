"""What pages are made of: tables, lines that are not too long, and a word to the search."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence

NOT_SEARCHED = """---
search:
  exclude: true
---

"""
"""Before a page: the site's search does not look at it."""

LONGEST_LINE = 130
"""Characters of a line that is not a row of a table."""


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The lines of a table; cells are put on one line each."""
    for row in (head, ("---",) * len(head), *rows):
        cells = (" ".join(_without_tags(cell).split()).replace("|", r"\|") for cell in row)
        yield f"| {' | '.join(cells)} |"


def _without_tags(text: str) -> str:
    """A text whose angle brackets, but for those in code, are not tags of HTML."""
    pieces = text.split("`")
    return "`".join(
        piece if number % 2 else piece.replace("<", "&lt;") for number, piece in enumerate(pieces)
    )


def tidied(text: str) -> str:
    """A page without two blank lines in a row, and with its long paragraphs wrapped."""
    parts = re.split(r"(^```.*?^```$)", text, flags=re.DOTALL | re.MULTILINE)
    for number in range(0, len(parts), 2):
        lines = "\n".join(map(_wrapped, parts[number].split("\n")))
        parts[number] = re.sub(r"\n{3,}", "\n\n", lines)
    return "".join(parts).strip() + "\n"


def _wrapped(line: str) -> str:
    if len(line) <= LONGEST_LINE or line.startswith("|"):
        return line
    following = "  " if line.startswith("- ") else ""
    return textwrap.fill(
        line,
        LONGEST_LINE,
        subsequent_indent=following,
        break_long_words=False,
        break_on_hyphens=False,
    )
