"""Submissions of candidates in their order: the same numbers as scores, and every fault by line."""

from __future__ import annotations

import gzip
import lzma
import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from podium.scoring.engine import validate
from podium.scoring.pairs.reading import read_numbers
from podium.scoring.pairs.truth import TruePairs
from podium.scoring.problems import Problem
from podium.scoring.rows.keys import PublishedRows
from podium.scoring.task import Task
from tests.builders.reranking.candidates import (
    EVERYTHING,
    order_text,
    orders_of,
    some_candidates,
    task_by,
    text_of,
)
from tests.builders.scoring.pairs import found, pairs_of, refusal, score, truth_of

PAIRS = ((1, 5), (1, 6), (1, 7), (2, 5), (2, 8), (30, 9))
PUBLISHED = pairs_of(*PAIRS)
GOOD = "impression,items\n1,7 5 6\n2,5 8\n30,9\n"


def read(
    folder: Path, text: str | bytes, task: Task = EVERYTHING, published: PublishedRows = PUBLISHED
) -> list[float]:
    """The numbers in a text."""
    path = folder / "orders.csv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    (numbers,) = read_numbers(path, task=task, published=published, probabilities=False)
    return list(numbers)


def problems(folder: Path, text: str) -> tuple[Problem, ...]:
    """All that is wrong with a text."""
    return refusal(lambda: read(folder, text)).problems


def test_an_order_becomes_negative_places(tmp_path: Path) -> None:
    assert read(tmp_path, GOOD) == [-2, -3, -1, -1, -2, -1]
    path = tmp_path / "orders.csv"
    counts = validate(path, task=EVERYTHING, published=PUBLISHED, scratch=tmp_path)
    assert counts == {"rows": 6, "missing": 0, "empty": 0}


@pytest.mark.parametrize(
    "changed",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\ufeff" + text,
        lambda text: text + "\n\n",
        lambda text: text.removesuffix("\n"),
        lambda text: 'impression,items\n"1","7 5 6"\n"30","9"\n"2","5 8"\n',
        lambda text: "items,impression\n9,30\n7  5 006,1\n 5 8 ,2\n",
        lambda text: gzip.compress(text.encode()),
    ],
)
def test_other_spellings_mean_the_same(tmp_path: Path, changed: Callable[[str], Any]) -> None:
    assert read(tmp_path, changed(GOOD)) == read(tmp_path, GOOD)


def sample(dice: random.Random, *, texts: bool) -> tuple[Task, dict[Any, int]]:
    kind = "string" if texts else "integer"
    targets: Mapping[tuple[int, int], int] = some_candidates(dice, 60)
    if not texts:
        return task_by("mrr", "ndcg@10", "gauc"), dict(targets)
    named = {(f"q-{query}", f"N{item}"): target for (query, item), target in targets.items()}
    return task_by("mrr", "ndcg@10", "gauc", query_ids=kind, item_ids=kind), dict(named)


@pytest.mark.parametrize("texts", [False, True])
def test_an_order_scores_as_the_numbers_that_give_it(tmp_path: Path, texts: bool) -> None:
    dice = random.Random(8)
    task, targets = sample(dice, texts=texts)
    truth: tuple[TruePairs, PublishedRows] = truth_of(tmp_path, text_of(targets), task=task)
    sent = {pair: dice.random() for pair in targets}
    by_numbers = score(tmp_path, text_of(sent), truth, task)
    orders = list(orders_of(sent).items())
    assert score(tmp_path, order_text(dict(orders)), truth, task) == by_numbers
    dice.shuffle(orders)
    assert score(tmp_path, order_text(dict(orders)), truth, task) == by_numbers
    columns: list[list[Any]] = [[" ".join(map(str, items)) for _, items in orders]]
    if not texts:
        columns.append([items for _, items in orders])
    for column in columns:
        frame = pl.DataFrame({"impression": [query for query, _ in orders], "items": column})
        frame.write_parquet(tmp_path / "orders.parquet")
        data = (tmp_path / "orders.parquet").read_bytes()
        assert score(tmp_path, data, truth, task) == by_numbers


def test_the_uncompiled_reader_finds_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dice = random.Random(2)
    for texts in (False, True):
        task, targets = sample(dice, texts=texts)
        published = truth_of(tmp_path, text_of(targets), task=task)[1]
        text = order_text(orders_of({pair: dice.random() for pair in targets}))
        compiled = read(tmp_path, text, task, published)
        with monkeypatch.context() as without:
            without.setattr("podium.scoring.lists.reading.kernel", lambda: None)
            assert read(tmp_path, text, task, published) == compiled


