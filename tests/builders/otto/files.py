"""Raw files for the tests of the preparation, and what it wrote."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from podium.preparation.sessions import PreparedSessions
from tests.builders.otto.reference import DAY, Event, Expected

TYPES = ("clicks", "clicks", "clicks", "carts", "orders")


def event(aid: int, ts: int, kind: str = "clicks") -> Event:
    return {"aid": aid, "ts": ts, "type": kind}


def write_raw(path: Path, sessions: Iterable[tuple[int, list[Event]]]) -> Path:
    lines = [json.dumps({"session": number, "events": events}) for number, events in sessions]
    path.write_text("".join(line + "\n" for line in lines))
    return path


def some_sessions(chance: random.Random) -> dict[int, list[Event]]:
    """A few sessions within four days around a split, with few items and many equal times."""
    times = [0, DAY - 1, DAY, DAY + 1, DAY + 1, 2 * DAY, 2 * DAY + 5, 3 * DAY]
    sessions = {}
    for number in chance.sample(range(50), chance.randrange(5, 40)):
        choices = chance.choice((times[:2], times[:3], times, times[2:], times[3:]))
        sessions[number] = [
            event(chance.randrange(20), chance.choice(choices), chance.choice(TYPES))
            for _ in range(chance.randrange(7))
        ]
    return sessions


def outcome(prepared: PreparedSessions) -> Expected:
    """The content of the files."""
    assert prepared.train is not None
    found = Expected()
    for path, into in ((prepared.train, found.train), (prepared.test, found.test)):
        into.update((line["session"], line["events"]) for line in lines(path))
    found.labels.update((line["session"], line["labels"]) for line in lines(prepared.labels))
    return found


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def folder(path: Path) -> Mapping[str, bytes]:
    """The bytes of every file in a folder."""
    return {file.name: file.read_bytes() for file in sorted(path.iterdir())}


TRAIN = (1, [event(1, 10), event(2, 20), event(3, 30), event(4, 40)])
"""A training session far before every split, so that the items 1 to 4 are known."""


def cut_in_the_middle(sessions: pl.Series, lengths: pl.Series) -> pl.Series:
    return lengths // 2
