"""Ranks of candidates, as MIND has them, are the numbers that order the candidates so."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from podium.scoring.pairs import candidate_ranks
from podium.scoring.pairs.reading import read_numbers
from podium.scoring.problems import FileRejected
from podium.scoring.rows.keys import PublishedRows
from podium.scoring.task import Objective, Task
from tests.builders.scoring.mutations import mutated

TASK = Task(
    objectives=(Objective("", Decimal(1), "mrr"),),
    kind="rerank",
    id_column="impression",
    labels_column="score",
    forms=("candidate-ranks",),
)

Given = tuple[Task, PublishedRows, bytes, dict[tuple[Any, Any], int]]


def files(seed: int, count: int) -> Iterator[Given]:
    """Tasks with their published pairs, a file of ranks, and the rank of each pair."""
    for number in range(count):
        rng = random.Random(f"ranks/{seed}/{number}")
        is_text = rng.random() < 0.5
        task = replace(TASK, query_ids="string" if is_text else "integer")
        queries: list[Any] = rng.sample(["q-7", "007", "b", "A_1"] if is_text else range(99), 3)
        pairs = [(query, item) for query in queries for item in range(rng.choice((1, 2, 5, 30)))]
        if rng.random() < 0.4:
            rng.shuffle(pairs)
        kind = pl.String if is_text else pl.Int32
        frame = pl.DataFrame(pairs, schema={"key0": kind, "key1": pl.Int32}, orient="row")
        ranks: dict[tuple[Any, Any], int] = {}
        lines = []
        for query in rng.sample(queries, len(queries)):
            own = [pair for pair in pairs if pair[0] == query]
            drawn = rng.sample(range(1, len(own) + 1), len(own))
            ranks |= dict(zip(own, drawn, strict=True))
            gap, comma = rng.choice((" ", "\t", "  ")), rng.choice((",", ", "))
            lines.append(f"{query}{gap}[{comma.join(map(str, drawn))}]")
        end = rng.choice(("\n", "\r\n"))
        text = end.join(lines) + rng.choice(("", end, end * 3))
        mark = "\ufeff" if rng.random() < 0.1 else ""
        yield task, PublishedRows(frame), (mark + text).encode(), ranks


def read(task: Task, published: PublishedRows, text: bytes, folder: Path) -> Any:
    """The numbers of a file, or its rejection."""
    file = folder / "prediction.txt"
    file.write_bytes(text)
    try:
        (found,) = read_numbers(file, task=task, published=published, probabilities=False)
    except FileRejected as rejected:
        return rejected.rejection
    return found.to_list()


def test_ranks_are_numbers_in_the_opposite_order(tmp_path: Path) -> None:
    for task, published, text, ranks in files(1, 300):
        expected = [-float(ranks[pair]) for pair in published.frame.iter_rows()]
        assert read(task, published, text, tmp_path) == expected, text
        rows = "".join(f"{query},{item},{-rank}\n" for (query, item), rank in ranks.items())
        same = f"impression,item,score\n{rows}".encode()
        assert read(replace(task, forms=()), published, same, tmp_path) == expected


def test_blocks_and_lines_have_the_same_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = 0
    rng = random.Random("ranks")
    for task, published, text, _ in files(2, 500):
        damaged = mutated(rng, text)
        found = read(task, published, damaged, tmp_path)
        with monkeypatch.context() as by_line:
            by_line.setattr(candidate_ranks._RankReader, "_read_columns", lambda *_: False)
            assert read(task, published, damaged, tmp_path) == found, damaged
        refused += not isinstance(found, list)
    assert refused > 200


def test_a_blank_line_at_the_end_costs_no_reading_of_each_line_alone(tmp_path: Path) -> None:
    """Lines that are read one by one are entered together: 20,000 are no work of minutes."""
    count = 20_000
    frame = pl.DataFrame({"key0": range(count), "key1": [7] * count}).cast(pl.Int32)
    text = b"".join(b"%d [1]\n" % query for query in range(count)) + b"\n"
    assert read(TASK, PublishedRows(frame), text, tmp_path) == [-1.0] * count


def test_each_problem_names_its_line(tmp_path: Path) -> None:
    frame = pl.DataFrame({"key0": [1, 1, 2, 2, 3], "key1": [7, 8, 7, 9, 7]}).cast(pl.Int32)
    text = b"1 [1,2]\n2 [1,1]\n2 [2,1]\n4 [1]\nx [1]\n\n3 [2]\n5\n"
    found = read(TASK, PublishedRows(frame), text, tmp_path)
    assert [(each.line, str(each.code)) for each in found.problems] == [
        (2, "bad-label"),
        (3, "duplicate-id"),
        (4, "unknown-id"),
        (5, "bad-id"),
        (6, "blank-line"),
        (7, "bad-label"),
        (8, "row-shape"),
    ]
    assert found.problems[0].detail == "“1,1” are not the ranks 1 to 2 of its 2 candidates"
    short = read(TASK, PublishedRows(frame), b"1 [1,2]\n3 [1]\n", tmp_path)
    assert [(each.line, str(each.code)) for each in short.problems] == [(None, "missing-ids")]


def test_a_task_that_does_not_name_the_form_refuses_it(tmp_path: Path) -> None:
    frame = pl.DataFrame({"key0": [1], "key1": [7]}).cast(pl.Int32)
    found = read(replace(TASK, forms=()), PublishedRows(frame), b"1 [1]\n", tmp_path)
    assert [str(each.code) for each in found.problems] == ["header-mismatch"]
