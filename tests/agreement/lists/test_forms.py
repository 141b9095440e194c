"""Files of every form are read as the same lists in the form `podium`, by all readers."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from podium.scoring.rewriting.opening import spelling_in
from tests.builders.scoring.mutations import Case
from tests.builders.scoring.spelled.forms import spelled_cases
from tests.builders.scoring.spelled.reading import read


def read_uncompiled(case: Case, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The same without the compiled reader."""
    with monkeypatch.context() as without:
        without.setattr("podium.scoring.lists.reading.kernel", lambda: None)
        return read(case, folder)


def test_every_form_has_the_lists_of_the_form_podium(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    met: Counter[str] = Counter()
    for spelled in spelled_cases(1, 700):
        expected = read(spelled.podium, tmp_path)
        assert isinstance(expected, tuple), (spelled, expected)
        assert read(spelled.case, tmp_path) == expected, spelled
        assert read_uncompiled(spelled.case, tmp_path, monkeypatch) == expected, spelled
        (tmp_path / "submission.csv").write_bytes(spelled.case.text)
        met[spelling_in(tmp_path / "submission.csv", spelled.case.task).words] += 1
    # By rank or score, in the order of the file, as lists, or with a further column; four
    # separators; a header or none, which files with an order always have.
    shapes = {re.sub(r"without “\d+”", "without", words) for words in met}
    assert len(shapes) == 4 * (5 + 2), met


def test_damaged_files_have_the_same_verdict_from_all_readers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = 0
    for spelled in spelled_cases(2, 500, damaged=1.0):
        found = read(spelled.case, tmp_path)
        assert read_uncompiled(spelled.case, tmp_path, monkeypatch) == found, spelled
        refused += not isinstance(found, tuple)
    assert refused > 200
