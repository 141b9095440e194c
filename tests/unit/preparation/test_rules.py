"""Rules about what is kept and what is a label, on cases made by hand."""

from __future__ import annotations

import json
import random
from pathlib import Path

import polars as pl
import pytest

from podium.errors import InvalidInput
from podium.preparation.dataset import Dataset
from podium.preparation.options import ColumnChoice
from podium.preparation.preparing import statistics
from tests.builders.preparation.interactions import (
    labels_of,
    prepared,
    random_rows,
    rated,
    train_of,
    write,
)

ROWS = [(1, 10, 5, 100), (1, 11, 3, 200), (1, 12, 4, 300), (2, 10, 4, 100), (2, 12, 2, 50)]


def test_the_last_is_hidden(tmp_path: Path) -> None:
    made = prepared(rated(tmp_path / "r.csv", ROWS), tmp_path)
    assert labels_of(made.datasets[0]) == [(1, 12), (2, 10)]
    assert train_of(made) == [(1, 10), (1, 11), (2, 12)]
    assert (tmp_path / "published_ids.csv").read_text() == "user\n1\n2\n"
    assert (tmp_path / "sample_submission.csv").read_text() == "user,labels\n1,\n2,\n"
    assert (tmp_path / "items.csv").read_text() == "item,users\n10,1\n11,1\n12,1\n"


def test_a_threshold_drops_lower_ratings_and_relevance_keeps_the_rating(tmp_path: Path) -> None:
    rows = [*ROWS, (2, 13, 4, 500)]
    told = {"threshold": 4, "relevance": True}
    made = prepared(rated(tmp_path / "r.csv", rows), tmp_path, **told)
    assert (tmp_path / "labels.csv").read_text() == "user,item,relevance\n1,12,4.0\n2,13,4.0\n"
    assert train_of(made) == [(1, 10), (2, 10)]
    assert made.report["dropped"]["below_threshold"] == 2


def test_no_relevance_is_0(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="1 ratings are 0 or less"):
        prepared(rated(tmp_path / "r.csv", [*ROWS, (3, 1, 0, 1)]), tmp_path, relevance=True)


@pytest.mark.parametrize(
    ("rule", "kept"),
    [("last", (2.0, 30)), ("first", (4.0, 10)), ("max", (5.0, 20)), ("sum", (11.1, 30))],
)
def test_duplicates_by_rule(tmp_path: Path, rule: str, kept: tuple[float, int]) -> None:
    rows = [(1, 7, 0.1, 5), (1, 5, 2, 30), (1, 5, 5, 20), (1, 5, 4, 10), (1, 5, 0.1, 15)]
    for place in range(3):
        random.Random(place).shuffle(rows)
        out = tmp_path / str(place)
        told = {"duplicates": rule, "protocol": "time", "at": "1000"}
        rows_with_later = [*rows, (1, 9, 1.0, 1000)]
        made = prepared(rated(tmp_path / "r.csv", rows_with_later), out, **told)
        train = made.datasets[0].scan_train().filter(item=5).collect()
        assert train.select("rating", "timestamp").row(0) == kept
        assert made.report["dropped"]["duplicates"] == 3


def test_duplicates_without_ratings_are_counted(tmp_path: Path) -> None:
    file = write(tmp_path / "r.csv", [(1, 5), (1, 5), (1, 6), (1, 5)], "user,item")
    made = prepared(file, tmp_path, duplicates="sum", pick="random")
    found = made.datasets[0].scan_train().collect().rows()
    assert found[0] in [(1, 5, 3.0), (1, 6, 1.0)]
    assert made.datasets[0].rating == "rating"


def test_duplicates_are_refused(tmp_path: Path) -> None:
    file = rated(tmp_path / "r.csv", [*ROWS, ROWS[0]])
    with pytest.raises(InvalidInput, match="1 interactions stand in the file more than once"):
        prepared(file, tmp_path, duplicates="refuse")


def test_types_have_objectives_of_their_own(tmp_path: Path) -> None:
    rows = [
        (1, 5, 1, "view"), (1, 6, 2, "order"), (1, 7, 11, "view"), (1, 8, 12, "view"),
        (1, 9, 13, "order"), (1, 5, 14, "order"), (2, 5, 3, "view"), (2, 6, 12, "share"),
    ]  # fmt: skip
    file = write(tmp_path / "r.csv", rows, "user,item,timestamp,type")
    told = {"source": ColumnChoice(type="type"), "protocol": "time", "at": "10"}
    objectives = {"view": "next", "order": "all"}
    made = prepared(file, tmp_path, objectives=objectives, **told)
    labels = (tmp_path / "labels.csv").read_text().split()
    assert labels == ["session,type,aid", "1,order,5", "1,order,9", "1,view,7"]
    assert (tmp_path / "published_ids.csv").read_text() == "session\n1\n"
    assert (tmp_path / "sample_submission.csv").read_text() == (
        "session_type,labels\n1_view,\n1_order,\n"
    )
    assert made.datasets[0].objectives == objectives
    with pytest.raises(InvalidInput, match="No interaction is a buy"):
        prepared(file, tmp_path, objectives={"buy": "all"}, **told)


