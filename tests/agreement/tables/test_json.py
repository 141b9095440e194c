"""Tables as JSON are read as the same cells in the form `podium`, on hundreds of random files."""

from __future__ import annotations

import csv
import io
import json
import random
import re
from dataclasses import replace
from pathlib import Path

import polars as pl

from podium.scoring.problems import FileRejected
from podium.scoring.tables.reading import read_table
from podium.scoring.task import Task
from tests.builders.scoring.tables.files import Case, cases

NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")


def as_json(dice: random.Random, case: Case) -> str:
    """The rows of a good file in one of the layouts of JSON."""
    text = case.text.decode("utf-8-sig").rstrip("\r\n")
    names, *rows = csv.reader(io.StringIO(text, newline=""))
    layout = dice.choice(("lines", "array", "object"))
    entries = []
    for row in rows:
        cells = dict(zip(names, row, strict=True))
        key = json.dumps(cells.pop(case.task.id_column)) if layout == "object" else ""
        members = ", ".join(f"{json.dumps(name)}: {value_of(dice, c)}" for name, c in cells.items())
        entries.append(f"{key}: {{{members}}}" if key else f"{{{members}}}")
    if layout == "lines" and len(entries) > 1:
        return "\n".join(entries)
    return f"{{{', '.join(entries)}}}" if layout == "object" else f"[{', '.join(entries)}]"


def value_of(dice: random.Random, cell: str) -> str:
    """A cell as a value of JSON."""
    if dice.random() < 0.7:
        if NUMBER.fullmatch(cell):
            return cell
        if cell == "":
            return "null"
    return json.dumps(cell, ensure_ascii=dice.random() < 0.5)


def read(text: bytes, task: Task, case: Case, folder: Path) -> pl.DataFrame | None:
    """The cells of a file; None where it is refused."""
    (folder / "table").write_bytes(text)
    try:
        return read_table(folder / "table", task=task, published=case.published)
    except FileRejected:
        return None


def test_tables_as_json_have_the_cells_of_the_form_podium(tmp_path: Path) -> None:
    dice = random.Random(45)
    for case in cases(45, 400, damaged=0.0):
        expected = read(case.text, case.task, case, tmp_path)
        text = as_json(dice, case)
        found = read(text.encode(), replace(case.task, forms=("json",)), case, tmp_path)
        assert expected is not None
        assert found is not None, (case, text)
        assert found.equals(expected), (case, text)
