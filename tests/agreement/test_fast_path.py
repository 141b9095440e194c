"""The fast path against the obvious reader: what it accepts, it accepts rightly."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import polars as pl
import pytest

from podium.scoring.lists.fast import NotPlain, Rows
from podium.scoring.lists.frames import RowsRead, read_rows
from podium.scoring.lists.lines import normalise
from podium.scoring.problems import FileRejected
from podium.scoring.published import PublishedIds
from podium.scoring.task import OTTO, Objective
from tests.builders.scoring import obvious_reader
from tests.builders.scoring.mutations import Case, cases
from tests.builders.scoring.submissions import blocks

SEEDS = 50
FILES_PER_SEED = 200

Answers = dict[int, list[Any]]


def answers_of(read: RowsRead[Rows], *, text_items: bool) -> Answers:
    """Query numbers and items as they stand in the tidy labels."""
    answers: Answers = {}
    for rows in read.parts:
        for query, labels in zip(rows.query.to_list(), rows.labels.to_list(), strict=True):
            items = labels.split(" ") if labels else []
            assert query not in answers
            if not text_items:
                assert [str(int(item)) for item in items] == items
            answers[query] = items if text_items else [int(item) for item in items]
    return answers


def fast_verdict(case: Case, block_bytes: int) -> tuple[Any, ...] | None:
    """The fast path's answer about a file; None where it falls back."""
    try:
        read = read_rows(
            blocks(case.text, block_bytes),
            task=case.task,
            published=case.published,
            on_rows=lambda rows: rows,
            threads=1,
        )
    except NotPlain:
        return None
    counts = {"rows": read.rows, "missing": read.missing, "empty": read.empty}
    return ("accepted", answers_of(read, text_items=case.task.item_ids == "string"), counts)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_what_the_fast_path_accepts_the_obvious_reader_reads_in_the_same_way(seed: int) -> None:
    good = sure = 0
    for case in cases(2_000_000 + seed, FILES_PER_SEED):
        verdict = fast_verdict(case, 1 << 20)
        obvious = obvious_reader.read(case.text, task=case.task, sessions=case.sessions)
        assert verdict in (None, obvious), (case.seed, case.text)
        good += obvious[0] == "accepted"
        sure += verdict is not None
    # A path that always falls back would be right and useless.
    assert sure > good / 3


@pytest.mark.parametrize("seed", range(2))
def test_the_strict_readers_canonical_text_is_never_doubted(seed: int) -> None:
    accepted = 0
    for case in cases(3_000_000 + seed, 500, damaged=0.3):
        sink = io.BytesIO()
        try:
            counts = normalise(
                blocks(case.text, 1 << 20), task=case.task, published=case.published, sink=sink
            )
        except FileRejected:
            continue
        accepted += 1
        canonical = dataclasses.replace(case, text=sink.getvalue())
        verdict = fast_verdict(canonical, 64)
        obvious = obvious_reader.read(case.text, task=case.task, sessions=case.sessions)
        assert verdict == obvious, (case.seed, case.text)
        assert obvious[2] == dataclasses.asdict(counts)
    assert accepted > 250


def test_an_objective_whose_name_begins_like_another_is_not_taken_for_it() -> None:
    names = ("b", "b-b", "b2")
    task = dataclasses.replace(OTTO, objectives=tuple(Objective(n, Decimal(1)) for n in names))
    rows = [f"{session}_{name},{session}" for session in (3, 4) for name in names]
    case = Case("names", "\n".join(["session_type,labels", *rows]).encode(), task, [3, 4])
    answers = {0: [3], 1: [3], 2: [3], 3: [4], 4: [4], 5: [4]}
    counts = {"rows": 6, "missing": 0, "empty": 0}
    assert fast_verdict(case, 1 << 20) == ("accepted", answers, counts)


@pytest.mark.parametrize("name", ["a_b", "a,b", 'a"b', "ä", "a b", "a\n"])
def test_names_that_would_make_ids_ambiguous_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="cannot be the name"):
        dataclasses.replace(OTTO, objectives=(Objective(name, Decimal(1)),))


def test_more_objectives_than_a_byte_can_number_are_refused() -> None:
    names = [f"o{number}" for number in range(101)]
    with pytest.raises(ValueError, match="1 to 100 objectives"):
        dataclasses.replace(OTTO, objectives=tuple(Objective(n, Decimal(1)) for n in names))


def test_the_last_of_a_hundred_objectives_is_read() -> None:
    names = [f"o{number}" for number in range(100)]
    task = dataclasses.replace(OTTO, objectives=tuple(Objective(n, Decimal(1)) for n in names))
    text = "".join(f"7_{name},{number}\n" for number, name in enumerate(names))
    case = Case("many", f"session_type,labels\n{text}".encode(), task, [7])
    answers = {number: [number] for number in range(100)}
    counts = {"rows": 100, "missing": 0, "empty": 0}
    assert fast_verdict(case, 1 << 20) == ("accepted", answers, counts)


@pytest.mark.parametrize("item_ids", ["integer", "string"])
@pytest.mark.parametrize("session", ["1e3", "+1000", " 1000", "1000 ", "01000", "1000.0", "0x3e8"])
def test_a_session_in_another_spelling_is_doubted(session: str, item_ids: Any) -> None:
    task = dataclasses.replace(OTTO, item_ids=item_ids, missing_rows="zero")
    text = f"session_type,labels\n{session}_clicks,5\n".encode()
    assert fast_verdict(Case("spelling", text, task, [1000]), 1 << 20) is None


@pytest.mark.parametrize("missing_rows", ["reject", "zero"])
def test_reading_stops_soon_after_more_rows_than_there_are_ids(missing_rows: Any) -> None:
    published = PublishedIds(pl.Series([1], dtype=pl.Int32), OTTO.names)
    taken = 0

    def endless() -> Iterator[bytes]:
        nonlocal taken
        yield b"session_type,labels\n"
        while taken < 100:
            taken += 1
            yield b"1_clicks,5\n"

    task = dataclasses.replace(OTTO, missing_rows=missing_rows)
    with pytest.raises(NotPlain):
        read_rows(endless(), task=task, published=published, on_rows=lambda rows: None)
    assert taken < 20
