"""Tables, label sets and ratings in every form are read as the same values in the form `podium`, by
all readers."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from podium.scoring.forms import ENCODINGS
from podium.scoring.kernel.text import NotPlain
from podium.scoring.pairs.layout import layout_of as rows_of_pairs
from podium.scoring.problems import FileRejected, Rejection
from podium.scoring.rewriting.opening import form_of
from podium.scoring.rows.reading import read_rows
from podium.scoring.tables.layout import layout_of as rows_of_table
from tests.builders.scoring import rating_files
from tests.builders.scoring.spelled.forms import PACKINGS
from tests.builders.scoring.spelled.rows import COMBINATIONS, SpelledRows, spelled_rows
from tests.builders.scoring.tables import files, obvious

FILES = 2 * len(COMBINATIONS) * len(PACKINGS)

LABELS = [column for column in files.COLUMNS if column.type == "labels"]


def label_sets(seed: int, count: int) -> Iterator[files.Case]:
    """Good files of label sets."""
    for number in range(count):
        name = f"sets/{seed}/{number}"
        dice = random.Random(name)
        task, published = files.competition(dice)
        columns = tuple(dice.sample(LABELS, dice.randint(1, 2)))
        task = replace(task, kind="label-sets", table=columns)
        yield files.Case(name, files.good_file(dice, task, published), task, published)


CASES: dict[str, Callable[[int], Iterator[Any]]] = {
    "tables": lambda seed: files.cases(seed, FILES, damaged=0),
    "label sets": lambda seed: label_sets(seed, FILES),
    "ratings": lambda seed: rating_files.cases(seed, FILES, damaged=0),
}


def not_plain(*_: object, **__: object) -> Any:
    raise NotPlain


READERS: dict[str, dict[str, Any]] = {
    "compiled": {},
    "by columns": {"is_compiled": lambda _: False},
    "line by line": {"_read_plain": not_plain},
}
"""The readers by what takes the place of those before them."""


def expected_of(case: Any) -> list[str]:
    """The rows by the obvious reader, so that -0.0 and 0.0 differ, and 1 and 1.0."""
    is_of_pairs = isinstance(case, rating_files.Case)
    rows = [(one,) for one in rating_files.read(case)] if is_of_pairs else obvious.read(case)
    return list(map(repr, rows))


def verdicts(
    file: Path, spelled: SpelledRows[Any], monkeypatch: pytest.MonkeyPatch
) -> Iterator[list[str] | Rejection]:
    """The rows or the rejection of a file by each reader."""
    layouts = rows_of_pairs if spelled.task.kind == "rating" else rows_of_table
    for replaced in READERS.values():
        with monkeypatch.context() as other:
            for name, instead in replaced.items():
                other.setattr(f"podium.scoring.rows.reading.{name}", instead)
            try:
                found = read_rows(
                    file, layout=layouts(spelled.task), published=spelled.case.published
                )
            except FileRejected as rejected:
                yield rejected.rejection
            else:
                columns = (column.to_list() for column in found)
                yield list(map(repr, zip(*columns, strict=True)))


@pytest.mark.parametrize("kind", CASES)
def test_every_form_has_the_values_of_the_form_podium(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    met: Counter[str] = Counter()
    file = tmp_path / "file"
    for spelled in spelled_rows(CASES[kind](71), 72):
        file.write_bytes(spelled.text)
        expected = expected_of(spelled.case)
        for found in verdicts(file, spelled, monkeypatch):
            assert found == expected, spelled
        met.update(form_of(file, spelled.task).forms)
    wanted = {"separators", "no-header", "extra-columns", "containers", "utf-16", *ENCODINGS}
    assert set(met) == wanted, met
    assert min(met.values()) > 2, met


@pytest.mark.parametrize("kind", CASES)
def test_damaged_files_have_the_same_verdict_from_all_readers(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = 0
    file = tmp_path / "file"
    for spelled in spelled_rows(CASES[kind](73), 74, damaged=True):
        file.write_bytes(spelled.text)
        first, *others = verdicts(file, spelled, monkeypatch)
        assert all(other == first for other in others), (spelled, first, others)
        refused += isinstance(first, Rejection)
    assert FILES / 4 < refused < FILES, refused
