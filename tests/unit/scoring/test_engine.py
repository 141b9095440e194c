"""The meaning of a score: the worked examples and the rules, with numbers made by hand."""

from __future__ import annotations

import dataclasses
import gzip
import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import polars as pl
import pytest

from podium.scoring.engine import judge, perfect_submission, sample_submission, validate
from podium.scoring.engine.lists import hits_of
from podium.scoring.problems import Code, FileRejected
from podium.scoring.scores.result import ScoreResult
from podium.scoring.task import OTTO, Objective, Task
from tests.builders.scoring.competitions import HALVES, Labels, recalls, score, submission, truth_of
from tests.builders.zstd import zstd

SINGLE = dataclasses.replace(OTTO, objectives=(Objective("", Decimal(1)),), id_column="session")
ZERO = dataclasses.replace(OTTO, missing_rows="zero")


def one_query(folder: Path, labels: list[int], items: str, k: int = 20) -> tuple[int, int]:
    """Hits and denominator of a competition with a single query."""
    task = SINGLE.scored_by(f"recall_capped@{k}:micro")
    truth = truth_of(folder, {7: {"": labels}}, task=task)
    split = score(folder, f"session,labels\n7,{items}\n", truth, task).splits["all"]
    return split.hits[""], split.denominators[""]


def test_the_seed_example_scores_a_quarter(tmp_path: Path) -> None:
    truth = truth_of(tmp_path, {1: {"clicks": 10, "carts": [20], "orders": [1, 2, 3, 4]}})
    rows = {"1_clicks": [10], "1_carts": [21], "1_orders": [4, 9]}
    scored = score(tmp_path, submission(rows), truth)
    assert recalls(scored) == {"clicks": 1, "carts": 0, "orders": Fraction(1, 4)}
    assert scored.splits["all"].score(OTTO) == Fraction(1, 4)


def two_orders(folder: Path, task: Task) -> Fraction:
    labels: Labels = {
        1: {"clicks": 1, "carts": [1], "orders": list(range(25))},
        2: {"clicks": 1, "carts": [1], "orders": [99]},
    }
    ids = [f"{session}_{name}" for session in (1, 2) for name in OTTO.names]
    rows = dict.fromkeys(ids, "") | {"1_orders": list(range(15, 25))}
    scored = score(folder, submission(rows), truth_of(folder, labels, task=task), task)
    return scored.splits["all"].values["orders"]


def test_micro_average_divides_once_by_capped_denominators(tmp_path: Path) -> None:
    assert two_orders(tmp_path, OTTO) == Fraction(10, 21)


def test_macro_average_is_the_mean_over_queries(tmp_path: Path) -> None:
    assert two_orders(tmp_path, OTTO.scored_by("recall_capped@20")) == Fraction(1, 4)


def test_macro_average_counts_labelled_queries_without_hits(tmp_path: Path) -> None:
    task = SINGLE.scored_by("recall_capped@2")
    truth = truth_of(tmp_path, {1: {"": [1, 2, 3]}, 2: {"": [4]}, 3: {"": [5]}, 4: {}}, task=task)
    text = "session,labels\n1,1 9\n2,4\n3,6\n4,5\n"
    assert recalls(score(tmp_path, text, truth, task))[""] == Fraction(1, 2)


