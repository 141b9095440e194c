"""Lists in one cell with other signs than spaces: which are read, and which are refused."""

from __future__ import annotations

import gzip
import tracemalloc
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import polars as pl
import pytest

from podium.scoring.engine import validate
from podium.scoring.problems import FileRejected
from podium.scoring.published import PublishedIds
from podium.scoring.rewriting.opening import spelled_blocks, spelling_in
from podium.scoring.task import Objective, Task
from tests.builders.scoring.spelled.forms import LIST_FORMS

TASK = Task(objectives=(Objective("", Decimal(1), "recall@2"),), id_column="user", forms=LIST_FORMS)
TEXTS = replace(TASK, item_ids="string")
PUBLISHED = PublishedIds(pl.Series([1, 2, 3], dtype=pl.Int32), ("",))


def rewritten(text: str, folder: Path, task: Task = TASK) -> tuple[str, str]:
    """The words for the form of a text, and the text of the form `podium`."""
    file = folder / "submission"
    file.write_text(text)
    spelling = spelling_in(file, task)
    return spelling.words, b"".join(spelled_blocks(file, task, spelling)).decode()


def problems(text: str, folder: Path, task: Task = TASK) -> list[tuple[int | None, str, str]]:
    """The line, code and detail of each problem."""
    file = folder / "submission"
    file.write_text(text)
    try:
        validate(file, task=task, published=PUBLISHED, scratch=folder)
    except FileRejected as rejected:
        return [(each.line, str(each.code), each.detail) for each in rejected.rejection.problems]
    return []


NUMBERS = "user,labels\n1,7 9\n2,\n3,8\n"
GOOD = {
    'user,labels\n1,"7,9"\n2,\n3,8\n': "lists with commas",
    'labels,user\n"7, 9",1\n[],2\n8,3\n': "lists with commas",
    "user,labels\n1,7;9\n2,[]\n3,8\n": "lists with semicolons",
    "1,7; 9\n2,\n3,8\n": "lists with semicolons; no header",
    "user;labels\n1;7,9\n2;\n3;8\n": "lists with commas; separated by semicolons",
    '1;"7;9"\n2;\n3;"8"\n': "lists with semicolons; separated by semicolons; no header",
    '1,"[7, 9]"\n2,"[]"\n3,"[8]"\n': "lists as in JSON; no header",
    '1,"[7, 9]"\n2,\n3,"[\'8\']"\n': "lists as in Python; no header",
    'user,labels\n1,"[""7"", 9]"\n2,\n3,[8]\n': "lists as in JSON",
    "user,labels\n1,\"['7', '9']\"\n2,[]\n3,['8']\n": "lists as in Python",
    "1\t[7,9]\n2\t[]\n3\t[ 8 ]\n": "lists as in JSON; separated by tabs; no header",
    "1::7,9\n2::\n3::8\n": "lists with commas; separated by “::”; no header",
    "n;user;labels\n0;1;[7, 9]\n0;2;[]\n0;3;[8]\n": (
        "without “n”; lists as in JSON; separated by semicolons"
    ),
    'n,labels,user\n0,"7,9",1\n0,[],2\n0,8,3\n': "without “n”; lists with commas",
}


@pytest.mark.parametrize("text", GOOD, ids=[repr(each) for each in GOOD])
def test_lists_in_a_cell_are_those_with_spaces(text: str, tmp_path: Path) -> None:
    words, found = rewritten(text, tmp_path)
    swapped = "labels,user\n7 9,1\n,2\n8,3\n"
    assert (words, found) == (GOOD[text], swapped if "labels,user" in text else NUMBERS)
    assert problems(text, tmp_path) == []


def test_lists_of_texts_are_told_by_brackets_and_quotes(tmp_path: Path) -> None:
    expected = "user,labels\n1,a b.c\n2,\n3,d\n"
    for text, words in {
        'user,labels\n1,"a,b.c"\n2,\n3,d\n': "lists with commas",
        'user,labels\n1,"[""a"", ""b.c""]"\n2,[]\n3,"[""d""]"\n': "lists as in JSON",
        "user,labels\n1,\"['a', 'b.c']\"\n2,[]\n3,['d']\n": "lists as in Python",
    }.items():
        assert rewritten(text, tmp_path, TEXTS) == (words, expected)


@pytest.mark.parametrize(
    ("cells", "other"),
    [
        (["a;b", "c"], "lists with semicolons"),
        (["['a']", "[]"], "lists as in Python"),
        (["[7]"], "lists as in JSON"),
        (["a", "[]"], "lists with commas"),
    ],
)
def test_items_that_may_as_well_be_lists_are_refused(
    cells: list[str], other: str, tmp_path: Path
) -> None:
    rows = "".join(f"{number},{cell}\n" for number, cell in enumerate(cells, start=1))
    ((line, code, detail),) = problems(f"user,labels\n{rows}", tmp_path, TEXTS)
    assert (line, code) == (None, "bad-label")
    assert f"can be read as lists with spaces, and as {other}" in detail
    # A second item with a space tells that they are items, whatever they hold.
    assert not problems("user,labels\n1,a;b [c]\n2,a;b\n3,[]\n", tmp_path, TEXTS)


