"""Files in the forms that a competition takes beside `podium`: what is read, and what is wrong."""

from __future__ import annotations

import gzip
import lzma
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from podium.scoring.engine import validate
from podium.scoring.problems import FileRejected, Problem
from podium.scoring.published import PublishedIds
from podium.scoring.rewriting.opening import spelling_in
from podium.scoring.rewriting.separators import with_commas
from podium.scoring.rewriting.spelling import HEAD_BYTES, fields_by
from podium.scoring.task import OTTO, Objective, Task
from tests.builders.scoring.spelled.forms import LIST_FORMS

TASK = Task(objectives=(Objective("", Decimal(1), "recall@2"),), id_column="user", forms=LIST_FORMS)
PUBLISHED = PublishedIds(pl.Series([1, 2, 3], dtype=pl.Int32), ("",))
DEEP = "user,item\n" + "".join(f"1,{item}\n" for item in range(9000)) + "2,\n3,\n"


def problems(text: str | bytes, folder: Path, **changes: Any) -> list[Problem]:
    """The problems of a text, or of the bytes of a file; none where it is good."""
    file = folder / "submission"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    try:
        validate(file, task=replace(TASK, **changes), published=PUBLISHED, scratch=folder)
    except FileRejected as rejected:
        return list(rejected.rejection.problems)
    return []


GOOD = {
    "user\tlabels\n1\t7 8\n2\t\n3\t9\n": "separated by tabs",
    "1;7 8\n2;\n3;9\n": "separated by semicolons; no header",
    "1::7 8\n2::\n3::9\n": "separated by “::”; no header",
    "1,7 8\n2,\n3,9\n": "no header",
    "user,labels\n1,7\n2,\n3,9\n": "",
    "labels,user\n7,1\n,2\n9,3\n": "",
    "user,item\n1,7\n1,8\n2,\n3,9\n": "one item per row, in the order of the file",
    "user,labels,rank\n1,7,2\n1,8,1\n2,,1\n3,9,1\n": "one item per row, by rank",
    "1,7\n1,8\n2,\n3,9\n": "one item per row, in the order of the file; no header",
    "user;item;rank\n1;7;2\n1;8;1\n2;;5\n3;9;0\n": "one item per row, by rank;"
    " separated by semicolons",
    "score,item,user\n-1e3,7,1\n0.5,8,1\n0,,2\n1,9,3\n": "one item per row, by score",
    "n;user;labels\n1;1;7 8\n2;2;\n3;3;9\n": "without “n”; separated by semicolons",
    'labels,note,user\n7 8,"a, b",1\n,,2\n9,,3\n': "without “note”",
    DEEP: "one item per row, in the order of the file",
}


@pytest.mark.parametrize("text", GOOD, ids=[text[:20] for text in GOOD])
def test_a_file_of_a_form_is_read_and_named(text: str, tmp_path: Path) -> None:
    assert problems(text, tmp_path) == []
    assert spelling_in(tmp_path / "submission", TASK).words == GOOD[text]


