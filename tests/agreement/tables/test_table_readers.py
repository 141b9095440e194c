"""The readers of tables against the obvious one, on thousands of mutated files."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from podium.scoring.kernel.text import NotPlain, Pieces
from podium.scoring.problems import FileRejected
from podium.scoring.rows.plain import is_compiled, read_compiled, read_plain, submission_frames
from podium.scoring.rows.strict import read_strictly
from podium.scoring.tables.layout import layout_of
from podium.scoring.tables.reading import read_table
from tests.builders.scoring.rating_files import Refused
from tests.builders.scoring.submissions import blocks
from tests.builders.scoring.tables import obvious
from tests.builders.scoring.tables.files import Case, cases
from tests.builders.scoring.tables.parquet import parquet_of
from tests.builders.uploads.packing import PACKED

SEEDS = 8
FILES_PER_SEED = 500


def rows_of(columns: list[pl.Series]) -> list[tuple[Any, ...]]:
    """The rows of columns."""
    return list(zip(*(column.to_list() for column in columns), strict=True))


def strict_verdict(case: Case) -> list[Any]:
    """The rows, or the lines of what is wrong."""
    try:
        layout = layout_of(case.task)
        read = read_strictly(blocks(case.text, 40), layout=layout, published=case.published)
    except FileRejected as rejected:
        return [problem.line for problem in rejected.rejection.problems]
    return rows_of(read)


def fast_verdict(case: Case, block_bytes: int) -> list[Any] | None:
    """The rows by Polars; None where the strict reader has to decide."""
    try:
        layout = layout_of(case.task)
        frames = submission_frames(blocks(case.text, block_bytes), layout)
        return rows_of(read_plain(frames, layout=layout, published=case.published))
    except NotPlain:
        return None


def compiled_verdict(case: Case) -> list[Any] | None:
    """The rows by the compiled reader; None where others have to decide."""
    layout = layout_of(case.task)
    if not is_compiled(layout):
        return None
    pieces = iter([case.text[at : at + 50] for at in range(0, len(case.text), 50)])
    try:
        return rows_of(
            read_compiled(Pieces(pieces), layout=layout, published=case.published, progress=None)
        )
    except NotPlain:
        return None


def obvious_verdict(case: Case) -> tuple[bool, list[Any]]:
    """True if a file is good, and its rows or the lines of what is wrong."""
    try:
        return True, obvious.read(case)
    except Refused as refused:
        return False, refused.lines


@pytest.mark.parametrize("block_bytes", [40, 97, 4096])
@pytest.mark.parametrize("seed", range(SEEDS))
def test_all_readers_agree_about_every_file(seed: int, block_bytes: int) -> None:
    accepted = proven = compiled = 0
    for case in cases(1000 * block_bytes + seed, FILES_PER_SEED):
        is_good, expected = obvious_verdict(case)
        strict, fast = strict_verdict(case), fast_verdict(case, block_bytes)
        other = compiled_verdict(case)
        if is_good:
            assert _bits(strict) == _bits(expected), case
            for each in (fast, other):
                assert each is None or _bits(each) == _bits(expected), case
        else:
            assert fast is other is None, case
            if case.text.strip(b"\r\n\xef\xbb\xbf"):
                shown = sorted(expected, key=lambda line: (line is None, line))[:10]
                assert strict == shown or strict == [1], case
        accepted += is_good
        proven += fast is not None
        compiled += other is not None
    # The test would say nothing if nearly all files were bad, or nearly all fell back.
    assert accepted > FILES_PER_SEED / 5
    assert proven > accepted / 4
    assert compiled > accepted / 5


@pytest.mark.parametrize("seed", range(4))
def test_whole_files_are_read_as_blocks_are(seed: int, tmp_path: Path) -> None:
    for case in cases(seed, 60, damaged=0):
        path = tmp_path / "file"
        path.write_bytes(PACKED[random.Random(case.seed).choice([*PACKED])](case.text))
        read = read_table(path, task=case.task, published=case.published)
        assert _bits(read.rows()) == _bits(obvious.read(case))
        assert read.columns == [column.name for column in case.task.table]


@pytest.mark.parametrize("seed", range(4))
def test_parquet_files_are_read_as_texts_of_the_same_cells(seed: int, tmp_path: Path) -> None:
    path = tmp_path / "file"
    kept = 0
    for case in cases(100 + seed, 150):
        is_good, expected = obvious_verdict(case)
        written = parquet_of(case, random.Random(case.seed))
        if written is None:
            continue
        kept += 1
        path.write_bytes(written)
        try:
            found = read_table(path, task=case.task, published=case.published).rows()
        except FileRejected as rejected:
            rows = [problem.row for problem in rejected.rejection.problems]
            shown = sorted(expected, key=lambda line: (line is None, line))[:10]
            assert not is_good, case
            assert rows == [None if line is None else line - 2 for line in shown], case
        else:
            assert is_good, case
            assert _bits(found) == _bits(expected), case
    assert kept > 30


def _bits(values: list[Any]) -> list[str]:
    """So that -0.0 and 0.0 differ, and 1 and 1.0."""
    return [repr(value) for value in values]
