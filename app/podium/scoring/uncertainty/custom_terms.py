"""Stores the result of a custom metric: its value on each split, and the terms from which the
uncertainty of differences is computed.

The file has a line with the name of the format, a line of JSON, then the terms of the splits in its
order as raw little-endian float64. Its writer only copies terms; they are read in the sandbox.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from typing import BinaryIO, Literal

FORM = b"podium own terms 1\n"

TermKind = Literal["rows", "resamples", "none"]

_NUMBER_BYTES = 8
_HEADER_BYTES = 1 << 16


class TermsCorrupt(ValueError):
    """A file does not have the format that is written here."""


@dataclass(frozen=True, slots=True)
class TermsHead:
    """The header of a split: the metric's value as `p/q`, the rows of the split, and the kind of
    `count` terms: numbers of rows whose mean is the value, or its values on resamples."""

    value: str
    rows: int
    terms: TermKind
    count: int

    @property
    def exact(self) -> Fraction:
        """The value as an exact fraction."""
        return Fraction(self.value)


@dataclass(frozen=True, slots=True)
class StoredTerms:
    """A split with the file of its terms, which begin at `start`; None without any."""

    head: TermsHead
    file: Path | None
    start: int = 0


def write_terms(path: Path, splits: Mapping[str, StoredTerms]) -> None:
    """Writes the terms of these splits, by their names, to a file."""
    with path.open("wb") as target:
        header = {name: asdict(stored.head) for name, stored in splits.items()}
        target.write(FORM + json.dumps(header).encode() + b"\n")
        for stored in splits.values():
            if stored.file is not None and stored.head.count:
                with stored.file.open("rb") as source:
                    source.seek(stored.start)
                    _copy(source, target, _NUMBER_BYTES * stored.head.count)


def stored_terms(path: Path) -> dict[str, StoredTerms]:
    """Reads the headers of a file by the names of splits. Raises `TermsCorrupt`."""
    with path.open("rb") as source:
        if source.readline(len(FORM)) != FORM:
            raise TermsCorrupt(f"{path.name} does not hold the terms of a metric")
        line = source.readline(_HEADER_BYTES)
        start = source.tell()
    found = {}
    for name, head in json.loads(line).items():
        found[name] = StoredTerms(TermsHead(**head), path, start)
        start += _NUMBER_BYTES * found[name].head.count
    if start != path.stat().st_size:
        raise TermsCorrupt(f"{path.name} has another length than it says")
    return found


def bytes_of(count: int) -> int:
    """Computes the size of a file of this many terms."""
    return _NUMBER_BYTES * count


def _copy(source: BinaryIO, target: BinaryIO, length: int) -> None:
    before = target.tell()
    while (left := length - (target.tell() - before)) > 0:
        piece = source.read(min(left, shutil.COPY_BUFSIZE))  # type: ignore[attr-defined]
        if not piece:
            raise TermsCorrupt("a file of terms is shorter than it was")
        target.write(piece)