BAD = {
    "user,item,rank\n1,7,2\n1,8,2\n2,,1\n3,9,1\n": [(3, "bad-number", "rank")],
    "user,item,rank\n1,7,1\n1,8,-1\n2,5,01\n3,9,1.0\n": [
        (3, "bad-number", "rank"),
        (4, "bad-number", "rank"),
        (5, "bad-number", "rank"),
    ],
    "user,item,score\n1,7,.5\n2,8,NaN\n3,9,1e101\n": [
        (2, "bad-number", "score"),
        (3, "bad-number", "score"),
        (4, "bad-number", "score"),
    ],
    "user,item\n1,7 8\n2,\n3,9\n": [(2, "bad-label", "item")],
    "user,item\n1,7\n2,\n3,9\n1,\n": [(5, "bad-label", "item")],
    "user,item\n1,7\n\n\n2,\n3,9\n": [(3, "blank-line", None), (4, "blank-line", None)],
    "user,item\n1,7,5\n2,x\n4,7\n03,7\n": [
        (2, "row-shape", None),
        (3, "bad-label", "item"),
        (4, "unknown-id", "user"),
        (5, "bad-id", "user"),
        (None, "missing-ids", "user"),
    ],
    "user,item\n1,7\n1,8\n3,9\n": [(None, "missing-ids", "user")],
    "1;7 8\n2;\n\n3;9\n": [(3, "blank-line", None)],
    "1;7 8\n2;\n4;9\n2;5\n": [
        (3, "unknown-id", "user"),
        (4, "duplicate-id", "user"),
        (None, "missing-ids", "user"),
    ],
    "1\t7,,8\n2\t\n3\t9\n": [(1, "bad-label", "labels")],
    '1;7 8\n2;"\n3;9\n': [(2, "bad-quote", None), (None, "missing-ids", "user")],
    # The third column may be a rank, or a score.
    "1,7,1\n1,8,2\n2,5,1\n3,5,1\n": [(1, "header-mismatch", None)],
    # An id that occurs twice is not made two rows of a list.
    "user,labels\n1,7\n1,7\n2,8\n3,9\n": [(3, "duplicate-id", "user")],
    # A column that is ignored hides no broken line.
    'user,labels,n\n1,7,"a\n2,8,b"\n3,9,x\n': [(2, "bad-quote", None)],
    'n,user,labels\n"a,1,7\nb,2,8\nc,3,9\n': [(2, "bad-quote", None)],
    'user,n,labels\n1,a"x,7,b"y,8\n2,b,\n3,c,\n': [(2, "bad-quote", None)],
    "user,labels,n\n1,7,a\rb\n2,8,\n3,9,\n": [(2, "line-endings", None)],
    "user,labels,n\n1,7,\n2,8,\x00\n3,9,\n": [(3, "bad-character", None)],
    "user,labels,n\n1,7,\n2,8,\n3,9,\x1a\n": [(4, "bad-character", None)],
    # Commas outside of quotes do not separate where semicolons do.
    'user;labels\n"1",7;8\n2;\n3;9\n': [(2, "bad-quote", None), (None, "missing-ids", "user")],
    # The header is the first line, and its quotes are whole.
    "\nuser,item\n1,7\n2,\n3,\n": [(1, "header-mismatch", None)],
    '"user,item\n1,7\n2,\n3,\n': [(1, "header-mismatch", None)],
    # An item that is missing is seen below the last one that counts, too.
    "user,item\n1,7\n1,8\n1,9\n1,\n2,\n3,\n": [(5, "bad-label", "item")],
    # Which of two fields is missing is not known.
    "n,user,labels\n1,1,7\n2,2\n3,3,x\n": [(3, "row-shape", None)],
    "n,user,labels\n1,1,7\n2,2,y\n3,4,x\n": [
        (3, "bad-label", "labels"),
        (4, "unknown-id", "user"),
        (4, "bad-label", "labels"),
        (None, "missing-ids", "user"),
    ],
    "user,item,place\n1,7,1\n": [(1, "header-mismatch", None)],
}


@pytest.mark.parametrize("text", BAD, ids=[text[:25] for text in BAD])
def test_a_bad_file_of_a_form_is_refused_with_its_own_lines(text: str, tmp_path: Path) -> None:
    found = problems(text, tmp_path)
    assert [(each.line, str(each.code), each.column) for each in found] == BAD[text]


def test_texts_name_the_lines_of_the_file_itself(tmp_path: Path) -> None:
    assert (
        problems("1;7\n2;\n3;9\n2;5\n", tmp_path, forms=("separators", "no-header"))[0].detail
        == "“2” occurs twice: on line 2 and on line 4"
    )
    rank = problems("user,item,rank\n1,7,2\n2,1,1\n1,8,2\n3,9,1\n", tmp_path)[0]
    assert rank.detail == "rank 2 occurs twice: on line 2 and on line 4"


def test_hints_name_the_lines_of_the_file_itself(tmp_path: Path) -> None:
    text = "1;7 8\n2;8\n" + "3;9\n" * 1500
    (found,) = problems(text, tmp_path, forms=("separators", "no-header"))
    assert (found.line, str(found.code)) == (1004, "too-many-rows")
    assert str(found.hint).endswith(
        "Line 4 is wrong, too: “3” occurs twice: on line 3 and on line 4."
    )


def _with_zeros(ids: list[int], zeros: int) -> bytes:
    rows = "".join(f"{each},7\n" for each in ids[1:-1]) + f"{ids[-1]},7 8\n"
    return f"user,labels\n{ids[0]},{'0' * zeros}\n{rows}".encode()


