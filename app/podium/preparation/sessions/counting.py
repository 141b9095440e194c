"""Counts sessions and events of a preparation; nothing here changes the files."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from podium.otto.shape import LIST_LENGTH
from podium.preparation.sessions.spool import EventSpool


def lengths_of(events: pl.DataFrame) -> pl.DataFrame:
    """Counts the events of each session, which are in the order of sessions: `session` and `events`
    (Int64)."""
    runs = events["session"].rle().struct.unnest()
    return pl.DataFrame({"session": runs["value"], "events": runs["len"].cast(pl.Int64)})


@dataclass
class _Part:
    """Counts of the training set, or of the whole test sessions."""

    sessions: int = 0
    events: int = 0
    types: Counter[str] = field(default_factory=Counter)
    lengths: Counter[int] = field(default_factory=Counter)
    items: pl.Series = field(default_factory=lambda: pl.Series(dtype=pl.Int32))

    def add(self, events: pl.DataFrame, types: tuple[str, ...]) -> None:
        lengths = lengths_of(events)["events"]
        self.sessions += len(lengths)
        self.events += events.height
        for code, count in events["type"].value_counts().iter_rows():
            self.types[types[code]] += count
        _count(lengths, self.lengths)
        self.items = pl.concat([self.items, events["aid"].unique()]).unique()

    def to_dict(self, types: tuple[str, ...]) -> dict[str, Any]:
        return {
            "sessions": self.sessions,
            "events": self.events,
            "items": len(self.items),
            "types": {name: self.types[name] for name in types},
            "lengths": dict(sorted(self.lengths.items())),
        }


@dataclass
class PreparationCounts:
    """All counts of a preparation, from which the report is written."""

    files: int
    raw_events: int
    latest: int
    split: int | None
    types: tuple[str, ...]
    train: _Part = field(default_factory=_Part)
    test: _Part = field(default_factory=_Part)
    visible: Counter[int] = field(default_factory=Counter)
    labels: dict[str, Counter[str]] = field(default_factory=dict)
    dropped: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, files: int, spool: EventSpool, split: int | None) -> PreparationCounts:
        """Creates the counts that are known after the first pass; all others are zero."""
        return cls(files, spool.events, spool.latest, split, spool.types)

    def add_train(self, given: pl.DataFrame, kept: pl.DataFrame, types: tuple[str, ...]) -> None:
        """Counts events of sessions that start before the split, and those of them that were
        written."""
        self.train.add(kept, types)
        self.dropped["train_events"] += given.height - kept.height
        sessions = given["session"].n_unique() - kept["session"].n_unique()
        self.dropped["train_sessions"] += sessions

    def add_dropped(self, given: pl.DataFrame, known: pl.DataFrame, kept: pl.DataFrame) -> None:
        """Counts what was dropped: from all events of test sessions to those of known items, and
        then to those of long enough sessions."""
        self.dropped["events_of_unknown_items"] += given.height - known.height
        sessions = given["session"].n_unique() - kept["session"].n_unique()
        self.dropped["test_sessions"] += sessions

    def add_test(self, events: pl.DataFrame, labels: pl.DataFrame, types: tuple[str, ...]) -> None:
        """Counts whole test sessions with their cuts, and their labels."""
        self.test.add(events, types)
        _count(events.filter(pl.col("position") == 0)["cut"], self.visible)
        for name in types:
            sizes = labels[name].list.len().cast(pl.Int64)
            kind = self.labels.setdefault(name, Counter())
            kind["sessions"] += int((sizes > 0).sum())
            kind["labels"] += int(sizes.sum())
            kind["longer_than_20"] += int((sizes > LIST_LENGTH).sum())

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready. Times are milliseconds since 1970; lengths map a number of events to the
        number of sessions: `visible` counts the events of test sessions before their cuts."""
        test = self.test.to_dict(self.types)
        visible = dict(sorted(self.visible.items()))
        test["visible_events"] = sum(length * count for length, count in visible.items())
        names = ("train_events", "train_sessions", "events_of_unknown_items", "test_sessions")
        return {
            "raw": {"files": self.files, "events": self.raw_events, "latest_ts": self.latest},
            "split_ts": self.split,
            "dropped": {name: self.dropped[name] for name in names},
            "train": None if self.split is None else self.train.to_dict(self.types),
            "test": test | {"visible_lengths": visible},
            "labels": {name: dict(kind) for name, kind in self.labels.items()},
        }


def _count(lengths: pl.Series, into: Counter[int]) -> None:
    for length, count in lengths.value_counts().iter_rows():
        into[length] += count
