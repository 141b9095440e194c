"""The lists that baselines recommend, on sessions small enough to follow by hand."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from app.otto.baselines import BaselineName, write_baseline
from app.otto.jsonl import read_events
from app.otto.synthetic import synthesize
from tests.unit.otto.test_submissions import TYPES, body, recalls


def sessions(path: Path, *rows: tuple[int, list[tuple[int, str]]]) -> Path:
    """A file in OTTO's raw form; each event is an aid and a type, a second after the one before."""
    with path.open("w") as sink:
        for session, events in rows:
            told = [{"aid": a, "ts": 1000 * n, "type": t} for n, (a, t) in enumerate(events)]
            sink.write(json.dumps({"session": session, "events": told}) + "\n")
    return path


def clicks(*aids: int) -> list[tuple[int, str]]:
    return [(aid, "clicks") for aid in aids]


def lists(name: BaselineName, folder: Path, train: Path, test: Path) -> dict[str, str]:
    out = folder / "submission.csv"
    rows = write_baseline(name, train=train, test=test, out=out)
    found = dict(row.split(",") for row in body(out))
    assert len(found) == rows
    return found


def test_sessions_are_read_event_by_event(tmp_path: Path) -> None:
    path = sessions(tmp_path / "s.jsonl", (4, [(7, "clicks"), (8, "carts")]))
    assert read_events(path).collect().rows() == [(4, 7, 0, "clicks"), (4, 8, 1000, "carts")]


def test_recent_lists_the_last_items_first_and_none_twice(tmp_path: Path) -> None:
    test = sessions(tmp_path / "test.jsonl", (9, clicks(1, 2, 3, 1)), (3, clicks(5)))
    train = sessions(tmp_path / "train.jsonl", (1, clicks(8)))
    assert lists("recent", tmp_path, train, test) == {
        "9_clicks": "1 3 2",
        "9_carts": "1 3 2",
        "9_orders": "1 3 2",
        "3_clicks": "5",
        "3_carts": "5",
        "3_orders": "5",
    }


def test_recent_keeps_the_last_twenty(tmp_path: Path) -> None:
    test = sessions(tmp_path / "test.jsonl", (9, clicks(*range(1, 31))))
    train = sessions(tmp_path / "train.jsonl", (1, clicks(8)))
    expected = " ".join(str(aid) for aid in range(30, 10, -1))
    assert lists("recent", tmp_path, train, test)["9_clicks"] == expected


def test_popular_counts_each_type_by_itself(tmp_path: Path) -> None:
    train = sessions(
        tmp_path / "train.jsonl",
        (1, [*clicks(4, 4, 6), (6, "carts")]),
        (2, [*clicks(4), (9, "carts"), (9, "carts")]),
    )
    test = sessions(tmp_path / "test.jsonl", (7, clicks(1)))
    assert lists("popular", tmp_path, train, test) == {
        "7_clicks": "4 6",
        "7_carts": "9 6",
        "7_orders": "",
    }


def test_covisitation_adds_companions_and_then_popular_items(tmp_path: Path) -> None:
    train = sessions(
        tmp_path / "train.jsonl",
        (1, clicks(10, 20)),
        (2, clicks(20, 10)),
        (3, clicks(10, 30)),
        (4, clicks(40, 40, 40, 40)),
    )
    test = sessions(tmp_path / "test.jsonl", (7, clicks(10)))
    # 20 was seen beside 10 twice, 30 once; 40 never, but it has the most clicks.
    assert lists("covisitation", tmp_path, train, test)["7_clicks"] == "10 20 30 40"


def test_random_lists_hold_training_items_only(tmp_path: Path) -> None:
    train = sessions(tmp_path / "train.jsonl", (1, clicks(5, 6)))
    test = sessions(tmp_path / "test.jsonl", (7, clicks(1)))
    for items in lists("random", tmp_path, train, test).values():
        assert set(items.split()) == {"5", "6"}
        assert len(items.split()) == 2


def test_baselines_differ_visibly_in_quality(tmp_path: Path) -> None:
    made = synthesize(tmp_path, sessions=2_000)
    assert made.test_sessions is not None
    assert made.train_sessions is not None
    scores = []
    names: tuple[BaselineName, ...] = ("random", "popular", "recent", "covisitation")
    for name in names:
        out = tmp_path / f"{name}.csv"
        write_baseline(name, train=made.train_sessions, test=made.test_sessions, out=out)
        found = recalls(out, made.test_labels)
        scores.append(sum(w * found[t] for w, t in zip((0.1, 0.3, 0.6), TYPES, strict=True)))
    steps = [later - earlier for earlier, later in pairwise(scores)]
    assert min(steps) > 0.05


@pytest.mark.parametrize("name", ["random", "popular", "recent", "covisitation"])
def test_a_baseline_is_the_same_every_time(name: BaselineName, tmp_path: Path) -> None:
    made = synthesize(tmp_path, sessions=200)
    assert made.test_sessions is not None
    assert made.train_sessions is not None
    texts = set()
    for run in range(2):
        out = tmp_path / f"{run}.csv"
        write_baseline(name, train=made.train_sessions, test=made.test_sessions, out=out)
        texts.add(out.read_bytes())
    assert len(texts) == 1
