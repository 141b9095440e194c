"""The reader of usual spellings says what the collecting reader says, or nothing."""

from __future__ import annotations

import gzip
import random
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Literal

import polars as pl
import pytest

from podium.scoring.published import PublishedIds, id_type
from podium.scoring.splits import SplitRule
from podium.scoring.task import OTTO, Task
from podium.scoring.truth.reading import read_ground_truth
from podium.scoring.truth.well_formed import read_well_formed
from tests.builders.scoring.competitions import WHOLE
from tests.builders.scoring.label_files import (
    GRADED_KINDS,
    KINDS,
    TASKS,
    TEXT_TASKS,
    label_file,
    sessions_of,
    spliced,
)
from tests.builders.scoring.label_readers import agree, both
from tests.builders.scoring.mutations import mutated

WAYS = [
    *product(KINDS, (*TASKS, *TEXT_TASKS)),
    *(
        (kind, task)
        for kind, task in product(GRADED_KINDS, (*TASKS, *TEXT_TASKS))
        if kind != "qrels" or task.names == ("",)
    ),
]
BY_USAGE = SplitRule("usage")
BLOCK = "podium.scoring.truth.compiled.BLOCK_BYTES"


@pytest.mark.parametrize("kind", [*KINDS, *GRADED_KINDS])
@pytest.mark.parametrize("block_bytes", [150, 1 << 20])
def test_what_the_compiled_reader_takes_is_what_the_lines_say(
    tmp_path: Path, kind: str, block_bytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BLOCK, block_bytes)
    path = tmp_path / "truth"
    answers = []
    for number in range(700):
        rng = random.Random(f"{kind}/{block_bytes}/{number}")
        task = rng.choice([task for each, task in WAYS if each == kind])
        text = label_file(rng, task, kind)
        for _ in range(rng.choice((1, 1, 2))):
            text = spliced(rng, text)
        data = text.encode()
        path.write_bytes(mutated(rng, data) if rng.random() < 0.2 else data)
        published = some_published(rng, task) if rng.random() < 0.2 else None
        split = BY_USAGE if rng.random() < 0.2 else WHOLE
        answers.append(agree(path, task, published, split))
    # Both outcomes are frequent, or the comparison would say little.
    assert answers.count(True) > 60
    assert answers.count(None) > 100


def some_published(rng: random.Random, task: Task, count: int = 4) -> PublishedIds:
    sessions = rng.sample(sessions_of(task), count)
    return PublishedIds(pl.Series(sessions, dtype=id_type(task.query_ids)), task.names)


