"""The lists that baselines recommend, on sessions small enough to follow by hand."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import polars as pl
import pytest

from podium.baselines.registry import SESSIONS
from podium.baselines.sessions import covisitation, material
from podium.baselines.sessions.rows import SessionFiles
from podium.otto.jsonl import read_events
from podium.otto.synthetic import SyntheticFiles, synthesize
from podium.scoring.writing import write_rows
from tests.builders.otto.predictions import TYPES, body, recalls
from tests.places import ROOT


def sessions(path: Path, *rows: tuple[int, list[tuple[int, str]]]) -> Path:
    """A file in OTTO's raw form; each event is an aid and a type, a second after the one before."""
    with path.open("w") as sink:
        for session, events in rows:
            told = [{"aid": a, "ts": 1000 * n, "type": t} for n, (a, t) in enumerate(events)]
            sink.write(json.dumps({"session": session, "events": told}) + "\n")
    return path


def clicks(*aids: int) -> list[tuple[int, str]]:
    return [(aid, "clicks") for aid in aids]


def baseline_rows(
    name: str, *, train: Path, test: Path, length: int = 20, types: tuple[str, ...] = TYPES
) -> Iterator[pl.DataFrame]:
    return SESSIONS[name].learned(SessionFiles(train, test, types), length=length).rows()


def lists(name: str, folder: Path, train: Path, test: Path) -> dict[str, str]:
    out = folder / "submission.csv"
    rows = write_rows(baseline_rows(name, train=train, test=test), out, "plain")
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
        (1, clicks(20, 10)),
        (2, clicks(20, 10)),
        (3, clicks(10, 30)),
        (4, clicks(40, 40, 40, 40)),
    )
    test = sessions(tmp_path / "test.jsonl", (7, clicks(10)))
    # 20 was seen before 10 twice, 30 after it once; 40 never, but it has the most clicks.
    assert lists("covisitation", tmp_path, train, test)["7_clicks"] == "10 20 30 40"


def test_random_lists_hold_training_items_only(tmp_path: Path) -> None:
    train = sessions(tmp_path / "train.jsonl", (1, clicks(5, 6)))
    test = sessions(tmp_path / "test.jsonl", (7, clicks(1)))
    for items in lists("random", tmp_path, train, test).values():
        assert set(items.split()) == {"5", "6"}
        assert len(items.split()) == 2


def seen(path: Path, *rows: tuple[int, list[tuple[int, int, str]]]) -> Path:
    """As `sessions`, with the second of each event in the middle."""
    with path.open("w") as sink:
        for session, events in rows:
            told = [{"aid": a, "ts": 1000 * second, "type": t} for a, second, t in events]
            sink.write(json.dumps({"session": session, "events": told}) + "\n")
    return path


def test_purchases_are_predicted_from_what_was_put_into_carts(tmp_path: Path) -> None:
    train = sessions(
        tmp_path / "train.jsonl",
        *((n, clicks(10, 20)) for n in range(4)),
        (9, [(10, "clicks"), (30, "carts")]),
        (10, [*clicks(99), *[(99, "carts")] * 5, *[(99, "orders")] * 5]),
    )
    test = sessions(tmp_path / "test.jsonl", (50, clicks(10)))
    found = lists("covisitation", tmp_path, train, test)
    # Beside 10, 20 was clicked four times: 4 x 6; 30 was put into the cart once: 6 x 6.
    assert found["50_clicks"].split()[:3] == ["10", "20", "30"]
    assert found["50_carts"].split()[:3] == ["10", "30", "20"]
    assert found["50_carts"] == found["50_orders"] == "10 30 20 99"


