"""Files in the one encoding that a task takes beside UTF-8."""

from __future__ import annotations

import codecs
import gzip
import lzma
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from podium.scoring.columns import TableColumn
from podium.scoring.containers.detection import open_blocks, open_source
from podium.scoring.engine import judge, read_truth
from podium.scoring.forms import ENCODINGS, FORMS
from podium.scoring.problems import FileRejected
from podium.scoring.splits import SplitRule
from podium.scoring.task import OTTO, Task
from tests.builders.scoring.tables.files import table_task

WORDS = {
    "cp949": ("고객", "펲 포도"),
    "shift_jis": ("りんご", "①髙"),
    "windows-1252": ("Zoë", "“€”"),
    "latin-1": ("Zoë", "¤ §"),
}
"""Two words in each encoding, by its form."""

UNDEFINED = {
    "cp949": (b"\x81 ", b"\x80", b"\xc7\x40", b"\xff"),
    "shift_jis": (b"\x82 ", b"\x80", b"\xfd", b"\x81\xad"),
    "windows-1252": (b"\x81", b"\x8d", b"\x9d"),
    "latin-1": (b"\x80", b"\x93", b"\x9f"),
}
"""Bytes that the encoding has no characters for."""

Pack = Callable[[bytes], bytes]


def task_of(form: str) -> Task:
    name = WORDS[form][0]
    columns = (TableColumn(name=name, type="text"),)
    return table_task(columns, metric="levenshtein", forms=(form, "separators", "containers"))


def rows(form: str, *words: str) -> str:
    return "".join(f"{row}\n" for row in (f"id,{WORDS[form][0]}", *words))


def scored(truth: bytes, submission: bytes, task: Task, folder: Path) -> Any:
    """The distance of a submission, or line and code of each of its problems."""
    (folder / "truth").write_bytes(truth)
    (folder / "submission").write_bytes(submission)
    rule = SplitRule("whole")
    known, published = read_truth(folder / "truth", task=task, published=None, split=rule)
    try:
        found = judge(
            folder / "submission", task=task, published=published, truth=known, scratch=folder
        )
    except FileRejected as rejected:
        return [(each.line, str(each.code)) for each in rejected.rejection.problems]
    return found.splits["all"].values[""]


@pytest.mark.parametrize("form", ENCODINGS)
@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress])
def test_every_file_may_be_utf_8_or_in_the_encoding(tmp_path: Path, form: str, pack: Pack) -> None:
    text = rows(form, *(f"{number},{word}" for number, word in enumerate(WORDS[form])))
    other = pack(text.encode(FORMS[form].codec))
    same = [other, pack(text.encode()), pack(text.encode("utf-8-sig"))]
    same.append(pack(text.replace(",", ";").encode(FORMS[form].codec)))
    for submission in same:
        for truth in same[:3]:
            assert scored(truth, submission, task_of(form), tmp_path) == 0


@pytest.mark.parametrize(
    ("form", "undefined"), [(form, one) for form in ENCODINGS for one in UNDEFINED[form]]
)
def test_what_the_encoding_does_not_have_is_refused_with_its_line(
    tmp_path: Path, form: str, undefined: bytes
) -> None:
    good = rows(form, "1,a", f"2,{WORDS[form][0]}", "3,c").encode(FORMS[form].codec)
    bad = good.replace(b"3,c", b"3,c" + undefined)
    assert scored(good, bad, task_of(form), tmp_path)[0] == (4, "encoding")


@pytest.mark.parametrize("form", ENCODINGS)
def test_a_mark_of_utf_8_binds(tmp_path: Path, form: str) -> None:
    good = rows(form, "1,a", f"2,{WORDS[form][0]}").encode(FORMS[form].codec)
    found = scored(good, codecs.BOM_UTF8 + good, task_of(form), tmp_path)
    assert found == [(1, "encoding")]


@pytest.mark.parametrize("form", ENCODINGS)
def test_a_file_that_is_not_utf_8_at_its_end_is_in_the_encoding_from_its_start(
    tmp_path: Path, form: str
) -> None:
    # The first characters are UTF-8, and others in each of the encodings.
    content = "é".encode() * 300_000 + b"\n" + WORDS[form][0].encode(FORMS[form].codec)
    file = tmp_path / "file"
    file.write_bytes(content)
    text = content.decode(FORMS[form].codec).encode()
    task = replace(OTTO, forms=(form,))
    with open_source(file, task) as source:
        assert source.readall() == text
    # Of a line that is far too long the start is enough.
    assert text.startswith(b"".join(open_blocks(file, task)))


def test_text_in_utf_16_is_not_taken_for_another(tmp_path: Path) -> None:
    text = rows("latin-1", "1,a")
    for encoding in ("utf-16", "utf-16-le", "utf-16-be", "utf-32"):
        found = scored(text.encode(), text.encode(encoding), task_of("latin-1"), tmp_path)
        assert found == [(1, "encoding")]
    wide = replace(task_of("latin-1"), forms=("latin-1", "utf-16"))
    assert scored(text.encode(), text.encode("utf-16"), wide, tmp_path) == 0


def test_a_task_has_one_encoding() -> None:
    with pytest.raises(ValueError, match="in one encoding, not in cp949 or latin-1"):
        replace(OTTO, forms=("cp949", "latin-1"))