@pytest.mark.parametrize(
    ("labels", "items", "k", "hits"),
    [
        pytest.param([5], "5", 20, 1, id="the only item"),
        pytest.param([5], "5 6 7", 20, 1, id="the first item"),
        pytest.param([5], "6 5 7", 20, 1, id="an item in the middle"),
        pytest.param([5], "6 7 5", 20, 1, id="the last item"),
        pytest.param([5], "55 15 51 155", 20, 0, id="items that merely contain it"),
        pytest.param([5], "55 15 5 51", 20, 1, id="the item among such"),
        pytest.param([5], "5 5 5", 20, 1, id="a duplicate counts once"),
        pytest.param([5], "1 2 5", 3, 1, id="at the last place that counts"),
        pytest.param([5], "1 2 3 5", 3, 0, id="just behind it"),
        pytest.param([5], "1 1 1 5", 3, 0, id="duplicates occupy places: cut comes first"),
        pytest.param([5], "1 2 3 5 5", 3, 0, id="a later duplicate is cut off, too"),
        pytest.param([5], "1  2   5", 3, 1, id="repeated spaces are not places"),
        pytest.param([5], "  1 5 ", 2, 1, id="spaces around are not places"),
        pytest.param([5], "005", 20, 1, id="leading zeros do not count"),
        pytest.param([5], "1 0000000005 2", 20, 1, id="ten digits of five"),
        pytest.param([0], "0", 20, 1, id="item 0 is an ordinary item"),
        pytest.param([0], "1 000", 20, 1, id="item 0 with leading zeros"),
        pytest.param([0], "10 20 100", 20, 0, id="item 0 is not in 10"),
        pytest.param([2147483647], "2147483647", 20, 1, id="the largest item"),
        pytest.param([], "5", 20, 0, id="a query without labels"),
        pytest.param([5], "", 20, 0, id="an empty list"),
    ],
)
def test_hits(tmp_path: Path, labels: list[int], items: str, k: int, hits: int) -> None:
    task = SINGLE.scored_by(f"recall_capped@{k}:micro")
    truth = truth_of(tmp_path, {7: {"": labels}, 8: {"": [1]}}, task=task)
    scored = score(tmp_path, f"session,labels\n7,{items}\n8,\n", truth, task)
    assert scored.splits["all"].hits[""] == hits
    assert scored.splits["all"].denominators[""] == len(labels) + 1


def test_more_labels_than_places_are_capped_in_the_denominator(tmp_path: Path) -> None:
    items = " ".join(map(str, range(30)))
    assert one_query(tmp_path, list(range(25)), items) == (20, 20)


def test_text_items_are_compared_as_text(tmp_path: Path) -> None:
    task = dataclasses.replace(SINGLE, item_ids="string")
    truth = truth_of(tmp_path, {1: {"": ["0706016001"]}, 2: {"": ["5"]}}, task=task)
    text = "session,labels\n1,x 0706016001\n2,05 a.b\n"
    assert score(tmp_path, text, truth, task).splits["all"].hits[""] == 1


def test_missing_rows_score_zero_where_the_task_says_so(tmp_path: Path) -> None:
    labels: Labels = {s: {"clicks": s, "carts": [s], "orders": [s]} for s in (1, 2)}
    truth = truth_of(tmp_path, labels, task=ZERO)
    scored = score(tmp_path, submission({"1_clicks": [1], "2_orders": ""}), truth, ZERO)
    assert scored.counts == {"rows": 2, "missing": 4, "empty": 1}
    assert scored.splits["all"].score(ZERO) == Fraction(1, 20)


def test_a_header_alone_scores_zero_where_rows_may_be_missing(tmp_path: Path) -> None:
    truth = truth_of(tmp_path, {1: {"clicks": 1, "carts": [1], "orders": [1]}}, task=ZERO)
    scored = score(tmp_path, "session_type,labels\n", truth, ZERO)
    assert scored.counts == {"rows": 0, "missing": 3, "empty": 0}
    assert scored.splits["all"].score(ZERO) == 0


def test_missing_rows_are_refused_by_default(tmp_path: Path) -> None:
    truth = truth_of(tmp_path, {1: {"clicks": 1, "carts": [1], "orders": [1]}})
    with pytest.raises(FileRejected) as rejected:
        score(tmp_path, submission({"1_clicks": [1], "1_carts": [1]}), truth)
    assert rejected.value.rejection.problems[0].code is Code.MISSING_IDS


def test_a_rejection_names_lines_though_the_fast_path_does_not(tmp_path: Path) -> None:
    truth = truth_of(tmp_path, {1: {"clicks": 1, "carts": [1], "orders": [1]}})
    rows = {"1_clicks": "1", "1_carts": "1 x", "1_orders": "1"}
    with pytest.raises(FileRejected) as rejected:
        score(tmp_path, submission(rows), truth)
    assert [(p.line, p.code) for p in rejected.value.rejection.problems] == [(3, Code.BAD_LABEL)]


