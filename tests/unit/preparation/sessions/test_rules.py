"""The preparation against the rules: by hand, on real sessions, and on thousands of small files."""

from __future__ import annotations

import random
from pathlib import Path

import polars as pl
import pytest

from podium.preparation.files import text
from podium.preparation.sessions import RawFileRefused, keyed_cuts, prepare, seeded_key
from tests.builders.otto.files import (
    TRAIN,
    cut_in_the_middle,
    event,
    lines,
    outcome,
    some_sessions,
    write_raw,
)
from tests.builders.otto.reference import DAY, prepared
from tests.places import ROOT

SAMPLE = ROOT.parent / "shared" / "fixtures" / "otto-sample"

ROUNDS = 100
"""Files of up to forty sessions: a few thousand in all."""


def test_what_follows_from_a_small_file(tmp_path: Path) -> None:
    last = 9 * DAY  # The split is at 2 days.
    raw = write_raw(
        tmp_path / "raw.jsonl",
        [
            (8, [event(2, last), event(1, last - 5), event(9, last - 4), event(3, last, "carts")]),
            TRAIN,
            (5, [event(4, 2 * DAY - 1), event(4, 2 * DAY - 1), event(4, 2 * DAY), event(9, last)]),
            (6, [event(4, 2 * DAY - 1), event(4, 2 * DAY)]),
            (7, [event(1, 2 * DAY), event(2, last)]),
            (9, [event(9, last), event(1, last)]),
        ],
    )
    made = prepare([raw], tmp_path / "out", cuts=cut_in_the_middle, days=7)
    found = outcome(made)
    assert list(found.train) == [1, 5]
    assert found.train[5] == [event(4, 2 * DAY - 1)] * 2
    assert found.test == {8: [event(1, last - 5)]}
    assert found.labels == {8: {"clicks": 2, "carts": [3]}}
    assert made.sessions.to_list() == [8]
    dropped = made.counts.to_dict()["dropped"]
    # Of session 5 two events, 6 and 7 whole; the first file lacks item 9, thrice.
    assert dropped["train_events"] == 2 + 2 + 2
    assert dropped["train_sessions"] == 2
    assert dropped["events_of_unknown_items"] == 2
    assert dropped["test_sessions"] == 1


def test_a_session_that_starts_at_the_split_is_no_test_session(tmp_path: Path) -> None:
    at, after = [event(1, DAY), event(2, 2 * DAY)], [event(1, DAY + 1), event(2, 2 * DAY)]
    raw = write_raw(tmp_path / "raw.jsonl", [TRAIN, (2, at), (3, after)])
    found = outcome(prepare([raw], tmp_path / "out", cuts=cut_in_the_middle, days=1))
    assert list(found.train) == [1]
    assert list(found.test) == [3]


def test_events_of_equal_times_keep_their_order(tmp_path: Path) -> None:
    events = [event(3, 2 * DAY), event(1, 2 * DAY), event(2, 2 * DAY), event(4, 2 * DAY - 1)]
    raw = write_raw(tmp_path / "raw.jsonl", [TRAIN, (2, events)])
    found = outcome(prepare([raw], tmp_path / "out", cuts=cut_in_the_middle, days=1))
    assert [seen["aid"] for seen in found.test[2]] == [4, 3]
    assert found.labels[2] == {"clicks": 1}


def test_without_days_every_session_is_a_test_session(tmp_path: Path) -> None:
    raw = write_raw(tmp_path / "raw.jsonl", [TRAIN, (2, [event(9, 1), event(8, 2)]), (3, [])])
    made = prepare([raw], tmp_path / "out", cuts=cut_in_the_middle, days=None)
    assert made.train is None
    assert [line["session"] for line in lines(made.test)] == [1, 2]
    assert not (tmp_path / "out" / "train_sessions.jsonl").exists()