def test_what_a_session_put_into_its_cart_comes_first_where_purchases_are_predicted(
    tmp_path: Path,
) -> None:
    train = sessions(tmp_path / "train.jsonl", (1, clicks(8)))
    test = sessions(tmp_path / "test.jsonl", (9, [(1, "carts"), (2, "clicks"), (3, "clicks")]))
    found = lists("covisitation", tmp_path, train, test)
    assert found["9_clicks"].split()[:3] == ["3", "2", "1"]
    # The cart, two events ago, is worth 6 / 3; the last click 1, the one before 1 / 2.
    assert found["9_carts"].split()[:3] == ["1", "3", "2"]


def test_later_pairs_count_more_where_clicks_are_predicted(tmp_path: Path) -> None:
    train = seen(
        tmp_path / "train.jsonl",
        (1, [(10, 0, "clicks"), (20, 1, "clicks")]),
        (2, [(10, 2, "clicks"), (20, 3, "clicks")]),
        (3, [(10, 1_000_000, "clicks"), (30, 1_000_001, "clicks")]),
    )
    test = seen(tmp_path / "test.jsonl", (9, [(10, 1_000_001, "clicks")]))
    found = lists("covisitation", tmp_path, train, test)
    # Two old pairs weigh 100 each, the new one 400.
    assert found["9_clicks"].split()[:3] == ["10", "30", "20"]
    assert found["9_carts"].split()[:3] == ["10", "20", "30"]


def test_events_of_different_days_are_no_companions(tmp_path: Path) -> None:
    day = 86_400
    train = seen(
        tmp_path / "train.jsonl",
        (1, [(10, 0, "clicks"), (20, day + 1, "clicks")]),
        (2, [(10, 0, "clicks"), (30, day, "clicks")]),
        *((n, [(20, 0, "clicks")]) for n in range(3, 9)),
    )
    test = seen(tmp_path / "test.jsonl", (9, [(10, 5, "clicks")]))
    # 30 is a companion; 20 is only popular, though more so.
    assert lists("covisitation", tmp_path, train, test)["9_clicks"] == "10 30 20"


def test_lists_have_the_length_that_was_asked_for(tmp_path: Path) -> None:
    train = sessions(tmp_path / "train.jsonl", (1, clicks(*range(100, 150))))
    test = sessions(tmp_path / "test.jsonl", (9, clicks(120)))
    out = tmp_path / "long.csv"
    for name in ("random", "popular", "covisitation"):
        write_rows(baseline_rows(name, train=train, test=test, length=45), out, "plain")
        assert {len(row.split(",")[1].split()) for row in body(out)[:1]} == {45}


def test_sessions_without_events_are_answered_too(tmp_path: Path) -> None:
    train = sessions(tmp_path / "train.jsonl", (1, clicks(8)))
    test = sessions(tmp_path / "test.jsonl", (9, []), (3, clicks(5)))
    assert lists("covisitation", tmp_path, train, test)["9_clicks"] == "8"
    assert lists("recent", tmp_path, train, test) == {
        **{f"9_{name}": "" for name in TYPES},
        **{f"3_{name}": "5" for name in TYPES},
    }


@pytest.mark.parametrize("name", SESSIONS)
def test_without_anything_to_learn_from_every_session_has_its_rows(
    name: str, tmp_path: Path
) -> None:
    train = sessions(tmp_path / "train.jsonl")
    test = sessions(tmp_path / "test.jsonl", (9, []))
    assert lists(name, tmp_path, train, test) == {f"9_{kind}": "" for kind in TYPES}


@pytest.mark.parametrize("name", [name for name in SESSIONS if name != "random"])
def test_types_of_other_names_change_no_list(name: str, tmp_path: Path) -> None:
    chance = random.Random(7)

    def some(first: int) -> list[tuple[int, list[tuple[int, str]]]]:
        kinds = ("clicks", "clicks", "clicks", "orders")
        return [
            (first + n, [(chance.randrange(9), chance.choice(kinds)) for _ in range(6)])
            for n in range(20)
        ]

    train = sessions(tmp_path / "train.jsonl", *some(100))
    test = sessions(tmp_path / "test.jsonl", *some(0))
    known = lists(name, tmp_path, train, test)
    for file in (train, test):
        file.write_text(file.read_text().replace("clicks", "view").replace("orders", "buy"))
    out = tmp_path / "other.csv"
    write_rows(baseline_rows(name, train=train, test=test, types=("buy", "view")), out, "plain")
    found = dict(row.split(",") for row in body(out))
    assert found == {
        id_.replace("clicks", "view").replace("orders", "buy"): labels
        for id_, labels in known.items()
        if not id_.endswith("carts")
    }