def test_a_parquet_file_is_rejected_by_row(tmp_path: Path) -> None:
    truth, published = truth_of(tmp_path, {1: {"clicks": 1, "carts": [1], "orders": [1]}})
    path = tmp_path / "submission.parquet"
    ids = ["1_clicks", "1_carts", "1_orders"]
    pl.DataFrame({"session_type": ids, "labels": ["1", "1 x", "1"]}).write_parquet(path)
    with pytest.raises(FileRejected) as rejected:
        judge(path, task=OTTO, published=published, truth=truth, scratch=tmp_path)
    assert [(p.line, p.row) for p in rejected.value.rejection.problems] == [(None, 1)]


def test_splits_are_scored_apart_from_one_reading(tmp_path: Path) -> None:
    labels: Labels = {s: {"clicks": s, "carts": [s], "orders": [s]} for s in range(40)}
    truth, published = truth_of(tmp_path, labels, split=HALVES)
    rows = {f"{s}_{name}": [s] for s in range(40) for name in OTTO.names}
    scored = score(tmp_path, submission(rows), (truth, published))
    clicks = {name: split.hits["clicks"] for name, split in scored.splits.items()}
    assert set(clicks) == {"public", "private"}
    assert sum(clicks.values()) == 40
    assert 5 < clicks["public"] < 35
    assert all(split.score(OTTO) == 1 for split in scored.splits.values())


def test_the_hits_are_stored_in_canonical_order(tmp_path: Path) -> None:
    truth, published = truth_of(tmp_path, {1: {"": [5, 6]}, 2: {"": [7]}}, task=SINGLE)
    path, hits = tmp_path / "s.csv", tmp_path / "hits.parquet"
    path.write_text("session,labels\n2,1 7\n1,6 9 5\n")
    judge(path, task=SINGLE, published=published, truth=truth, scratch=tmp_path, hits_to=hits)
    assert pl.read_parquet(hits).rows() == [(0, 5, 3), (0, 6, 1), (1, 7, 2)]


def test_hits_can_be_had_without_a_score(tmp_path: Path) -> None:
    truth, published = truth_of(tmp_path, {1: {"": [5, 6]}, 2: {"": [7]}}, task=SINGLE)
    path = tmp_path / "s.csv"
    path.write_text("session,labels\n2,1 7\n1,6 9 5\n")
    assert hits_of(path, truth, published=published, scratch=tmp_path).ranks.to_list() == [3, 1, 2]
    path.write_text("session,labels\n2,1 7\n")
    with pytest.raises(FileRejected):
        hits_of(path, truth, published=published, scratch=tmp_path)


def test_validation_counts_the_same_without_a_ground_truth(tmp_path: Path) -> None:
    _, published = truth_of(tmp_path, {1: {"": [5, 6]}, 2: {"": [7]}}, task=SINGLE)
    path = tmp_path / "s.csv"
    path.write_text("session,labels\n2,\n1,6 9 5\n")
    counts = validate(path, task=SINGLE, published=published, scratch=tmp_path)
    assert counts == {"rows": 2, "missing": 0, "empty": 1}


def test_the_perfect_submission_reaches_one_and_the_sample_zero(tmp_path: Path) -> None:
    labels: Labels = {
        9: {"clicks": 3, "carts": list(range(30))},
        4: {"orders": [1, 2]},
        5: {},
    }
    truth, published = truth_of(tmp_path, labels)
    perfect = b"".join(perfect_submission(truth, published, OTTO))
    sample = b"".join(sample_submission(published, OTTO))
    assert sample.splitlines()[:3] == [b"session_type,labels", b"9_clicks,", b"9_carts,"]
    assert score(tmp_path, perfect, (truth, published)).splits["all"].score(OTTO) == 1
    assert score(tmp_path, sample, (truth, published)).splits["all"].score(OTTO) == 0


