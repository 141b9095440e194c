"""Both readers against the obvious one, on thousands of mutated files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from podium.scoring.kernel.text import NotPlain
from podium.scoring.problems import FileRejected
from podium.scoring.ratings.lines import read_strictly
from podium.scoring.ratings.pairs import PairNumbers
from podium.scoring.ratings.reading import read_fast, read_predictions
from tests.builders.scoring import rating_files
from tests.builders.scoring.rating_files import Case, cases
from tests.builders.scoring.submissions import blocks

SEEDS = 8
FILES_PER_SEED = 500


def strict_verdict(case: Case, block_bytes: int) -> list[float] | list[int | None]:
    """The predictions, or the lines of what is wrong."""
    published = case.published
    try:
        return read_strictly(
            blocks(case.text, block_bytes),
            task=case.task,
            published=published,
            numbers=PairNumbers(published),
        ).to_list()
    except FileRejected as rejected:
        return [problem.line for problem in rejected.rejection.problems]


def fast_verdict(case: Case, block_bytes: int) -> list[float] | None:
    """The predictions; None where the fast path falls back."""
    published = case.published
    try:
        return read_fast(
            blocks(case.text, block_bytes),
            task=case.task,
            count=published.count,
            numbers=PairNumbers(published),
            progress=None,
        ).to_list()
    except NotPlain:
        return None


def obvious_verdict(case: Case) -> tuple[bool, list[float] | list[int | None]]:
    """True if a file is good, and its predictions or the lines of what is wrong."""
    try:
        return True, rating_files.read(case)
    except rating_files.Refused as refused:
        return False, refused.lines


@pytest.mark.parametrize("seed", range(SEEDS))
def test_all_readers_agree_about_every_file(seed: int) -> None:
    accepted = proven = 0
    for case in cases(seed, FILES_PER_SEED):
        is_good, expected = obvious_verdict(case)
        fast = fast_verdict(case, 40)
        strict = strict_verdict(case, 40)
        if is_good:
            assert _bits(strict) == _bits(expected), case
            assert fast is None or _bits(fast) == _bits(expected), case
        else:
            assert fast is None, case
            if case.text.strip(b"\r\n\xef\xbb\xbf"):
                shown = sorted(expected, key=lambda line: (line is None, line))[:10]
                assert strict == shown or strict == [1], case
        accepted += is_good
        proven += fast is not None
    # The test would say nothing if nearly all files were bad, or nearly all fell back.
    assert accepted > FILES_PER_SEED / 5
    assert proven > accepted / 3


@pytest.mark.parametrize("seed", range(4))
def test_whole_files_are_read_as_blocks_are(seed: int, tmp_path: Path) -> None:
    for case in _good(seed, 60):
        path = tmp_path / "file"
        path.write_bytes(case.text)
        read = read_predictions(path, task=case.task, published=case.published)
        assert _bits(read.to_list()) == _bits(rating_files.read(case))


def _good(seed: int, count: int) -> Iterator[Case]:
    return cases(seed, count, damaged=0)


def _bits(values: list[float] | list[int | None]) -> list[str]:
    """So that -0.0 and 0.0 differ, as they do in what is computed from them."""
    return [repr(value) for value in values]