def test_a_single_type_is_answered_in_one_row_a_session(tmp_path: Path) -> None:
    train = sessions(tmp_path / "train.jsonl", (1, clicks(8, 7)))
    test = sessions(tmp_path / "test.jsonl", (9, clicks(5)), (3, []))
    out = tmp_path / "single.csv"
    write_rows(baseline_rows("recent", train=train, test=test, types=("clicks",)), out, "plain")
    assert out.read_text() == "session,labels\n9,5\n3,\n"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> SyntheticFiles:
    """A synthetic competition."""
    return synthesize(tmp_path_factory.mktemp("otto"), sessions=2_000)


def written(name: str, made: SyntheticFiles, out: Path) -> Path:
    assert made.test_sessions is not None
    assert made.train_sessions is not None
    write_rows(
        baseline_rows(name, train=made.train_sessions, test=made.test_sessions), out, "plain"
    )
    return out


def test_baselines_differ_visibly_in_quality(made: SyntheticFiles, tmp_path: Path) -> None:
    scores = []
    names: tuple[str, ...] = ("random", "popular", "recent", "covisitation")
    for name in names:
        found = recalls(written(name, made, tmp_path / f"{name}.csv"), made.test_labels)
        scores.append(sum(w * found[t] for w, t in zip((0.1, 0.3, 0.6), TYPES, strict=True)))
    steps = [later - earlier for earlier, later in pairwise(scores)]
    assert min(steps) > 0.05


def test_factors_find_more_than_the_session_itself(made: SyntheticFiles, tmp_path: Path) -> None:
    recent, als = (
        recalls(written(name, made, tmp_path / "out.csv"), made.test_labels)
        for name in ("recent", "als")
    )
    assert all(als[name] > recent[name] + 0.05 for name in TYPES)


@pytest.mark.parametrize("name", SESSIONS)
def test_a_baseline_is_valid_and_the_same_every_time_in_portions_of_any_size(
    name: str, made: SyntheticFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = written(name, made, tmp_path / "whole.csv").read_bytes()
    monkeypatch.setattr(material, "PORTION_SESSIONS", 300)
    monkeypatch.setattr(covisitation, "PART_EVENTS", 20_000)
    assert written(name, made, tmp_path / "parts.csv").read_bytes() == whole
    rows = [row.split(",") for row in body(tmp_path / "whole.csv")]
    assert len({row_id for row_id, _ in rows}) == len(rows) == 3 * 2_000
    lists = [labels.split() for _, labels in rows]
    assert all(len(set(items)) == len(items) <= 20 for items in lists)


SAMPLE = ROOT.parent / "shared/fixtures/otto-sample"


@pytest.mark.skipif(not SAMPLE.exists(), reason="the 20 real sessions are not here")
def test_recent_items_of_real_sessions_score_what_the_organizer_has_computed(
    tmp_path: Path,
) -> None:
    test, out = SAMPLE / "cut42.test_sessions.jsonl", tmp_path / "recent.csv"
    write_rows(baseline_rows("recent", train=test, test=test), out, "plain")
    official = json.loads((SAMPLE / "cut42.expected.official_evaluate.json").read_text())
    expected = {name: official["last20_unique"]["scores"][name] for name in TYPES}
    assert recalls(out, SAMPLE / "cut42.test_labels.jsonl") == pytest.approx(expected)
