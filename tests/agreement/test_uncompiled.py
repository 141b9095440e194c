"""Judging without the compiled reader: the same scores, lists and refusals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from podium.scoring.lists.plan import ListBlock, ListsRead, ReadingPlan
from podium.scoring.lists.reading import read_submission
from podium.scoring.problems import FileRejected
from tests.builders.scoring import obvious_reader
from tests.builders.scoring.mutations import DEPTH, Case, answers_of, cases, labels_of


def read(case: Case, labels: pl.DataFrame, folder: Path, depth: int) -> ListsRead[ListBlock] | None:
    """All that is found in a file; None where it is rejected."""
    file = folder / "submission.csv"
    file.write_bytes(case.text)
    every = pl.repeat(1, case.published.count, dtype=pl.UInt8, eager=True)
    plan = ReadingPlan(depth, labels, every, lambda block: block)
    try:
        return read_submission(
            file, task=case.task, published=case.published, plan=plan, scratch=folder
        )
    except FileRejected:
        return None


@pytest.mark.parametrize("depth", [1, 3, DEPTH])
def test_what_is_found_is_the_same(
    depth: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    accepted = 0
    for case in cases(4_000_000 + depth, 500, damaged=0.5):
        verdict: tuple[Any, ...] = obvious_reader.read(
            case.text, task=case.task, sessions=case.sessions
        )
        labels = labels_of(case, verdict[1] if verdict[0] == "accepted" else {})
        compiled = read(case, labels, tmp_path, depth)
        with monkeypatch.context() as without:
            without.setattr("podium.scoring.lists.reading.kernel", lambda: None)
            plain = read(case, labels, tmp_path, depth)
        if compiled is None or plain is None:
            assert compiled is plain
            continue
        accepted += 1
        counted = [(one.rows, one.missing, one.empty) for one in (compiled, plain)]
        assert counted[0] == counted[1]
        assert compiled.ranks is not None
        assert plain.ranks is not None
        assert compiled.ranks.to_list() == plain.ranks.to_list()
        assert answers_of(compiled.parts) == answers_of(plain.parts)
    assert accepted > 200
