"""Files of every form are converted into files with the same lists, or refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from podium.scoring.combining.converting import convert
from podium.scoring.forms import ENCODINGS
from podium.scoring.problems import FileRejected
from tests.builders.scoring.mutations import Case
from tests.builders.scoring.spelled.forms import spelled_cases
from tests.builders.scoring.spelled.reading import read


def converted(case: Case, folder: Path) -> bytes | None:
    """The file that a file of a form becomes; None for one that has the form of the sample."""
    file, to = folder / "form.csv", folder / "podium.csv"
    file.write_bytes(case.text)
    named = tuple(form for form in case.task.forms if form in ENCODINGS)
    task = replace(case.task, forms=named)
    found = convert(file, task=task, published=case.published, scratch=folder, to=to)
    return None if found is None else to.read_bytes()


def test_a_converted_file_has_the_lists_of_its_form(tmp_path: Path) -> None:
    unchanged = 0
    for spelled in spelled_cases(3, 400):
        text = converted(spelled.case, tmp_path)
        unchanged += text is None
        plain = replace(spelled.podium, text=spelled.case.text if text is None else text)
        assert read(plain, tmp_path) == read(spelled.podium, tmp_path), spelled
    assert 0 < unchanged < 40


def test_a_damaged_file_is_refused_or_converted_as_it_would_be_read(tmp_path: Path) -> None:
    refused = 0
    for spelled in spelled_cases(4, 300, damaged=1.0):
        found = read(spelled.case, tmp_path)
        if not isinstance(found, tuple):
            refused += 1
            with pytest.raises(FileRejected) as rejected:
                converted(spelled.case, tmp_path)
            assert rejected.value.rejection.problems == found.problems, spelled
            continue
        text = converted(spelled.case, tmp_path)
        plain = replace(spelled.podium, text=spelled.case.text if text is None else text)
        assert read(plain, tmp_path) == found, spelled
    assert refused > 100