@pytest.mark.parametrize(
    ("rows", "expected", "words"),
    [
        ("1,7 5 6 9\n2,5 8\n30,9\n", [("unknown-id", 2)], "9 is not a candidate of 1"),
        ("1,7 5\n2,5 8\n30,9\n", [("missing-ids", 2)], "1 lacks 1 of its 3 candidates: 6"),
        ("1,7 5 6 5\n2,5 8\n30,9\n", [("duplicate-id", 2)], "5 occurs twice"),
        ("1,7 5 5\n2,5 8\n30,9\n", [("duplicate-id", 2), ("missing-ids", 2)], "5 occurs twice"),
        ("1,7 5 6\n2,\n30,9\n", [("missing-ids", 3)], "2 lacks 2 of its 2 candidates: 5, 8"),
        ("1,7 5 6\n30,9\n", [("missing-ids", None)], "1 of 3 ids are missing: 2"),
        ("1,7 5 6\n2,5 8\n30,9\n4,9\n", [("unknown-id", 5)], "4 is not among"),
        ("1,7 5 6\n2,5 8\n30,9\n2,5 8\n", [("duplicate-id", 5)], "on line 3 and on line 5"),
        ("1,7 x 6\n2,5 8\n30,9\n", [("bad-label", 2)], "“x” is not an item id"),
        ("1,7 5 6\n02,5 8\n30,9\n", [("bad-id", 3), ("missing-ids", None)], "is not an id"),
        ("1,7 5 6\n\n2,5 8\n30,9\n", [("blank-line", 3)], "the line is blank"),
        ("1,7,5,6\n2,5 8\n30,9\n", [("row-shape", 2), ("missing-ids", None)], "has 4 fields"),
        ("1,7 5 9\n2,8\n30,9\n", [("unknown-id", 2), ("missing-ids", 2), ("missing-ids", 3)], "9"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(
    tmp_path: Path, rows: str, expected: list[tuple[str, int | None]], words: str
) -> None:
    seen = problems(tmp_path, "impression,items\n" + rows)
    assert [(str(each.code), each.line) for each in seen] == expected
    assert words in seen[0].detail
    assert all(each.hint for each in seen)


def test_candidates_of_scores_are_named_with_their_line(tmp_path: Path) -> None:
    rows = "1,5,1\n1,6,1\n1,9,1\n1,5,2\n2,5,x\n2,8,1\n"
    refused = refusal(lambda: read(tmp_path, "impression,item,score\n" + rows))
    expected = [("unknown-id", 4), ("duplicate-id", 5), ("bad-label", 6), ("missing-ids", None)]
    assert found(refused) == expected


def test_every_single_fault_is_found(tmp_path: Path) -> None:
    dice = random.Random(1)
    good = {1: ["7", "5", "6"], 2: ["5", "8"], 30: ["9"]}
    for _ in range(300):
        orders = {query: list(items) for query, items in good.items()}
        for items in orders.values():
            dice.shuffle(items)
        items = orders[dice.choice(list(orders))]
        if dice.random() < 0.5:
            items[dice.randrange(len(items))] = dice.choice(["4", "9", "5", "", "99999999999"])
        else:
            items.insert(dice.randrange(len(items) + 1), dice.choice(["4", "9", "5", "1"]))
        is_good = all(sorted(filter(None, orders[query])) == sorted(good[query]) for query in good)
        if is_good:
            read(tmp_path, order_text(orders))
        else:
            assert problems(tmp_path, order_text(orders))


def test_a_row_of_parquet_is_named(tmp_path: Path) -> None:
    frame = pl.DataFrame({"impression": [1, 2, 30], "items": [[7, 5, 6], [5, 7], [9]]})
    frame.write_parquet(tmp_path / "orders.parquet")
    data = (tmp_path / "orders.parquet").read_bytes()
    assert found(refusal(lambda: read(tmp_path, data))) == [("unknown-id", 1), ("missing-ids", 1)]


def test_another_header_is_told_both_forms(tmp_path: Path) -> None:
    (problem,) = problems(tmp_path, "impression,order\n1,7 5 6\n")
    assert "“impression,item,score” or “impression,items”" in problem.detail


def test_there_is_no_order_where_items_occur_in_contexts(tmp_path: Path) -> None:
    task = task_by("mrr", context_column="slot")
    frame = PUBLISHED.frame.with_columns(context=pl.lit(1, dtype=pl.Int32))
    refused = refusal(lambda: read(tmp_path, GOOD, task, PublishedRows(frame)))
    assert found(refused) == [("header-mismatch", 1)]


def test_candidates_that_fit_on_no_line_are_sent_with_scores(tmp_path: Path) -> None:
    many = pairs_of(*((1, item) for item in range(12_000)))
    text = order_text({1: list(range(12_000))})
    refused = refusal(lambda: read(tmp_path, text, EVERYTHING, many))
    assert found(refused) == [("header-mismatch", 1)]
    assert refused.problems[0].detail == "a query has more candidates than fit on a line"
    some = pairs_of(*((1, item) for item in range(11_000)))
    text = order_text({1: list(range(11_000))})
    assert read(tmp_path, text, EVERYTHING, some) == [-1.0 - item for item in range(11_000)]


@pytest.mark.parametrize(
    "content",
    [
        GOOD.encode("utf-16"),
        lzma.compress(GOOD.encode()),
        lzma.compress(b'{"1": [7, 5, 6], "2": [5, 8], "30": [9]}'),
        '[{"impression": 1, "items": [7, 5, 6]}, {"impression": 2, "items": "5 8"},'
        ' {"impression": 30, "items": [9]}]'.encode("utf-16"),
    ],
    ids=["UTF-16", "xz", "JSON in xz", "JSON in UTF-16"],
)
def test_an_order_in_another_form_is_opened_as_other_files_are(
    content: bytes, tmp_path: Path
) -> None:
    task = replace(EVERYTHING, forms=("utf-16", "containers", "json", "candidate-ranks"))
    assert read(tmp_path, content, task) == [-2, -3, -1, -1, -2, -1]
