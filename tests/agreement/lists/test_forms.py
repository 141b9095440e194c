"""Files of every form are read as the same lists in the form `podium`, by all readers."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from podium.scoring.rewriting.opening import spelling_in
from tests.builders.scoring.mutations import Case
from tests.builders.scoring.spelled.forms import (
    COMBINATIONS,
    json_cases,
    podium_text,
    spelled_cases,
)
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
    shapes = {re.sub(r"without “\d+”", "without", words) for words in met}
    assert len(shapes) == len(COMBINATIONS), met


def test_damaged_files_have_the_same_verdict_from_all_readers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = 0
    for spelled in spelled_cases(2, 500, damaged=1.0):
        found = read(spelled.case, tmp_path)
        assert read_uncompiled(spelled.case, tmp_path, monkeypatch) == found, spelled
        refused += not isinstance(found, tuple)
    assert refused > 200


def test_damaged_json_that_is_read_has_the_lists_that_others_see(tmp_path: Path) -> None:
    met = Counter[tuple[str, bool]]()
    for spelled in json_cases(3, 600, damaged=1.0):
        found = read(spelled.case, tmp_path)
        if isinstance(found, tuple):
            text = lists_by_others(spelled.case)
            expected = read(replace(spelled.podium, text=text), tmp_path)
            assert found == expected, spelled
        met[spelled.manner["json"], isinstance(found, tuple)] += 1
    assert len(met) == 2 * 3, met
    assert min(met.values()) > 20, met


def lists_by_others(case: Case) -> bytes:
    """The same lists in the form `podium`, by a parser of whole texts that reads no number."""
    text, task = case.text.decode("utf-8-sig"), case.task
    load = partial(json.loads, parse_int=str, parse_float=str)
    try:
        values = load(text)
    except ValueError:
        values = [load(line) for line in text.splitlines() if line.strip()]
    if isinstance(values, dict) and task.id_column not in values:
        entries = [{task.id_column: key, task.labels_column: values[key]} for key in values]
    else:
        entries = values if isinstance(values, list) else [values]
    lists: dict[str, list[str]] = {}
    for entry in entries:
        labels = entry[task.labels_column]
        labels = labels[task.labels_column] if isinstance(labels, dict) else labels
        items = labels if isinstance(labels, list) else [labels]
        lists[entry[task.id_column]] = [one for item in items for one in item.split()]
    return podium_text(task, lists)
