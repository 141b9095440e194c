"""Writes a synthetic OTTO competition as files: the sessions that participants see, and the hidden
labels.

Deterministic: the same seed, sessions and items give the same bytes, on any number of threads.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import polars as pl

from podium.otto.jsonl import (
    hidden_labels,
    label_lines,
    visible_events,
    write_lines,
    write_sessions,
)
from podium.otto.model import Model
from podium.otto.shape import FIRST_TEST_SESSION, FULL_ITEMS, FULL_SESSIONS

CHUNK_SESSIONS = 100_000
"""Sessions generated at a time: about a million events, a few hundred megabytes."""

SMALLEST_CATALOGUE = 20_000
"""The fewest items: with less, the most popular ones would be good predictions, unlike in real
data."""

TRAIN_FACTOR = 4
"""Training sessions per test session by default (about 7.7 in the real data)."""


@dataclass(frozen=True, slots=True)
class SyntheticFiles:
    """Paths of the parts of a synthetic competition; None for those that were not requested."""

    test_labels: Path
    test_sessions: Path | None
    train_sessions: Path | None


def synthesize(
    out: Path,
    *,
    sessions: int,
    seed: int = 42,
    items: int | None = None,
    train: int | None = None,
    labels_only: bool = False,
) -> SyntheticFiles:
    """Writes `test_labels.jsonl`, `test_sessions.jsonl` (cut) and `train_sessions.jsonl` to `out`.

    Test sessions are numbered from 12,899,779 without gaps; `train` is the number of training
    sessions; `items` is the size of the catalog, by default in proportion to the real one.
    `labels_only` omits both session files, which are slow to write at full size.
    """
    out.mkdir(parents=True, exist_ok=True)
    labels = out / "test_labels.jsonl"
    model = Model(seed, catalogue_size(sessions) if items is None else items)
    if labels_only:
        with labels.open("wb") as sink:
            for chunk in whole_test_sessions(model, sessions):
                write_lines(label_lines(hidden_labels(chunk)), sink)
        return SyntheticFiles(labels, None, None)
    seen, history = out / "test_sessions.jsonl", out / "train_sessions.jsonl"
    with labels.open("wb") as label_sink, seen.open("wb") as seen_sink:
        for chunk in whole_test_sessions(model, sessions):
            write_lines(label_lines(hidden_labels(chunk)), label_sink)
            write_sessions(visible_events(chunk), seen_sink)
    _write(history, _training_sessions(model, sessions, train))
    return SyntheticFiles(labels, seen, history)


def synthesize_raw(
    out: Path,
    *,
    sessions: int,
    seed: int = 42,
    items: int | None = None,
    train: int | None = None,
) -> Path:
    """Writes `raw_sessions.jsonl`, uncut, from which the preparation creates about the same
    competition with cuts of its own. Training sessions come first. Returns the path."""
    out.mkdir(parents=True, exist_ok=True)
    model = Model(seed, catalogue_size(sessions) if items is None else items)
    raw = out / "raw_sessions.jsonl"
    tested = whole_test_sessions(model, sessions)
    _write(raw, chain(_training_sessions(model, sessions, train), tested))
    return raw


def catalogue_size(sessions: int) -> int:
    """Scales the catalog for that many test sessions: the real number of items, reduced in
    proportion."""
    return max(SMALLEST_CATALOGUE, FULL_ITEMS * sessions // FULL_SESSIONS)


def whole_test_sessions(model: Model, sessions: int) -> Iterator[pl.DataFrame]:
    """Generates test sessions, hidden events included, a chunk at a time; columns as in
    `Model.events`."""
    for first, end in _chunks(sessions):
        numbers = pl.int_range(FIRST_TEST_SESSION + first, FIRST_TEST_SESSION + end, eager=True)
        yield model.events(numbers, training=False)


def _training_sessions(model: Model, tested: int, train: int | None) -> Iterator[pl.DataFrame]:
    """Generates that many training sessions; by default in proportion to those of the test."""
    for first, end in _chunks(TRAIN_FACTOR * tested if train is None else train):
        yield model.events(pl.int_range(first, end, eager=True), training=True)


def _write(file: Path, chunks: Iterator[pl.DataFrame]) -> None:
    with file.open("wb") as sink:
        for chunk in chunks:
            write_sessions(chunk, sink)


def _chunks(total: int) -> Iterator[tuple[int, int]]:
    for first in range(0, total, CHUNK_SESSIONS):
        yield first, min(first + CHUNK_SESSIONS, total)
