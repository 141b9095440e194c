"""Scores taken apart, and what is not shown of them."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from podium.scoring.analysis.segments import FEWEST, segments
from podium.scoring.analysis.session_file import SessionFile, read_session_file
from podium.scoring.hits import Hits
from podium.scoring.items import ItemFile
from podium.scoring.problems import FileRejected
from podium.scoring.published import PublishedIds
from tests.builders.scoring.sessions import Counts, hits_of, random_counts, task_of, truth_of


def apart(counts: Counts, *weights: str, **more: Any) -> dict[str, Any]:
    truth = truth_of(counts, task_of(*weights, metric=more.pop("metric", "recall@20")))
    return segments(hits_of(counts, truth), **more)["splits"]["all"]  # type: ignore[no-any-return]


def sizes(groups: list[dict[str, Any]]) -> dict[str, int]:
    return {group["group"]: group["sessions"] for group in groups}


def test_scores_by_number_of_labels() -> None:
    counts = [[(1, 1)]] * 40 + [[(1, 2)]] * 50 + [[(3, 4)]] * 30
    groups = apart(counts, "1")["labels"]
    assert groups == [
        {
            "group": "1",
            "sessions": 40,
            "score": 1.0,
            "objectives": {"": {"value": 1, "queries": 40}},
        },
        {
            "group": "2",
            "sessions": 50,
            "score": 0.5,
            "objectives": {"": {"value": 0.5, "queries": 50}},
        },
        {
            "group": "3 to 4",
            "sessions": 30,
            "score": 0.75,
            "objectives": {"": {"value": 0.75, "queries": 30}},
        },
    ]


def test_a_micro_metric_divides_sums_within_the_group() -> None:
    counts = [[(0, 5)]] * 20 + [[(9, 9)]] * 20
    groups = apart(counts, "1", metric="recall_capped@20:micro")["labels"]
    assert groups[0]["group"] == "5 to 9"
    assert groups[0]["score"] == pytest.approx(9 / 14)


def test_where_nothing_was_found_every_group_has_the_score_0() -> None:
    groups = apart([[(0, 1)]] * 40 + [[(0, 2)]] * 50, "1")["labels"]
    assert [(group["group"], group["score"]) for group in groups] == [("1", 0.0), ("2", 0.0)]


def test_a_group_without_one_of_the_objectives_has_no_score() -> None:
    counts = [[(1, 1), (0, 0)]] * 40 + [[(0, 2), (2, 2)]] * 40
    one, two = apart(counts, "0.25", "0.75")["labels"]
    assert (one["score"], set(one["objectives"])) == (None, {"a"})
    assert two["score"] == 0.75


def test_small_groups_are_put_together() -> None:
    counts = [[(1, 1)]] * 100 + [[(1, 2)]] * 20 + [[(1, 3)]] * 15
    groups = apart(counts, "1")["labels"]
    assert sizes(groups) == {"1": 100, "other": 35}
    assert groups[1]["score"] == pytest.approx((20 / 2 + 15 / 3) / 35)
    assert "joined" not in groups[1]


def test_a_small_group_takes_a_large_one_along_so_that_nothing_can_be_subtracted() -> None:
    counts = [[(1, 1)]] * 100 + [[(1, 2)]] * 50 + [[(1, 3)]] * (FEWEST - 1)
    groups = apart(counts, "1")["labels"]
    assert sizes(groups) == {"1": 100, "other": 79}
    assert [group.get("joined") for group in groups] == [None, ["2"]]


def test_where_all_is_small_nothing_is_shown() -> None:
    assert apart([[(1, 1)]] * 10 + [[(1, 2)]] * 10, "1")["labels"] == []


def test_no_group_is_small_whatever_the_sessions() -> None:
    rng = random.Random(2)
    for seed in range(20):
        counts = random_counts(rng, rng.choice((20, 60, 400)), (0.9, 0.3, 0.1))
        lengths = pl.Series("length", [float(rng.choice((1, 2, 50))) for _ in counts])
        texts = pl.Series("shop", [rng.choice("aab") + str(rng.choice((1, 1, 9))) for _ in counts])
        known = SessionFile(pl.DataFrame([lengths, texts]))
        for name, groups in apart(counts, "0.1", "0.3", "0.6", sessions=known).items():
            assert all(group["sessions"] >= FEWEST for group in groups), (seed, name)


def test_ranks_of_hits_are_counted() -> None:
    # The helper puts hits first: 60 sessions hit at rank 1, 35 of them at rank 2 as well.
    counts = [[(2, 2)]] * 35 + [[(1, 2)]] * 25 + [[(0, 2)]] * 50
    groups = apart(counts, "1")["rank"]
    assert groups == [
        {"group": "1", "sessions": 60, "objectives": {"": {"labels": 60, "found": 60}}},
        {"group": "2", "sessions": 35, "objectives": {"": {"labels": 35, "found": 35}}},
    ]


def test_popularity_is_by_labels_where_nothing_else_is_known() -> None:
    # Items are numbered from 0 within a session: item 0 is in all, item 1 in 40, item 2 in none.
    counts = [[(1, 1)]] * 60 + [[(1, 2)]] * 40
    groups = apart(counts, "1")["popularity"]
    assert groups == [
        {"group": "20 to 49", "sessions": 40, "objectives": {"": {"labels": 40, "found": 0}}},
        {"group": "100 to 999", "sessions": 100, "objectives": {"": {"labels": 100, "found": 100}}},
    ]


def test_popularity_is_by_users_where_the_item_file_tells_them() -> None:
    counts = [[(1, 1)]] * 60 + [[(1, 2)]] * 40
    items = pl.DataFrame({"item": [0], "users": [7]}, schema={"item": pl.Int32, "users": pl.Int64})
    truth = truth_of(counts, task_of("1"))
    document = segments(hits_of(counts, truth), items=ItemFile(items, 10))
    assert document["popularity_by"] == "users"
    popularity = document["splits"]["all"]["popularity"]
    assert [group["group"] for group in popularity] == ["0 or 1", "5 to 9"]


def test_numbers_are_cut_into_groups_of_about_equal_size() -> None:
    counts = [[(int(n >= 300), 1)] for n in range(500)]
    known = SessionFile(pl.DataFrame({"length": [float(n + 1) for n in range(500)]}))
    groups = apart(counts, "1", sessions=known)["length"]
    assert sizes(groups) == {
        "up to 100": 100,
        "up to 200": 100,
        "up to 300": 100,
        "up to 400": 100,
        "more than 400": 100,
    }
    assert [group["score"] for group in groups] == [0.0, 0.0, 0.0, 1.0, 1.0]


def test_texts_are_groups_and_sessions_without_one_are_left_out() -> None:
    counts = [[(1, 1)]] * 40 + [[(0, 1)]] * 50 + [[(0, 1)]] * 60
    known = SessionFile(pl.DataFrame({"shop": ["de"] * 40 + ["at"] * 50 + [None] * 60}))
    groups = apart(counts, "1", sessions=known)["shop"]
    assert {group["group"]: group["score"] for group in groups} == {"at": 0.0, "de": 1.0}


def read(folder: Path, text: str | bytes) -> SessionFile:
    path = folder / "sessions.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    ids = PublishedIds(pl.Series([7, 8, 9], dtype=pl.Int32), ("",))
    return read_session_file(path, task=task_of("1"), published=ids)


def test_a_file_about_sessions_keeps_numbers_and_texts(tmp_path: Path) -> None:
    known = read(tmp_path, "shop,session,length\nde,9,3\nfr,7,\n")
    assert known.frame.to_dict(as_series=False) == {
        "shop": ["fr", None, "de"],
        "length": [None, None, 3.0],
    }
    # The session 8 has no attribute.
    assert known.count == 2
    known.write(tmp_path / "kept")
    assert SessionFile.read(tmp_path / "kept").frame.equals(known.frame)


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("", [("empty-file", None)]),
        ("session,length\n", [("empty-file", None)]),
        ("length\n3\n", [("header-mismatch", 1)]),
        ("session\n7\n", [("header-mismatch", 1)]),
        ("session,rank\n7,1\n", [("header-mismatch", 1)]),
        ("session,a b\n7,1\n", [("header-mismatch", 1)]),
        ("session,a,a\n7,1,1\n", [("header-mismatch", 1)]),
        ("session,a\n7,1\n6,1\n7,2\n", [("unknown-id", 3), ("duplicate-id", 4)]),
        ("session,a\n07,1\n", [("unknown-id", 2)]),
        (b"session,a\n7,\xff\n", [("bad-character", 2)]),
        ("session,a\n7," + "x" * 65 + "\n", [("bad-character", 2)]),
    ],
)
def test_bad_rows_about_sessions_are_named(
    tmp_path: Path, text: str | bytes, problems: list[tuple[str, int | None]]
) -> None:
    with pytest.raises(FileRejected) as caught:
        read(tmp_path, text)
    found = [(str(each.code), each.line) for each in caught.value.rejection.problems]
    assert found == problems


def test_a_parquet_file_about_sessions_is_refused_by_rows(tmp_path: Path) -> None:
    path = tmp_path / "sessions.parquet"
    pl.DataFrame({"session": [7, 6], "length": [1, 2]}).write_parquet(path)
    with pytest.raises(FileRejected) as caught:
        read(tmp_path, path.read_bytes())
    (problem,) = caught.value.rejection.problems
    assert (str(problem.code), problem.line, problem.row) == ("unknown-id", None, 1)


def test_after_a_thousand_bad_rows_about_sessions_reading_stops(tmp_path: Path) -> None:
    with pytest.raises(FileRejected) as caught:
        read(tmp_path, "session,a\n" + "6,1\n" * 1001)
    assert caught.value.rejection.count == 1000


def differences(counts: Counts, *weights: str, sessions: SessionFile | None = None) -> Any:
    truth = truth_of(counts, task_of(*weights, metric="recall@2"))
    return segments(hits_of(counts, truth), sessions=sessions)["differences"]["all"]


def test_groups_differ_by_their_miss_rates() -> None:
    # 10 of 40, 30 of 60 and 0 of 30 have no hit; in all 40 of 130.
    counts = [[(0, 1)]] * 10 + [[(1, 1)]] * 30 + [[(0, 2)]] * 30 + [[(1, 2)]] * 30
    counts += [[(3, 4)]] * 30
    overall = 40 / 130
    apart = [abs(rate - overall) for rate in (1 / 4, 1 / 2, 0)]
    assert differences(counts, "1") == {
        "labels": {
            "": {
                "miss_rate": pytest.approx(overall, rel=1e-15),
                "mred": pytest.approx(sum(apart) / 3, rel=1e-15),
                "largest": 0.5,
            }
        }
    }


def test_a_hit_behind_k_is_a_miss() -> None:
    frame = truth_of([[(0, 1)]] * 30 + [[(0, 2)]] * 30, task_of("1", metric="recall@2"))
    late = pl.DataFrame({"label": range(30), "rank": [3] * 30})
    found = segments(Hits.of(late, frame))["differences"]["all"]["labels"][""]
    assert found == {"miss_rate": 1.0, "mred": 0.0, "largest": 0.0}


def test_small_groups_count_as_one_and_a_single_group_has_no_difference() -> None:
    # 2 and 4 labels are two small groups, which are compared together: 20 of 30 against 0 of 40.
    small = [[(0, 2)]] * 20 + [[(1, 4)]] * 10
    found = differences([[(1, 1)]] * 40 + small, "1")["labels"][""]
    overall = 20 / 70
    assert found["mred"] == pytest.approx((overall + (2 / 3 - overall)) / 2)
    assert found["largest"] == pytest.approx(2 / 3)
    assert differences([[(1, 1)]] * 40, "1") == {"labels": {}}


def test_objectives_differ_apart() -> None:
    counts = [[(1, 1), (0, 1)]] * 30 + [[(0, 2), (0, 0)]] * 30
    # The second objective has queries in one group only.
    assert differences(counts, "1", "1") == {
        "labels": {"a": {"miss_rate": 0.5, "mred": 0.5, "largest": 1.0}}
    }


@pytest.mark.parametrize("seed", range(200))
def test_the_organizers_script_finds_the_same_up_to_its_sign(seed: int) -> None:
    rng = random.Random(seed)
    labels = [rng.choice([1, 2, 3, 7]) for _ in range(400)]
    counts = [[(rng.choice([0, 0, 1]), m)] for m in labels]
    found = differences(counts, "1")["labels"][""]
    # The miss rate equality difference of EvalRS, with a mean by slice.
    misses = [float(hits == 0) for ((hits, _),) in counts]
    by_slice: dict[int, list[float]] = {}
    for size, miss in zip(labels, misses, strict=True):
        by_slice.setdefault(size, []).append(miss)
    mr = sum(misses) / len(misses)
    theirs = -sum(abs(sum(each) / len(each) - mr) for each in by_slice.values()) / len(by_slice)
    assert found["miss_rate"] == pytest.approx(mr)
    assert found["mred"] == pytest.approx(-theirs, rel=1e-12)