def test_a_verdict_survives_json_exactly(tmp_path: Path) -> None:
    truth = truth_of(tmp_path, {1: {"clicks": 1, "carts": [1], "orders": [1, 2, 3]}})
    rows = {"1_clicks": "", "1_carts": "1", "1_orders": "2 5"}
    scored = score(tmp_path, submission(rows), truth)
    again = ScoreResult.from_dict(json.loads(json.dumps(scored.to_dict())))
    assert again == scored
    assert again.splits["all"].score(OTTO) == Fraction(1, 2)


MANY: Labels = {
    s: {"clicks": s % 7, "carts": [s % 5, 50], "orders": [s % 3, s + 3]} for s in range(60)
}


def many_rows() -> list[str]:
    return [f"{s}_{name},{s % 7} {s % 4} {s} {s % 3}" for s in range(60) for name in OTTO.names]


def manner(text: str, name: str) -> bytes:
    """The same submission, written or packed in another way."""
    raw = text.encode()
    rows = text.splitlines()
    return {
        "plain": raw,
        "reversed": "\n".join([rows[0], *rows[:0:-1]]).encode(),
        "by objective": "\n".join([rows[0], *rows[1::3], *rows[2::3], *rows[3::3]]).encode(),
        "crlf": raw.replace(b"\n", b"\r\n"),
        "bom": b"\xef\xbb\xbf" + raw,
        "blank lines": raw + b"\n\n",
        "quoted": "\n".join('"' + row.replace(",", '","') + '"' for row in rows).encode(),
        "columns swapped": "\n".join(",".join(row.split(",")[::-1]) for row in rows).encode(),
        "spaces": raw.replace(b" ", b"   "),
        "zeros": raw.replace(b",", b",00").replace(b"type,00labels", b"type,labels"),
        "gzip": gzip.compress(raw),
        "zstd": zstd.compress(raw),
    }[name]


@pytest.mark.parametrize(
    "name",
    [
        "reversed", "by objective", "crlf", "bom", "blank lines", "quoted", "columns swapped",
        "spaces", "zeros", "gzip", "zstd",
    ],
)  # fmt: skip
def test_the_manner_of_writing_never_changes_a_result(tmp_path: Path, name: str) -> None:
    text = "\n".join(["session_type,labels", *many_rows()]) + "\n"
    truth = truth_of(tmp_path, MANY, split=HALVES)
    expected = score(tmp_path, text, truth)
    assert expected.splits["public"].hits["orders"] > 0
    assert score(tmp_path, manner(text, name), truth) == expected


@pytest.mark.parametrize("size", [200, 1000, 4096])
def test_the_size_of_blocks_never_changes_a_result(
    tmp_path: Path, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "\n".join(["session_type,labels", *many_rows()]) + "\n"
    truth = truth_of(tmp_path, MANY, split=HALVES)
    expected = score(tmp_path, text, truth)
    monkeypatch.setattr("podium.scoring.lists.compiled.BLOCK_BYTES", size)
    assert score(tmp_path, text, truth) == expected


def test_a_file_cut_after_good_rows_is_refused_though_rows_may_be_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("podium.scoring.lists.compiled.BLOCK_BYTES", 1000)
    text = "\n".join(["session_type,labels", *many_rows()]) + "\n"
    with pytest.raises(FileRejected) as rejected:
        score(
            tmp_path, gzip.compress(text.encode())[:-5], truth_of(tmp_path, MANY, task=ZERO), ZERO
        )
    assert [p.code for p in rejected.value.rejection.problems] == [Code.ARCHIVE_TRUNCATED]


def test_progress_ends_at_one(tmp_path: Path) -> None:
    truth, published = truth_of(tmp_path, {1: {"": [5]}, 2: {"": [7]}}, task=SINGLE)
    path, seen = tmp_path / "s.csv", list[float]()
    path.write_text("session,labels\n2,\n1,5\n")
    judge(
        path, task=SINGLE, published=published, truth=truth, scratch=tmp_path, progress=seen.append
    )
    assert seen[-1] == 1.0
