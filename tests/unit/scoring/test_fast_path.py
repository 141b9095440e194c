"""The fast path against the obvious reader: what it accepts, it accepts rightly."""

from __future__ import annotations

from typing import Any

import pytest

from app.scoring.reading.fast import Doubt, Rows
from app.scoring.reading.frames import RowsRead, read_rows
from tests.unit.scoring import obvious_reader
from tests.unit.scoring.mutations import Case, cases
from tests.unit.scoring.reading.submissions import blocks

SEEDS = 50
FILES_PER_SEED = 2000

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
    """What the fast path makes of a file; None where it doubts."""
    try:
        read = read_rows(
            blocks(case.text, block_bytes),
            task=case.task,
            published=case.published,
            on_rows=lambda rows: rows,
            threads=1,
        )
    except Doubt:
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
    # A path that always doubts would be right and useless.
    assert sure > good / 3
