"""Text of the form `utf-16`: read like the same in UTF-8, with the same lines where it is wrong."""

from __future__ import annotations

import bz2
import codecs
import gzip
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import polars as pl
import pytest

from podium.scoring.containers.detection import open_blocks, open_source
from podium.scoring.engine import validate
from podium.scoring.problems import FileRejected
from podium.scoring.published import PublishedIds
from podium.scoring.task import Objective, Task
from tests.builders.scoring.spelled.forms import LIST_FORMS
from tests.builders.scoring.spelled.utf_16 import ENDS, utf_16

TASK = Task(objectives=(Objective("", Decimal(1), "recall@2"),), id_column="user", forms=LIST_FORMS)
PUBLISHED = PublishedIds(pl.Series([1, 2, 3], dtype=pl.Int32), ("",))
GOOD = "user\tlabels\r\n1\t7 8\r\n2\t\r\n3\t9\r\n"


def problems(content: bytes, folder: Path, task: Task = TASK) -> list[tuple[int | None, str]]:
    """Line and code of each problem of a file; none where it is good."""
    file = folder / "submission"
    file.write_bytes(content)
    try:
        validate(file, task=task, published=PUBLISHED, scratch=folder)
    except FileRejected as rejected:
        return [(each.line, str(each.code)) for each in rejected.rejection.problems]
    return []


def text_of(content: bytes, folder: Path) -> str:
    """The text of a file as its readers get it, without the mark; opened in both ways."""
    file = folder / "text"
    file.write_bytes(content)
    text = b"".join(open_blocks(file, TASK))
    with open_source(file, TASK) as source:
        assert source.readall() == text
    return text.decode("utf-8-sig", "surrogatepass")


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress])
def test_text_in_utf_16_is_read_in_every_container(
    tmp_path: Path, end: str, pack: type[bytes]
) -> None:
    assert problems(pack(utf_16(GOOD, end)), tmp_path) == []


@pytest.mark.parametrize("end", ENDS)
def test_characters_of_every_width_are_converted_wherever_pieces_end(
    tmp_path: Path, end: str
) -> None:
    for before in range(4):
        text = "a" * before + "é고😀\n" * 200_000
        assert text_of(utf_16(text, end), tmp_path) == text


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("user,labels\n1,7\n2,\ud83d\n3,9\n", [(3, "encoding"), (None, "missing-ids")]),
        ("user,labels\n1,\ude00\ud83d 7\n2,\n3,9\n", [(2, "encoding"), (None, "missing-ids")]),
        ("1;7\n2;\n3;\ud83d\n", [(3, "encoding"), (None, "missing-ids")]),
        ("user,labels\n1,7\n2,\n3,9\ud83d", [(4, "encoding"), (None, "missing-ids")]),
        ("\ufeffuser,labels\n1,7\n2,\n3,9\n", [(1, "header-mismatch")]),
        ("user,labels\n1,7\n2,\n\ufeff3,9\n", [(4, "bad-id"), (None, "missing-ids")]),
        ("user,labels\n1,7\n2,\0\n3,9\n", [(3, "bad-label")]),
        ("user,labels\n1,7\n2\n3,9\n", [(3, "row-shape"), (None, "missing-ids")]),
        ("", [(1, "empty-file")]),
    ],
)
def test_a_bad_file_is_refused_with_its_lines(
    tmp_path: Path, end: str, text: str, expected: list[tuple[int | None, str]]
) -> None:
    assert problems(utf_16(text, end), tmp_path) == expected


@pytest.mark.parametrize("end", ENDS)
def test_half_of_a_character_at_the_end_is_refused_there(tmp_path: Path, end: str) -> None:
    text = utf_16("user,labels\n1,7\n2,\n3,9", end)
    missing = (None, "missing-ids")
    assert problems(text + b"\0", tmp_path) == [(4, "encoding"), missing]
    assert problems(text[:-1], tmp_path) == [(4, "encoding"), missing]
    assert problems(text + "\n".encode(f"utf-16-{end}") + b"x", tmp_path) == [(5, "encoding")]


def test_other_encodings_are_no_utf_16(tmp_path: Path) -> None:
    for encoding in ("utf-32", "utf-16-le", "utf-16-be"):
        assert problems(GOOD.encode(encoding), tmp_path) == [(1, "encoding")]
    assert problems(codecs.BOM_UTF32_BE + GOOD.encode("utf-32-be"), tmp_path) == [(1, "encoding")]


def test_the_size_of_the_text_is_bounded_as_utf_8(tmp_path: Path) -> None:
    text = GOOD.encode()
    exact = replace(TASK, max_expanded_bytes=len(codecs.BOM_UTF8) + len(text))
    assert problems(utf_16(GOOD, "le"), tmp_path, exact) == []
    less = replace(exact, max_expanded_bytes=exact.max_expanded_bytes - 1)
    assert problems(utf_16(GOOD, "le"), tmp_path, less) == [(None, "expanded-too-large")]