def test_a_line_that_is_cut_by_the_head_decides_nothing(tmp_path: Path) -> None:
    """Compressed text comes in larger blocks than the head, which cuts a line of them: here an id,
    to one that occurs before."""
    ids = [*(10**digits for digits in range(9)), *range(10**9, 10**9 + 6000)]
    published = PublishedIds(pl.Series(ids, dtype=pl.Int32), ("",))
    task = replace(TASK, item_column="labels")
    texts = [_with_zeros(ids, zeros) for zeros in range(10)]
    cut = {text: text[:HEAD_BYTES].rpartition(b"\n")[2] for text in texts}
    text = next(text for text in texts if cut[text] in (b"1", b"10", b"100", b"1000"))
    file = tmp_path / "submission"
    file.write_bytes(gzip.compress(text))
    validate(file, task=task, published=published, scratch=tmp_path)


def test_lists_beside_a_further_column_are_no_rows_of_items(tmp_path: Path) -> None:
    assert not problems("user,labels,score\n1,7 8,0.5\n2,,1\n3,9,2\n", tmp_path)
    assert spelling_in(tmp_path / "submission", TASK).words == "without “score”"


def test_a_long_name_is_cut_where_the_form_is_named(tmp_path: Path) -> None:
    name = "A" * 3000 + "\u202e"
    assert not problems(f"user,labels,{name}\n1,7,\n2,,\n3,,\n", tmp_path)
    words = spelling_in(tmp_path / "submission", TASK).words
    assert words == f"without “{'A' * 64}”…"


@pytest.mark.parametrize("form", LIST_FORMS)
def test_a_form_is_read_only_where_the_task_names_it(form: str, tmp_path: Path) -> None:
    of_form: dict[str, str | bytes] = {
        "separators": "user;labels\n1;7\n2;\n3;9\n",
        "no-header": "1,7\n2,\n3,9\n",
        "extra-columns": "user,labels,n\n1,7,1\n2,,2\n3,9,3\n",
        "json": '{"1": [7], "2": [], "3": [9]}',
        "cell-lists": 'user,labels\n1,"7,8"\n2,[]\n3,9\n',
        "item-rows": "user,item\n1,7\n1,8\n2,\n3,9\n",
        "containers": lzma.compress(b"user,labels\n1,7\n2,\n3,9\n"),
        "utf-16": "user,labels\n1,7\n2,\n3,9\n".encode("utf-16"),
    }
    codes = {
        "cell-lists": "bad-label",
        "containers": "unsupported-media-type",
        "utf-16": "encoding",
    }
    assert not problems(of_form[form], tmp_path, forms=(form,))
    others = tuple(each for each in LIST_FORMS if each != form)
    found = problems(of_form[form], tmp_path, forms=others)
    assert {str(each.code) for each in found} == {codes.get(form, "header-mismatch")}


def test_repeated_items_are_refused_where_the_task_says_so(tmp_path: Path) -> None:
    text = "user,item\n1,7\n1,8\n2,\n3,9\n1,7\n"
    assert not problems(text, tmp_path, submission_duplicates="reject")  # behind the second
    found = problems("user,item\n1,7\n1,7\n2,\n3,9\n", tmp_path, submission_duplicates="reject")
    assert [(each.line, str(each.code), each.column) for each in found] == [
        (3, "duplicate-label", "item")
    ]
    assert found[0].detail.startswith("“7” occurs twice among the first 2 items: on line 2 and")


def test_a_tie_at_the_last_counted_place_is_refused(tmp_path: Path) -> None:
    """With equal ranks, either of two items could be the last one that counts."""
    text = "user,item,rank\n1,7,1\n1,8,2\n1,9,2\n2,,1\n3,,1\n"
    assert [each.line for each in problems(text, tmp_path)] == [4]


def test_tasks_without_lists_have_no_item_rows() -> None:
    with pytest.raises(ValueError, match="no submissions of the form item-rows"):
        replace(
            OTTO,
            kind="scores",
            objectives=(Objective("", Decimal(1), "auc"),),
            forms=("item-rows",),
        )
    with pytest.raises(ValueError, match="“csv” is not a form"):
        replace(OTTO, forms=("csv",))


def test_fields_are_split_outside_quotes() -> None:
    assert fields_by(b'1::"a::b"::::"', b"::") == [b"1", b'"a::b"', b"", b'"']
    assert fields_by(b";", b";") == [b"", b""]
    assert fields_by(b'"a";', b";") == [b'"a"', b""]
    assert with_commas(b'1;2,3;"4,5"\r\n"6";7\n', b";") == b'1,"2,3","4,5"\r\n"6",7\n'
