"""Detects the types of events in prepared sessions where they are not given."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

from podium.otto.shape import MAX_TYPES, TYPES
from podium.preparation.clickstreams import TYPE_NAME
from podium.preparation.files.findings import RawFileRefused
from podium.preparation.files.text import blocks

REPORT, SAMPLE = "report.json", "sample_submission.csv"
"""Files beside prepared sessions: the organizer's report, and the participants' sample."""

HEAD_BYTES = 1 << 16

_FIRST = re.compile(rb'"type"\s*:\s*"([^"\\]*)"')


def held_types(files: Sequence[Path]) -> tuple[str, ...]:
    """Finds the types in the report or the sample beside these sessions. Otherwise they are OTTO's,
    unless all events of the sessions have one type: then that one."""
    for folder in dict.fromkeys(file.parent for file in files):
        found = _of_report(folder / REPORT) or _of_sample(folder / SAMPLE)
        if found:
            return found
    only = _only_type(files)
    return TYPES if only is None else (only,)


def _of_report(file: Path) -> tuple[str, ...] | None:
    try:
        names = list(json.loads(file.read_bytes())["test"]["types"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return _as_types(names)


def _of_sample(file: Path) -> tuple[str, ...] | None:
    """Reads the types from the ids of the first session, such as 12_clicks. With one type, ids do
    not name it."""
    try:
        with file.open("rb") as source:
            head = source.read(HEAD_BYTES).decode("ascii", "replace").splitlines()
    except OSError:
        return None
    ids = [line.split(",")[0].partition("_") for line in head[1:]]
    return _as_types([name for session, _, name in ids if session == ids[0][0]])


def _as_types(names: list[str]) -> tuple[str, ...] | None:
    is_good = 0 < len(set(names)) == len(names) <= MAX_TYPES
    return tuple(names) if is_good and all(map(TYPE_NAME.fullmatch, names)) else None


def _only_type(files: Sequence[Path]) -> str | None:
    """Finds the type that all events have; None where there are several, or no sessions at all.
    Problems of a file are reported by its reader."""
    only: bytes | None = None
    try:
        for file in files:
            for block in blocks(file):
                if only is None:
                    first = _FIRST.search(block)
                    only = first[1] if first else None
                if only is not None:
                    another = rb'"type"\s*:(?!\s*"' + re.escape(only) + rb'")'
                    if re.search(another, block):
                        return None
    except RawFileRefused:
        return None
    name = (only or b"").decode("ascii", "replace")
    return name if TYPE_NAME.fullmatch(name) else None
