"""Ground truths and lists of published ids whose columns are separated by other characters than
commas are those with commas, where the task takes the form."""

from __future__ import annotations

import csv
import io
import random
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from podium.scoring.columns import TableColumn
from podium.scoring.engine import read_published, read_truth
from podium.scoring.inference.guessing import guess_of
from podium.scoring.problems import Code, FileRejected
from podium.scoring.splits import SplitRule
from podium.scoring.task import OTTO, Objective, Task
from tests.builders.scoring.competitions import WHOLE
from tests.builders.scoring.label_files import TASKS, TEXT_TASKS, label_file
from tests.builders.scoring.pairs import task_by
from tests.builders.scoring.spelled.forms import SIGNS
from tests.builders.scoring.tables.files import table_task

BY_USAGE = SplitRule("usage")

LISTS = Task(objectives=(Objective("", Decimal(1)),), id_column="user")
PAIRS = task_by(query_ids="string")
TABLE = table_task([TableColumn(name="words", type="text"), TableColumn(name="y")])

TEXTS: dict[str, tuple[Task, SplitRule, str]] = {
    "lists": (LISTS, WHOLE, "user,labels\n1,7 8\n2,9\n"),
    "long form": (LISTS, BY_USAGE, "user,item,Usage\n1,7,Public\n2,9,Private\n"),
    "four columns": (
        OTTO,
        BY_USAGE,
        "session,type,aid,Usage\n"
        + "".join(
            f"{session},{name},7,{side}\n"
            for session, side in ((1, "Public"), (2, "Private"))
            for name in OTTO.names
        ),
    ),
    "pairs": (PAIRS, WHOLE, "user,item,rating\nu1,1,4.5\nu2,1,-3\n"),
    "tables": (TABLE, WHOLE, 'id,words,y\n1,"a, b; c",2\n2,"say ""::""",3.5\n'),
}


def separated(text: str, sign: str, dice: random.Random) -> str:
    """The rows of a text with this separator; fields that hold it, and some others, in quotes."""
    lines = []
    for row in csv.reader(io.StringIO(text, newline="")):
        fields = []
        for cell in row:
            is_quoted = any(each in cell for each in (sign, '"')) or dice.random() < 0.2
            doubled = cell.replace('"', '""')
            fields.append(f'"{doubled}"' if is_quoted else cell)
        lines.append(sign.join(fields))
    return dice.choice(("\n", "\r\n")).join([*lines, ""])


def read(folder: Path, text: str, task: Task, split: SplitRule) -> Any:
    """The documents of a truth and its published ids, or the rejection."""
    file = folder / "truth"
    file.write_bytes(text.encode())
    try:
        truth, published = read_truth(file, task=task, published=None, split=split)
    except FileRejected as rejected:
        return rejected.rejection
    for name, kept in (("truth", truth), ("published", published)):
        kept.write(folder / f"{name}.parquet")
    return [(folder / f"{name}.parquet").read_bytes() for name in ("truth", "published")]


@pytest.mark.parametrize("sign", SIGNS[1:])
@pytest.mark.parametrize("kind", TEXTS)
def test_a_truth_is_that_with_commas(tmp_path: Path, kind: str, sign: str) -> None:
    task, split, text = TEXTS[kind]
    expected = read(tmp_path, text, task, split)
    assert isinstance(expected, list), expected
    other = separated(text, sign, random.Random(f"{kind} {sign}"))
    assert read(tmp_path, other, replace(task, forms=("separators",)), split) == expected
    refused = read(tmp_path, other, task, split)
    assert refused.problems[0].code in (Code.HEADER_MISMATCH, Code.BAD_QUOTE)


@pytest.mark.parametrize("kind", ["submission", "long", "graded"])
def test_random_labels_are_those_with_commas(tmp_path: Path, kind: str) -> None:
    read_well = 0
    for number in range(150):
        dice = random.Random(f"separated {kind} {number}")
        task = dice.choice((*TASKS, *TEXT_TASKS))
        text = label_file(dice, task, kind)
        split = BY_USAGE if "Usage" in text.partition("\n")[0] else WHOLE
        expected = read(tmp_path, text, task, split)
        other = separated(text, dice.choice(SIGNS[1:]), dice)
        found = read(tmp_path, other, replace(task, forms=("separators",)), split)
        if isinstance(expected, list):
            assert found == expected, (text, other)
            read_well += 1
        else:
            assert not isinstance(found, list), (text, other)
    assert read_well > 50


@pytest.mark.parametrize(
    "text",
    [
        "7\t0\td1\t1\n8\t0\td2\t2\n",
        "7\t0\td1\t1\r\n8\t0\td2\t2\r\n",
        "#\tq\n7\t0\td1\t1\n8\t0\td2\t2\n",
        "#q\t0\td\trel\n7\t0\td1\t1\n8\t0\td2\t2\n",
        "# by a;b\n7 0 d;1 1\n8 0 d2 2\n",
        "# see x::y\n7 0 d::1 1\n8 0 d2 2\n",
        "# a;b\nq;1 0 d1 1\nq;2 0 d2 2\n",
    ],
)
def test_judgments_stay_judgments(tmp_path: Path, text: str) -> None:
    task = replace(LISTS, query_ids="string", item_ids="string")
    expected = read(tmp_path, text, task, WHOLE)
    assert isinstance(expected, list)
    assert read(tmp_path, text, replace(task, forms=("separators",)), WHOLE) == expected
    assert guess_of(text.encode(), is_cut=False).shape == "pairs"


def test_judgments_of_beir_are_told_how_to_become_those_of_trec(tmp_path: Path) -> None:
    text = "query-id\tcorpus-id\tscore\n1\td7\t1\n"
    refused = read(tmp_path, text, replace(LISTS, forms=("separators",)), WHOLE)
    assert "awk" in refused.problems[0].hint
    assert "as BEIR has them" in guess_of(text.encode(), is_cut=False).problem


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ('id;"a,b"', "1;2"),
        ("id\ta,b", "1\t2"),
        ("id;a::b", "1;2"),
        ('id;"a::b"', "1;2"),
        ("id::a;b", "1::2"),
        ('[id];"a"', "1;2"),
    ],
)
def test_the_columns_of_the_task_decide_what_separates(
    tmp_path: Path, header: str, row: str
) -> None:
    sign = row.strip("12")
    names = [name.strip('"') for name in header.split(sign)]
    task = table_task([TableColumn(name=names[1])], id_column=names[0])
    task = replace(task, forms=("separators",))
    commas = ",".join(f'"{name}"' for name in names) + "\n1,2\n"
    expected = read(tmp_path, commas, task, WHOLE)
    assert isinstance(expected, list), expected
    assert read(tmp_path, f"{header}\n{row}\n", task, WHOLE) == expected


@pytest.mark.parametrize("name", ["q::id", "Q;A"])
def test_a_list_of_one_column_has_no_separators(tmp_path: Path, name: str) -> None:
    file = tmp_path / "ids"
    file.write_text(f"{name}\nx\ny\n")
    task = replace(LISTS, id_column=name, query_ids="string", forms=("separators",))
    assert read_published(file, task=task).count == 2


def test_published_ids_are_those_with_commas(tmp_path: Path) -> None:
    file = tmp_path / "ids"
    file.write_text("user;item\nu1;1\nu2;1\n")
    found = read_published(file, task=replace(PAIRS, forms=("separators",)))
    assert found.count == 2
