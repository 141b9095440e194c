"""Blocks of runs are read alike by columns and by lines."""

from __future__ import annotations

import dataclasses
import random
from typing import Any

import pytest

from podium.scoring.lists.ordered import runs
from tests.builders.scoring.spelled.trec_files import PUBLISHED, TASK

LINES = (
    "a Q0 d1 1 1 m", "b\tQ0\td1\t1\t.5\tm", " 7 Q0 ~ 1 1. m ", "a Q0 d1 1 1", "c Q0 d1 1 1 m", "",
    "# a", "a Q0 d1 1 x m", "a Q0 d\x01 1 1 m", "a Q0 d1 1 1 \u20ac", "a Q0 007 1 -1E+2 m",
    "a Q0 2147483647 1 1 m", "a Q0 2147483648 1 1 m", "7 Q0 12 1 +0.0 m", "07 Q0 5 1 1 m",
    "a Q0 5 1 1 m", "b\tQ0 0 2 -.25e1 m", "7 Q0 999999999 1 3 m",
)  # fmt: skip


@pytest.mark.parametrize("item_ids", ["integer", "string"])
@pytest.mark.parametrize("seed", range(5))
def test_columns_and_lines_find_the_same_in_a_block(seed: int, item_ids: Any) -> None:
    """The reader of columns only answers where the reader of lines would say the same."""
    rng = random.Random(seed)
    task = dataclasses.replace(TASK, item_ids=item_ids)
    answered = 0
    for _ in range(300):
        lines = rng.choices(LINES, k=rng.choice((1, 1, 2, 3)))
        reader = runs.RunReader(task, PUBLISHED)
        columns = reader.columns("\n".join(lines).encode())
        if columns is not None:
            answered += 1
            assert columns.equals(reader.lines("\n".join(lines).encode())), lines
            assert not reader.findings.count, lines
    assert answered > 20