def test_a_file_without_a_test_session_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    raw = write_raw(tmp_path / "raw.jsonl", [TRAIN])
    with pytest.raises(RawFileRefused, match="no session of two events") as refused:
        prepare([raw], tmp_path / "out", cuts=cut_in_the_middle, days=1)
    assert refused.value.code == "empty-test-set"
    assert list((tmp_path / "out").iterdir()) == []


def test_blocks_without_a_training_event_beside_others_are_prepared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text, "BLOCK_BYTES", 100)
    late = [(n, [event(1, 2 * DAY), event(2, 2 * DAY + 1)]) for n in (2, 4, 6)]
    early = [(n, [event(1, 1), event(2, 2)]) for n in (1, 3, 5)]
    raw = write_raw(tmp_path / "raw.jsonl", sorted(early + late))
    found = outcome(prepare([raw], tmp_path / "out", cuts=cut_in_the_middle, days=1))
    assert list(found.train) == [1, 3, 5]
    assert list(found.test) == [2, 4, 6]


def test_small_files_come_out_as_the_rules_say(tmp_path: Path) -> None:
    chance, compared = random.Random(7), 0
    cuts = keyed_cuts(seeded_key(3))

    def cut_of(session: int, length: int) -> int:
        return int(cuts(pl.Series([session]), pl.Series([length]))[0])

    for number in range(ROUNDS):
        raw = some_sessions(chance)
        if not any(raw.values()):
            continue
        expected = prepared(raw, days=2, cut_of=cut_of)
        file = write_raw(tmp_path / "raw.jsonl", raw.items())
        if not expected.test:
            with pytest.raises(RawFileRefused):
                prepare([file], tmp_path / "out", cuts=cuts, days=2)
            continue
        compared += 1
        found = outcome(prepare([file], tmp_path / "out", cuts=cuts, days=2))
        assert found == expected, f"round {number}: {raw}"
    assert compared > ROUNDS * 3 / 4


@pytest.mark.skipif(not SAMPLE.is_dir(), reason="the OTTO sample is not beside the repository")
def test_real_sessions_get_the_organizers_files_from_the_organizers_cuts(tmp_path: Path) -> None:
    seen = {line["session"]: line["events"] for line in lines(SAMPLE / "cut42.test_sessions.jsonl")}
    labelled = lines(SAMPLE / "cut42.test_labels.jsonl")
    official = {line["session"]: line["labels"] for line in labelled}

    def cuts(sessions: pl.Series, lengths: pl.Series) -> pl.Series:
        return pl.Series([len(seen[session]) for session in sessions], dtype=pl.Int32)

    raw = SAMPLE / "train.initial-commit.jsonl"
    made = prepare([raw], tmp_path, cuts=cuts, days=None)
    assert {line["session"]: line["events"] for line in lines(made.test)} == seen
    labels = {line["session"]: line["labels"] for line in lines(made.labels)}
    assert len(labels) == 20
    assert labels == {session: in_order(found) for session, found in official.items()}


def in_order(labels: dict[str, int | list[int]]) -> dict[str, int | list[int]]:
    """The organizer's script writes sets in no order."""
    return {k: v if isinstance(v, int) else sorted(v) for k, v in labels.items()}


def test_sessions_may_have_other_types_of_events(tmp_path: Path) -> None:
    events = [event(1, 1, "view"), event(2, 2, "view"), event(3, 3, "buy"), event(4, 4, "view")]
    file = write_raw(tmp_path / "raw.jsonl", [(5, events)])
    out = tmp_path / "out"
    made = prepare([file], out, cuts=cut_in_the_middle, days=None, types=("view", "buy"))
    assert made.types == ("buy", "view")
    assert lines(made.labels) == [{"session": 5, "labels": {"buy": [3], "view": [4]}}]
    with pytest.raises(RawFileRefused) as refused:
        prepare([file], out, cuts=cut_in_the_middle, days=None)
    assert "none of the types clicks, carts, orders" in refused.value.problems[0]["detail"]
