"""Random files of interactions with a column of titles, in which anything may stand."""

from __future__ import annotations

import csv
import io
import random
from dataclasses import dataclass

HEADER = ["userId", "movieId", "rating", "timestamp", "title"]

_PIECES = ("a", "ü", " ", '5"', '"', ",", "\n", "x")


@dataclass(frozen=True)
class TitledFile:
    """A text of rows, and what the standard library reads in it; None where it objects."""

    text: str
    rows: list[list[str]] | None


def titled_file(seed: int, *, multiline: bool = True) -> TitledFile:
    """Rows of 6 users × 6 items, each with a title that is enclosed in quotes, rightly but for one
    file of five, or is not."""
    chance = random.Random(seed)
    end = chance.choice(("\n", "\r\n"))
    is_wrong = chance.random() < 0.2
    lines = [",".join(HEADER)]
    for number in range(36):
        pieces = [each for each in _PIECES if multiline or each != "\n"]
        title = "".join(chance.choices(pieces, k=chance.randrange(5)))
        if chance.random() < 0.3:
            wrong = is_wrong and chance.random() < 0.2
            title = '"' + (title if wrong else title.replace('"', '""')) + '"'
        else:
            title = title.lstrip('"').replace(",", "").replace("\n", "")
        time = 881250000 + 100 * number
        lines.append(f"{number // 6},{10 + number % 6},{1 + number % 5},{time},{title}")
    text = end.join(lines) + chance.choice(("", end, end * 3))
    try:
        read = csv.reader(io.StringIO(text, newline="\n"), strict=True)
        rows = [row for row in read if row][1:]
    except csv.Error:
        return TitledFile(text, None)
    return TitledFile(text, rows if all(len(row) == len(HEADER) for row in rows) else None)
