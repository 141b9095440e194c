"""Both readers against the obvious one, on thousands of mutated files."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from podium.scoring.kernel.library import kernel
from podium.scoring.kernel.text import NotPlain, Pieces, WholeLines
from podium.scoring.pairs.layout import layout_of
from podium.scoring.pairs.reading import read_numbers as read_file
from podium.scoring.problems import FileRejected
from podium.scoring.rows.compiled import read_numbers
from podium.scoring.rows.plain import roles_under
from podium.scoring.rows.strict import read_strictly
from tests.builders.scoring import rating_files
from tests.builders.scoring.pairs import task_by
from tests.builders.scoring.rating_files import Case, cases
from tests.builders.scoring.submissions import blocks

SEEDS = 8
FILES_PER_SEED = 500


def strict_verdict(case: Case, block_bytes: int) -> list[float] | list[int | None]:
    """The predictions, or the lines of what is wrong."""
    published = case.published
    try:
        return read_strictly(
            blocks(case.text, block_bytes), layout=layout_of(case.task), published=published
        )[0].to_list()
    except FileRejected as rejected:
        return [problem.line for problem in rejected.rejection.problems]


def kernel_verdict(case: Case, threads: int) -> list[float] | None:
    """The compiled reader's predictions; None where the strict reader has to decide."""
    functions = kernel()
    assert functions is not None
    pieces = iter([case.text[at : at + 50] for at in range(0, len(case.text), 50)])
    try:
        numbers = read_numbers(
            WholeLines(Pieces(pieces), functions.podium_count_lines),
            functions,
            task=case.task,
            published=case.published.frame,
            roles=lambda text: roles_under(text, layout_of(case.task)),
            threads=threads,
        )
    except NotPlain:
        return None
    return numbers[0].to_list()


def obvious_verdict(case: Case) -> tuple[bool, list[float] | list[int | None]]:
    """True if a file is good, and its predictions or the lines of what is wrong."""
    try:
        return True, rating_files.read(case)
    except rating_files.Refused as refused:
        return False, refused.lines


@pytest.mark.parametrize("block_bytes", [40, 97, 4096])
@pytest.mark.parametrize("seed", range(SEEDS))
def test_all_readers_agree_about_every_file(
    seed: int, block_bytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("podium.scoring.rows.compiled.BLOCK_BYTES", block_bytes)
    accepted = proven = 0
    for number, case in enumerate(cases(1000 * block_bytes + seed, FILES_PER_SEED)):
        is_good, expected = obvious_verdict(case)
        fast = kernel_verdict(case, threads=1 + number % 2)
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
    assert proven > accepted / (4 if block_bytes < 100 else 1.2)


@pytest.mark.parametrize("blank", [1, 40, 97, 500])
def test_blank_lines_at_the_end_are_as_good_as_none(
    blank: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("podium.scoring.rows.compiled.BLOCK_BYTES", 97)
    for case in cases(blank, 100, damaged=0):
        for end in (b"\n" * blank, b"\r\n" * blank):
            text = case.text.rstrip(b"\r\n") + b"\n"
            one, many = (replace(case, text=each) for each in (text, text + end))
            assert kernel_verdict(many, threads=2) == kernel_verdict(one, threads=1)
            assert _bits(strict_verdict(many, 97)) == _bits(rating_files.read(case))


@pytest.mark.parametrize("seed", range(4))
def test_whole_files_are_read_as_blocks_are(seed: int, tmp_path: Path) -> None:
    for case in _good(seed, 60):
        path = tmp_path / "file"
        path.write_bytes(case.text)
        [read] = read_file(path, task=case.task, published=case.published, probabilities=False)
        assert _bits(read.to_list()) == _bits(rating_files.read(case))


@pytest.mark.parametrize("kinds", [("integer", "integer"), ("string", "integer")])
@pytest.mark.parametrize("order", ["published", "backwards", "shuffled", "in runs"])
@pytest.mark.parametrize("threads", [1, 3])
def test_pairs_are_found_in_any_order(
    order: str, threads: int, kinds: tuple[Any, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("podium.scoring.rows.compiled.BLOCK_BYTES", 4096)
    task = task_by(query_ids=kinds[0], item_ids=kinds[1])
    dice = random.Random(order)
    numbers = dice.sample(range(20_000), 6000)
    users = [f"user-{number // 7}" if kinds[0] == "string" else number // 7 for number in numbers]
    pairs = [(user, number % 7) for user, number in zip(users, numbers, strict=True)]
    rows = list(enumerate(pairs))
    if order == "backwards":
        rows.reverse()
    elif order == "shuffled":
        dice.shuffle(rows)
    elif order == "in runs":
        rows = [row for start in range(5900, -1, -100) for row in rows[start : start + 100]]
    lines = [f"{user},{item},{place}\n" for place, (user, item) in rows]
    text = "".join(["user,item,rating\n", *lines]).encode()
    case = Case(order, text, task, pairs)
    assert kernel_verdict(case, threads) == list(range(6000))
    for damaged in (text + lines[17].encode(), text.replace(lines[17].encode(), b"", 1)):
        assert kernel_verdict(Case(order, damaged, task, pairs), threads) is None


def _good(seed: int, count: int) -> Iterator[Case]:
    return cases(seed, count, damaged=0)


def _bits(values: list[float] | list[int | None]) -> list[str]:
    """So that -0.0 and 0.0 differ, as they do in what is computed from them."""
    return [repr(value) for value in values]
