"""Labels by hand, and the labels of the organizer's own script on twenty real sessions."""

from __future__ import annotations

import io
import json

import polars as pl
import pytest

from podium.otto.jsonl import (
    hidden_labels,
    label_lines,
    read_events,
    visible_events,
    write_sessions,
)
from podium.otto.shape import TYPES
from tests.places import ROOT

SAMPLE = ROOT.parent / "shared" / "fixtures" / "otto-sample"


def events(cut: int, *told: tuple[int, str]) -> pl.DataFrame:
    """One session, number 42, with the given aids and types and a cut."""
    return pl.DataFrame(
        {
            "session": [42] * len(told),
            "position": range(len(told)),
            "cut": [cut] * len(told),
            "aid": [aid for aid, _ in told],
            "type": [TYPES.index(name) for _, name in told],
            "ts": [1000 + position for position in range(len(told))],
        },
        schema_overrides={"session": pl.Int32, "aid": pl.Int32, "type": pl.UInt8},
    )


def test_labels_are_the_next_click_and_the_sets_of_carts_and_orders() -> None:
    session = events(
        2, (1, "clicks"), (2, "carts"),
        (7, "carts"), (5, "clicks"), (6, "clicks"), (3, "carts"), (7, "carts"), (3, "orders"),
    )  # fmt: skip
    expected = '{"session": 42, "labels": {"clicks": 5, "carts": [3, 7], "orders": [3]}}'
    assert label_lines(hidden_labels(session)).to_list() == [expected]


def test_a_type_without_labels_is_left_out() -> None:
    session = events(1, (1, "clicks"), (0, "orders"))
    expected = '{"session": 42, "labels": {"orders": [0]}}'
    assert label_lines(hidden_labels(session)).to_list() == [expected]


def test_what_comes_before_the_cut_is_visible() -> None:
    session = events(2, (1, "clicks"), (2, "carts"), (3, "orders"))
    other = events(1, (7, "orders"), (8, "clicks")).with_columns(session=pl.lit(7, pl.Int32))
    lines = io.BytesIO()
    write_sessions(visible_events(pl.concat([session, other])), lines)
    assert lines.getvalue() == (
        b'{"session": 42, "events": [{"aid": 1, "ts": 1000, "type": "clicks"}, '
        b'{"aid": 2, "ts": 1001, "type": "carts"}]}\n'
        b'{"session": 7, "events": [{"aid": 7, "ts": 1000, "type": "orders"}]}\n'
    )


@pytest.mark.skipif(not SAMPLE.is_dir(), reason="the OTTO sample is not beside the repository")
def test_real_sessions_get_the_labels_of_the_organizers_script() -> None:
    whole = read_events(SAMPLE / "train.initial-commit.jsonl").collect()
    seen = read_events(SAMPLE / "cut42.test_sessions.jsonl").collect()
    cuts = seen.group_by("session").agg(cut=pl.len().cast(pl.Int32))
    cut_events = whole.join(cuts, on="session", maintain_order="left").with_columns(
        position=pl.int_range(pl.len(), dtype=pl.Int32).over("session"),
        type=pl.col("type").replace_strict(TYPES, range(len(TYPES)), return_dtype=pl.UInt8),
    )
    lines = label_lines(hidden_labels(cut_events)).to_list()
    labels = {line["session"]: line["labels"] for line in map(json.loads, lines)}
    text = (SAMPLE / "cut42.test_labels.jsonl").read_text()
    assert len(labels) == 20
    for line in map(json.loads, text.splitlines()):
        official = {
            name: aids if isinstance(aids, int) else sorted(aids)
            for name, aids in line["labels"].items()
        }
        assert labels[line["session"]] == official