@pytest.mark.parametrize(("kind", "task"), WAYS)
def test_usual_spellings_are_taken(tmp_path: Path, kind: str, task: Task) -> None:
    path = tmp_path / "truth"
    every = some_published(random.Random(0), task, len(sessions_of(task)))
    with_usage = 0
    for number in range(40):
        path.write_text(label_file(random.Random(f"{kind}/{number}"), task, kind), newline="")
        assert agree(path, task), path.read_bytes()
        assert agree(path, task, every), path.read_bytes()
        with_usage += agree(path, task, every, BY_USAGE) is True
    assert (with_usage > 0) == (kind not in ("jsonl", "qrels"))


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_that_is_cut_anywhere_is_read_alike(tmp_path: Path, kind: str) -> None:
    path, answers = tmp_path / "truth", set()
    for number in range(4):
        whole = label_file(random.Random(f"{kind}/{number}"), OTTO, kind).encode()
        for end in range(len(whole)):
            path.write_bytes(whole[:end])
            answers.add(agree(path, OTTO))
    assert answers >= {True, None}


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ('{"session": 7, "labels": {}}\n{"session": 8, "labels": {}}\n{"session": 7, "labels": {}}',
         "a session has one line"),
        ('{"session": 7, "labels": {}}\n{"session": 7, "labels": {}}', "also without one between"),
        ("session_type,labels\n7_clicks,1\n8_clicks,1\n7_clicks,", "an id has one row"),
        ("session_type,labels\n7_clicks,1\n7_clicks,2", "also without one between"),
        ("session_type,labels\n7_clicks,1 2 1", "an item is there once"),
        ("session,type,aid\n7,clicks,1\n8,clicks,1\n7,clicks,1", "also in the long form"),
        ('{"session": 7, "labels": {"clicks": [2, 1, 2]}}', "and in JSON"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("listed", [None, [8, 7], [3, 7, 5, 8]])
def test_what_is_there_twice_is_doubted(
    tmp_path: Path, lines: str, why: str, listed: list[int] | None
) -> None:
    path = tmp_path / "truth"
    path.write_text(lines)
    published = listed and PublishedIds(pl.Series(listed, dtype=pl.Int32), OTTO.names)
    assert both(path, OTTO, published or None) == (None, None), why


@pytest.mark.parametrize("kind", KINDS)
def test_a_session_that_is_not_published_is_doubted(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "truth"
    for number in range(20):
        path.write_text(label_file(random.Random(f"{kind}/{number}"), OTTO, kind))
        labels = read_well_formed(path, task=OTTO, published=None)
        assert labels is not None
        listed = labels.published.sessions.tail(-1)
        for others in (listed, pl.concat([listed, pl.Series([1 << 30], dtype=pl.Int32)])):
            published = PublishedIds(others, OTTO.names)
            assert both(path, OTTO, published) == (None, None)


def test_a_line_that_is_longer_than_a_block_is_doubted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BLOCK, 4096)
    path = tmp_path / "truth"
    for count, taken in ((500, True), (4000, False)):
        items = ",".join(map(str, range(count)))
        line = f'{{"session": 7, "labels": {{"clicks": [{items}]}}}}\n'
        path.write_text('{"session": 9, "labels": {}}\n' + line)
        assert agree(path, OTTO) is taken


def test_without_the_compiled_reader_the_collecting_one_reads_every_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "truth"
    path.write_text('{"session": 7, "labels": {"clicks": 1, "carts": [2, 1], "orders": 3}}\n')
    compiled, published = read_ground_truth(path, task=OTTO, published=None, split=WHOLE)
    monkeypatch.setattr("podium.scoring.truth.well_formed.kernel", lambda: None)
    assert read_well_formed(path, task=OTTO, published=None) is None
    collected, same = read_ground_truth(path, task=OTTO, published=None, split=WHOLE)
    assert collected.frame.equals(compiled.frame)
    assert same.sessions.equals(published.sessions)


def test_a_file_of_several_blocks_keeps_its_order(tmp_path: Path) -> None:
    path = tmp_path / "truth"
    sessions = range(400_000, 0, -1)
    rows = "".join(f"{session},clicks,{session % 97}\n" for session in sessions)
    path.write_bytes(gzip.compress(f"session,type,aid\n{rows * 2}0,carts,\n".encode(), 1))
    assert read_well_formed(path, task=OTTO, published=None) is None  # every label is there twice
    path.write_bytes(gzip.compress(f"session,type,aid\n{rows}0,carts,\n".encode(), 1))
    labels = read_well_formed(path, task=OTTO, published=None)
    assert labels is not None
    assert labels.published.sessions.equals(pl.Series([*sessions, 0], dtype=pl.Int32))
    assert labels.frame["query"].equals(pl.Series(range(0, 1_200_000, 3), dtype=pl.UInt32))
    assert labels.frame["item"].to_list() == [session % 97 for session in sessions]


@pytest.mark.parametrize("duplicates", ["refuse", "drop"])
def test_many_texts_in_any_order_are_read_alike(
    tmp_path: Path, duplicates: Literal["refuse", "drop"], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BLOCK, 1 << 14)
    path, rng = tmp_path / "truth", random.Random(duplicates)
    task = replace(TEXT_TASKS[1], duplicates=duplicates)
    items = [f"{number:x}".rjust(rng.randint(1, 64), "x") for number in range(3000)]
    rows = {
        (f"u{rng.choice((0, 0, rng.randint(1, 4000)))}", rng.choice(items)) for _ in range(9000)
    }
    lines = [f"{user},{item},{rng.choice((0, 1, 2.5))}\n" for user, item in sorted(rows)]
    if duplicates == "drop":
        lines += [f"{user},{item},3\n" for user, item in rng.sample(sorted(rows), 500)]
    rng.shuffle(lines)
    path.write_text("user,item,relevance\n" + "".join(lines))
    assert agree(path, task)
    labels = read_well_formed(path, task=task, published=None)
    assert labels is not None
    assert labels.repeated == (500 if duplicates == "drop" else 0)
    listed = labels.published.sessions.shuffle(seed=1)
    assert agree(path, task, PublishedIds(listed, task.names))