BAD = {
    'user,labels\n1,"7,9"\n2,7 9\n3,8\n': (3, "bad-label", "lists with commas"),
    'user,labels\n1,"7,9"\n2,7;9\n3,8\n': (3, "bad-label", "“7;9” is not an item id"),
    'user,labels\n1,"7,9"\n2,"[7, 9]"\n3,8\n': (3, "bad-label", "lists with commas"),
    'user,labels\n1,"7,9"\n2,"7,,9"\n3,8\n': (3, "bad-label", "lists with commas"),
    'user,labels\n1,"7,9"\n2,"7,"\n3,8\n': (3, "bad-label", "lists with commas"),
    'user,labels\n1,"7,9"\n2,7,9\n3,8\n': (3, "row-shape", "3 fields instead of 2"),
    'user,labels\n1,"7,9"\n2,"7,x"\n3,8\n': (3, "bad-label", "“x” is not an item id"),
    '1;"7;9"\n2;7;9\n3;8\n': (2, "row-shape", "3 fields instead of 2"),
    '1,"[7, 9]"\n2,7\n3,[8]\n': (2, "bad-label", "lists as in JSON"),
    '1,"[7, 9]"\n2,"[7, 9"\n3,[8]\n': (2, "bad-label", "lists as in JSON"),
    '1,"[7, 9]"\n2,"[7, 9,]"\n3,[8]\n': (2, "bad-label", "lists as in JSON"),
    '1,"[7, 9]"\n2,"[7, [9]]"\n3,[8]\n': (2, "bad-label", "lists as in JSON"),
    '1,"[7, 9]"\n2,"[7, null]"\n3,[8]\n': (2, "bad-label", "lists as in JSON"),
    '1,"[7, 9]"\n2,"[7, NaN]"\n3,[8]\n': (2, "bad-label", "lists as in JSON"),
    '1,"[7, 9]"\n2,"{""7"": 9}"\n3,[8]\n': (2, "bad-label", "lists as in JSON"),
    '1,"[7, 9]"\n2,"[""7 9""]"\n3,[8]\n': (2, "bad-label", "lists as in JSON"),
    '1,"[7, 9]"\n2,"[""7\\n3""]"\n3,[8]\n': (2, "bad-label", "lists as in JSON"),
    '1,"[7, 9]"\n2,"[""7,9""]"\n3,[8]\n': (2, "bad-label", "“7,9” is not an item id"),
    '1,"[\'7\', 9]"\n2,"[""7""]"\n3,[8]\n': (2, "bad-label", "lists as in Python"),
    '1,"[7, 9]"\n2,[7.0]\n3,[8]\n': (2, "bad-label", "“7.0” is not an item id"),
    "1\t[7, \"9\"]\n2\t[]\n3\t['8', '9']\n": (1, "bad-quote", '“[7, "9"]”'),
    "1,\"['7', '9']\"\n2,\"['7, '9']\"\n3,\n": (2, "bad-label", "lists as in Python"),
    "1,\"['7', '9']\"\n2,\"('7', '9')\"\n3,\n": (2, "bad-label", "lists as in Python"),
    "1,\"['7', '9']\"\n2,\"[None]\"\n3,\n": (2, "bad-label", "lists as in Python"),
    # Not recognized at all: each item is shown.
    'user,labels\n1,"7|9"\n2,\n3,8\n': (2, "bad-label", "“7|9” is not an item id"),
    'user,labels\n1,"(7, 9)"\n2,\n3,8\n': (2, "bad-label", "is not an item id"),
}


@pytest.mark.parametrize("text", BAD, ids=[repr(each) for each in BAD])
def test_a_list_that_is_written_otherwise_is_refused_with_its_line(
    text: str, tmp_path: Path
) -> None:
    (line, code, detail), *_ = problems(text, tmp_path)
    assert (line, code) == BAD[text][:2]
    assert BAD[text][2] in detail


def test_lists_with_spaces_stay_those_of_the_form_of_the_sample(tmp_path: Path) -> None:
    for text in (NUMBERS, "user,labels\n1,7\n2,\n3,8\n", "user,labels\n1,\n2,\n3,\n"):
        assert rewritten(text, tmp_path) == ("", text)


START = b'user,labels\n1,"[7, 9]"\n'
HOSTILE = {
    "brackets without end": (START + b"2," + b"[" * 10_000_000, "line-too-long"),
    "commas without end": (START + b'2,"' + b"7," * 5_000_000 + b'"', "line-too-long"),
    "a quote without end": (START + b'2,"' + b"7\n" * 5_000_000, "bad-quote"),
    "lists within lists": (START + b"2," + b"[" * 4000 + b"\n", "bad-label"),
    "escapes": (START + b'2,"[""' + b"\\u0020" * 600 + b'""]"\n', "bad-label"),
    "fields without end": (START + b"2" + b"," * 4000 + b"\n", "row-shape"),
    "too many rows": (START + b'1,"[7, 9]"\n' * 4000, "too-many-rows"),
    "cells of everything": (b"user,labels\n" + b'2,"[[[;,\'""[[[;,\'"\n' * 4000, "too-many-rows"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_lists_are_refused_in_little_memory(name: str, tmp_path: Path) -> None:
    content, code = HOSTILE[name]
    file = tmp_path / "submission"
    for packed in (content, gzip.compress(content, 1)):
        file.write_bytes(packed)
        tracemalloc.start()
        with pytest.raises(FileRejected) as rejected:
            validate(file, task=TASK, published=PUBLISHED, scratch=tmp_path)
        assert tracemalloc.get_traced_memory()[1] < 160 << 20
        tracemalloc.stop()
        assert str(rejected.value.rejection.problems[0].code) == code
