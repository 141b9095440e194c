"""The parts that small competitions are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

QUERIES = range(100, 124)
ITEMS = range(1, 13)

FORMS = {
    f"{number}.{form}": form
    for number, form in enumerate(
        ("csv", "parquet", "csv.gz", "csv.zst", "zip", "csv", "csv", "csv", "csv", "csv")
    )
}
"""The forms of a competition's files by their names."""


@dataclass(frozen=True)
class Contest:
    """A competition, and what is sent to it.

    `kind` and `needs` say what a version must know to have it: the task, and settings. Of the two
    ground truths the first is in force at the launch. `files` are scored, `wrong` is rejected.
    """

    slug: str
    kind: str
    settings: Mapping[str, Any]
    truths: tuple[bytes, bytes]
    files: Mapping[str, bytes]
    wrong: bytes
    published: bytes = b""
    needs: frozenset[str] = field(default_factory=frozenset)
