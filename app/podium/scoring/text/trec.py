"""Parses the text files of TREC as trec_eval reads them, and recognizes them.

Fields are separated by any number of spaces and tabs. Lines that are blank or begin with `#` are
ignored. `runs.py` reads submissions in this format, `truth/qrels.py` ground truth.
"""

from __future__ import annotations

import re

from podium.scoring.hints.texts import LONGEST_NUMBER_BYTES

QRELS_FIELDS = ("topic", "iteration", "docno", "relevance")
"""The fields of a line of qrels; the iteration is ignored."""

BEIR_FIELDS = ("query-id", "corpus-id", "score")
"""The header of qrels as BEIR has them, separated by tabs."""

RUN_FIELDS = ("topic", "Q0", "docno", "rank", "score", "tag")
"""The fields of a line of a run; only topic, docno and score are read."""


def fields_of(line: bytes) -> list[bytes]:
    """Splits a line into fields; empty for a blank line or a comment."""
    found = _FIELD.findall(line)
    return [] if found and found[0].startswith(b"#") else found


def is_qrels(head: bytes) -> bool:
    """True for the start of a file of qrels."""
    return _looks_like(head, QRELS_FIELDS, "relevance")


def is_run(head: bytes) -> bool:
    """True for the start of a run."""
    return _looks_like(head, RUN_FIELDS, "score")


def _looks_like(head: bytes, names: tuple[str, ...], number: str) -> bool:
    """True where the first line with content has these fields, and is not a CSV header."""
    lines = (found[1] for found in _LINE.finditer(head[:_LOOKED_AT]) if fields_of(found[1]))
    first = next(lines, b"")
    fields = fields_of(first)
    if len(fields) != len(names) or b"," not in first:
        return len(fields) == len(names)
    following = next(lines, first)
    is_row = len(fields_of(following)) == len(names) or following.count(b",") != first.count(b",")
    return is_number(fields[names.index(number)]) and is_row


def is_number(field: bytes) -> bool:
    """True for a decimal number as programs print them; infinity and NaN are not."""
    return len(field) <= LONGEST_NUMBER_BYTES and _NUMBER.fullmatch(field) is not None


NUMBER = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?"
"""The pattern of a decimal number."""

_LOOKED_AT = 64 << 10
_NUMBER = re.compile(NUMBER.encode())
_FIELD = re.compile(rb"[^ \t]+")
_LINE = re.compile(rb"(?:\xef\xbb\xbf)?([^\r\n]*)\r?\n?")