@pytest.mark.parametrize(
    ("told", "kept"), [({}, [(1, 12), (2, 12)]), ({"rounding": "up"}, [(1, 11), (1, 12), (2, 12)])]
)
def test_a_share_that_is_not_whole_is_rounded(
    tmp_path: Path, told: dict[str, str], kept: list[tuple[int, int]]
) -> None:
    file = rated(tmp_path / "r.csv", [*ROWS[:4], (2, 12, 2, 500)])
    made = prepared(file, tmp_path, share=0.5, protocol="share", **told)
    assert labels_of(made.datasets[0]) == kept
    # Half of five: the last times are 200, 300 and 500.
    made = prepared(file, tmp_path / "by time", share=0.5, protocol="time", **told)
    late = [(1, 11), (1, 12), (2, 12)] if told else [(1, 12), (2, 12)]
    assert labels_of(made.datasets[0]) == late


def test_days_and_shares_split_by_time(tmp_path: Path) -> None:
    day = 86_400
    rows = [(user, item, 3, 10**9 + item * day) for user in (1, 2) for item in range(10)]
    rows.append((3, 9, 3, 10**9 + 9 * day))
    file = rated(tmp_path / "r.csv", rows)
    for told in ({"days": 2}, {"share": 0.25}):
        made = prepared(file, tmp_path / str(len(told)), protocol="time", **told)
        assert labels_of(made.datasets[0]) == [(1, 8), (1, 9), (2, 8), (2, 9)]
        assert (3, 9) not in train_of(made)


def test_only_some_users_are_asked(tmp_path: Path) -> None:
    many = [(user, item, 3, 7) for user in range(50) for item in range(4)]
    made = prepared(rated(tmp_path / "r.csv", many), tmp_path, test_users=5, pick="random")
    assert made.report["labels"]["users"] == 5
    assert made.report["train"]["interactions"] == 195


def test_cold_items_are_dropped_if_told(tmp_path: Path) -> None:
    file = rated(tmp_path / "r.csv", ROWS)
    made = prepared(file, tmp_path / "a", share=0.5, protocol="share")
    kept = labels_of(made.datasets[0])
    assert kept == [(1, 12), (2, 10)]
    rows = [*ROWS, (2, 99, 3, 900)]
    made = prepared(rated(file, rows), tmp_path / "b", cold_items="drop")
    assert labels_of(made.datasets[0]) == [(1, 12)]
    assert made.report["labels"]["of_cold_items"] == 1


@pytest.mark.parametrize("format_", ["parquet", "csv"])
def test_a_dataset_is_read_as_it_was_written(tmp_path: Path, format_: str) -> None:
    rows = [(f"0{user}", item, 3.5, 7) for user in (1, 2) for item in ("a", "7")]
    made = prepared(rated(tmp_path / "r.csv", rows), tmp_path, format=format_)
    dataset = Dataset.read(tmp_path)
    assert dataset == made.datasets[0]
    train = dataset.scan_train().collect()
    kinds = {"user": pl.String, "item": pl.String, "rating": pl.Float64, "timestamp": pl.Int64}
    assert dict(train.schema) == kinds
    assert dataset.settings["protocol"] == "leave-one-out"
    assert "key" not in json.dumps(dataset.settings)


def test_a_folder_without_a_dataset_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"has no dataset\.json"):
        Dataset.read(tmp_path)
    (tmp_path / "dataset.json").write_text("{}")
    with pytest.raises(InvalidInput, match="does not describe prepared files"):
        Dataset.read(tmp_path)


def test_any_order_of_rows_gives_the_same_bytes(tmp_path: Path) -> None:
    for seed in range(12):
        chance = random.Random(seed)
        rows = random_rows(chance, twice=True)
        rows += [(1, item, 3.0, 10**9) for item in range(1, 4)]
        told = {
            "protocol": chance.choice(["leave-one-out", "share", "k-fold", "time"]),
            "pick": chance.choice(["last", "random"]),
            "duplicates": chance.choice(["last", "first", "max", "sum"]),
            "share": 0.3,
        }
        found = []
        for turn in range(3):
            chance.shuffle(rows)
            out = tmp_path / f"{seed}-{turn}"
            prepared(rated(tmp_path / "r.csv", rows), out, **told)
            files = sorted(path for path in out.rglob("*") if path.is_file())
            found.append({str(path.relative_to(out)): path.read_bytes() for path in files})
        assert found[0] == found[1] == found[2]


def test_figures_of_a_file(tmp_path: Path) -> None:
    file = rated(tmp_path / "r.csv", [(1, 5, 3, 7), (1, 6, 3, 7), (2, 5, 4, 8), (2, 5, 4, 9)])
    found = statistics(file, ColumnChoice(), work=tmp_path)
    assert (found["interactions"], found["users"], found["items"]) == (4, 2, 2)
    assert found["density"] == 1.0
    # Counts 1 and 3: (-1 · 1 + 1 · 3) / (2 · 4).
    assert found["gini_of_popularity"] == 0.25
    assert found["repeated"] == 1
    assert found["share_of_equal_times"] == 0.5
    assert found["ratings"]["counts"] == {"3": 2, "4": 2}
    assert found["per_item"]["histogram"] == [
        {"from": 1, "to": 1, "count": 1}, {"from": 2, "to": 3, "count": 1}
    ]  # fmt: skip
