"""Judging without the compiled reader: the same scores, lists and refusals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from podium.scoring.lists.plan import ListBlock, ListsRead, ReadingPlan
from podium.scoring.lists.reading import read_submission
from podium.scoring.problems import FileRejected, Rejection
from podium.scoring.ratings.reading import read_predictions
from podium.scoring.ratings.truth_reading import read_rows
from tests.builders.scoring import obvious_reader, rating_files
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


def predictions(case: rating_files.Case, file: Path) -> list[str] | Rejection:
    """The predictions in a file as text, so that -0.0 and 0.0 differ, or all that is wrong."""
    try:
        read = read_predictions(file, task=case.task, published=case.published)
    except FileRejected as rejected:
        return rejected.rejection
    return [repr(number) for number in read]


def true_rows(case: rating_files.Case, file: Path) -> tuple[pl.DataFrame, Any] | Rejection:
    """The rows of a ground truth and all that is wrong with the others."""
    try:
        found = read_rows(file, case.task, with_ratings=True)
    except FileRejected as rejected:
        return rejected.rejection
    return found.rows.select(sorted(found.rows.columns)), found.problems


def with_usage(text: bytes, seed: int) -> bytes:
    """The text with a column `Usage` in most of its lines."""
    words = (b"Public", b"private", b"IGNORED", b'"Public"', b"public ", b"", b"PRIVATE")
    header, *lines = text.rstrip(b"\r\n").split(b"\n")
    width = len(words) if seed % 5 == 0 else 4
    rows = [
        b"%s,%s" % (line.rstrip(b"\r"), words[number * seed % width])
        for number, line in enumerate(lines)
    ]
    return b"\n".join([header.rstrip(b"\r") + b",Usage", *rows, b""])


def test_predictions_are_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    accepted, file = 0, tmp_path / "ratings.csv"
    for case in rating_files.cases(4_000_000, 1500, damaged=0.5):
        file.write_bytes(case.text)
        compiled = predictions(case, file)
        with monkeypatch.context() as without:
            without.setattr("podium.scoring.ratings.reading.kernel", lambda: None)
            assert predictions(case, file) == compiled, case
        accepted += isinstance(compiled, list)
    assert accepted > 500


@pytest.mark.parametrize("block_bytes", [97, 4096])
def test_rows_of_true_ratings_are_the_same(
    block_bytes: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("podium.scoring.kernel.pairs.BLOCK_BYTES", block_bytes)
    good, file = 0, tmp_path / "truth.csv"
    for number, case in enumerate(rating_files.cases(5_000_000 + block_bytes, 1500, damaged=0.5)):
        file.write_bytes(with_usage(case.text, number) if number % 2 else case.text)
        compiled = true_rows(case, file)
        with monkeypatch.context() as without:
            without.setattr("podium.scoring.ratings.truth_reading.kernel", lambda: None)
            strict = true_rows(case, file)
        if isinstance(compiled, Rejection) or isinstance(strict, Rejection):
            assert compiled == strict, case
            continue
        assert compiled[0].equals(strict[0]), case
        assert compiled[1] == strict[1], case
        good += not strict[1]
    assert good > 500


def test_progress_ends_at_the_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("podium.scoring.ratings.reading.kernel", lambda: None)
    case, told = next(rating_files.cases(1, 1, damaged=0)), list[float]()
    file = tmp_path / "ratings.csv"
    file.write_bytes(case.text)
    read_predictions(file, task=case.task, published=case.published, progress=told.append)
    assert told == [1.0]
