"""The rows of Parquet and their text, read alike: hundreds of random files, good and damaged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from podium.scoring.lists import parquet_lines, reading
from podium.scoring.task import MAX_SURPLUS_ROWS
from tests.builders.scoring.parquet.files import parquet_cases
from tests.builders.scoring.parquet.verdicts import (
    as_columns,
    as_text,
    compiled_verdict,
    whole_verdict,
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "upload"


@pytest.mark.parametrize("slice_rows", [1, 2, 1000])
@pytest.mark.parametrize("seed", range(2))
def test_columns_are_read_as_their_text_is(
    file: Path, seed: int, slice_rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    proven = 0
    for number, tried in enumerate(parquet_cases(10 * slice_rows + seed, 120)):
        case = tried.case
        tried.write(file)
        size = slice_rows * case.task.max_line_bytes
        monkeypatch.setattr(parquet_lines, "SLICE_BYTES", size)
        found = compiled_verdict(file, case, as_columns, threads=1 + number % 3)
        assert found == compiled_verdict(file, case, as_text), (case.seed, tried.frame)
        proven += found is not None
    # A reader that always gives up would be right and useless.
    assert 40 < proven < 100


@pytest.mark.parametrize("seed", range(2))
def test_what_a_participant_gets_is_the_same_as_of_the_text(
    file: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def text_lines(file: Path, *given: Any) -> Any:
        _, _, task, published, _, _ = given
        return as_text(file, task, published.count + MAX_SURPLUS_ROWS)

    for tried in parquet_cases(7000 + seed, 100, damaged=0.9):
        tried.write(file)
        found = whole_verdict(file, tried.case)
        with monkeypatch.context() as patched:
            patched.setattr(reading, "_lines", text_lines)
            assert found == whole_verdict(file, tried.case), (tried.case.seed, tried.frame)


@pytest.mark.parametrize("block_bytes", [97, 300, 4200])
def test_a_block_holds_as_many_lines_as_there_is_room_for(
    file: Path, block_bytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("podium.scoring.lists.compiled.BLOCK_BYTES", block_bytes)
    proven = 0
    for tried in parquet_cases(block_bytes, 60, damaged=0.2):
        tried.write(file)
        found = compiled_verdict(file, tried.case, as_columns)
        assert found in (None, compiled_verdict(file, tried.case, as_text)), tried.case.seed
        proven += found is not None
    assert proven > 10
