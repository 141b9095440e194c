"""The spellings of labels that the compiled reader takes, and those it leaves to the other one."""

from __future__ import annotations

import dataclasses
from decimal import Decimal
from pathlib import Path

import pytest

from podium.scoring.task import OTTO, Objective, Task
from podium.scoring.truth.table import LONGEST_LINE
from podium.scoring.truth.well_formed import read_well_formed
from tests.builders.scoring.label_files import KEYED, NUMBERS, SINGLE
from tests.builders.scoring.label_readers import agree, both

PLAIN_NUMBERS = ("0", "2147483647")
PADDED_NUMBERS = ("00", "01", "0000000007")
"""Items of tables, not of JSON."""
LONG = "k" * 63
"""A name that is too long for its place in a row, or beside quotes in JSON."""


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize(
    "text",
    [
        '{"session": 1, "labels": {"clicks": N}}',
        '{"session": 1, "labels": {"clicks": [N]}}',
        '{"session": 1, "labels": {"clicks": [1, N, 3]}}',
        '{"session": N, "labels": {"clicks": [1]}}',
        "session_type,labels\n1_clicks,N",
        "session_type,labels\n1_clicks,5 N 3",
        "session_type,labels\nN_clicks,1",
        "session,type,aid\n1,clicks,N",
        "session,type,aid\nN,clicks,1",
    ],
)
def test_only_plain_numbers_are_taken(tmp_path: Path, text: str, number: str) -> None:
    path = tmp_path / "truth"
    path.write_text(text.replace("N", number))
    plain: tuple[str, ...] = PLAIN_NUMBERS
    if not text.startswith("{") and "N_" not in text and "N,clicks" not in text:
        plain += PADDED_NUMBERS
    assert (agree(path, OTTO) is True) == (number in plain)


@pytest.mark.parametrize(
    "labels",
    [
        '{"clicks": 1,}',
        '{"clicks": 1, }',
        '{, "clicks": 1}',
        '{"clicks": 1 "carts": 2}',
        '{"clicks": 1,, "carts": 2}',
        '{"clicks": 1, "clicks": 2}',
        '{"clicks": [1, ]}',
        '{"clicks": [1 2]}',
        '{"clicks": [1, 02]}',
        '{"clicks": [1, 2}',
        '{"clicks": 1, 2}',
        '{"clicks": +1}',
        '{"clicks": 2147483648}',
        '{"clicks": 99999999999}',
        '{"click": 1}',
        '{"clicks": 1}}',
        '{"clicks": 1',
        '{"clicks": [[1]]}',
        '{"clicks": {"a": 1}}',
        '{"clicks": "1"}',
        '{"clicks": 1}, "labels": {}',
        '{"clicks": 1}, "events": []',
        '{"clicks": 1, "cl\\u0069cks": 2}',
        '{"clicks": 1}\x00',
        "1",
        "[1]",
        "null",
    ],
)
def test_what_only_looks_like_label_json_is_doubted(tmp_path: Path, labels: str) -> None:
    path = tmp_path / "truth"
    path.write_text(f'{{"session": 7, "labels": {labels}}}\n')
    assert both(path, OTTO, None) == (None, None)


@pytest.mark.parametrize(
    "labels",
    [
        '{"carts": 1, "carts": 2}',
        '{"clicks": 1, "clicks": 2}',
        '{"clicks": 1, "carts": 2, "clicks": 1}',
        '{"clicks": 1, "carts": 2, "clicks": 1, "x": 1}',
        '{"x": 1 "carts": 2}',
        '{"x": 1, }',
        '{"x": 01}',
        '{"x: 1}',
        "{x: 1}",
        '{"x"; 1}',
        '{"x\t": 1}',
        "{1: 1}",
        "[1, 2",
        "[1, 2]]",
        "01",
    ],
)
def test_what_only_looks_like_labels_of_one_objective_is_doubted(
    tmp_path: Path, labels: str
) -> None:
    path = tmp_path / "truth"
    path.write_text(f'{{"session": 7, "labels": {labels}}}\n')
    assert both(path, KEYED, None) == (None, None)


@pytest.mark.parametrize(
    "labels",
    [
        '{"x": "text"}', '{"x": [[1]]}', '{"x": -1}', '{"x": 2147483648}', '{"\\u0078": 1}',
        '{"é": 1}', '{"x" : 1}', '{ "carts": 1}', '{"carts":  1}', '{"carts": [ 1]}', "{} ",
        "{" + ", ".join(f'"{number}": 1' for number in range(17)) + "}", "null",
    ],
)  # fmt: skip
def test_odd_labels_of_one_objective_are_left_to_the_collecting_reader(
    tmp_path: Path, labels: str
) -> None:
    path = tmp_path / "truth"
    path.write_text(f'{{"session": 7, "labels": {labels}}}\n')
    fast, _ = both(path, KEYED, None)
    assert fast is None


@pytest.mark.parametrize("labels", ["1", "[]", "[1, 2]", "[2,1]", "{}", '{"x": [3, 3], "y": 0}'])
def test_the_only_objective_may_be_left_unnamed(tmp_path: Path, labels: str) -> None:
    path = tmp_path / "truth"
    path.write_text(f'{{"session": 7, "labels": {labels}}}\n')
    assert agree(path, KEYED)
    assert agree(path, SINGLE)


def test_as_many_entries_for_others_as_are_noted_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "truth"
    others = "".join(f'"{number}": [{number}], ' for number in range(16))
    path.write_text(f'{{"session": 7, "labels": {{{others}"carts": 5}}}}\n')
    assert agree(path, KEYED)
    labels = read_well_formed(path, task=KEYED, published=None)
    assert labels is not None
    assert labels.ignored == 16
    assert labels.frame.rows() == [(0, 5)]


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("session,type,aid", "42,carts,1 9"),
        ("session,type,aid", "42_carts,1"),
        ("session_type,labels", "42,carts,9"),
        ("session_type,labels", '42_carts"9'),
        ("session_type,labels", '"42_carts,9'),
        ("session_type,labels", '42_carts","9'),
        ("session_type,labels", "42_carts,9,"),
        ("session_type,labels,Usage", "42_carts,9,all"),
        ("session_type,labels,Usage", "42_carts,9,"),
        ("session,type,aid,relevance", "42,carts,1,"),
        ("session,type,aid,relevance", "42,carts,1,1e0"),
        ("session,type,aid,relevance", "42,carts,1,-1"),
        ("session_type,labels", "042_carts,9"),
        ("session_type,labels", "42_cart,9"),
    ],
)
def test_every_other_spelling_of_a_row_is_doubted(tmp_path: Path, header: str, row: str) -> None:
    path = tmp_path / "truth"
    path.write_text(f"{header}\n{row}\n")
    assert read_well_formed(path, task=OTTO, published=None) is None


def named(*names: str, keys: tuple[str, ...] = (), id_column: str = "session_type") -> Task:
    given = keys or ("",) * len(names)
    objectives = (
        Objective(name, Decimal(1), "recall@20", key)
        for name, key in zip(names, given, strict=True)
    )
    return dataclasses.replace(OTTO, objectives=tuple(objectives), id_column=id_column)


@pytest.mark.parametrize(
    ("task", "text"),
    [
        (named("a", "a"), '{"session": 7, "labels": {"a": 1}}\n'),
        (named("a", "b", keys=("x", "x")), '{"session": 7, "labels": {"x": 1}}\n'),
        (named("a", "b", keys=("x", "\\u0078")), '{"session": 7, "labels": {"\\u0078": 1}}\n'),
        (named("a", "b", keys=("a", "é")), '{"session": 7, "labels": {"é": 1}}\n'),
        (named("a", "b", keys=("a", LONG)), f'{{"session": 7, "labels": {{"{LONG}": 1}}}}\n'),
        (named(LONG), f"session_type,labels\n7_{LONG},1\n"),
        (named("", "a"), "session_type,labels\n7,1\n7_a,2\n"),
        (named("", "a"), "session_type,labels\n7_a,2\n"),
        (named(*(f"n{number}" for number in range(65))), '{"session": 7, "labels": {"n64": 1}}\n'),
        (named("", id_column="Usage"), "Usage,item\n7,1\n"),
        (named("", id_column="Usage"), "Usage,labels\n7,1\n"),
        (named("", id_column="relevance"), "relevance,item\n7,1\n"),
        (named("", id_column="labels"), "labels,labels\n7,1\n"),
        (named("", id_column='"id"'), '"id",labels\n7,1\n'),
    ],
)  # fmt: skip
def test_tasks_with_odd_names_are_read_alike(tmp_path: Path, task: Task, text: str) -> None:
    path = tmp_path / "truth"
    path.write_text(text)
    assert agree(path, task) is not True


@pytest.mark.parametrize(
    ("task", "text"),
    [
        (named(*(f"n{number}" for number in range(64))),
         '{"session": 7, "labels": {"n63": 1, "n0": 2, "n31": 3, "n32": 4}}\n'),
        (named(*(f"n{number}" for number in range(100))),
         "session_type,labels\n7_n99,1\n7_n0,2\n8_n64,5\n"),
        (named("a", "b", keys=("x y", "]}")), '{"session": 7, "labels": {"x y": 1, "]}": [2]}}\n'),
        (named("a\\b", "!"), "session_type,labels\n7_a\\b,1\n7_!,2\n"),
        (named("a;b", "c"), "session,type,aid\n7,a;b,1\n7,c,2\n"),
        (named(LONG[1:]), f"session_type,labels\n7_{LONG[1:]},1\n"),
        (named("a", "b", keys=("a", LONG[3:])),
         f'{{"session": 7, "labels": {{"{LONG[3:]}": 1}}}}\n'),
        (dataclasses.replace(SINGLE, labels_column="item"), "user,item\n7,1 2\n"),
        (dataclasses.replace(named("", id_column="session"), labels_column="aid"),
         "session,aid\n7,1 2\n9,\n"),
        (dataclasses.replace(OTTO, id_column="q 0", labels_column="x"), "q 0,x\n7_carts,1\n"),
        (named("", id_column="#id"), "#id,labels\n7,1\n"),
        (dataclasses.replace(named("", id_column="q 0 d"), labels_column="x 1"),
         "q 0 d,x 1\n7,1\n"),
        (dataclasses.replace(named("", id_column="고객ID"), labels_column="추천상품"),
         "고객ID,추천상품\n7,1 2\n"),
        (named("", id_column="{id}"), "{id},labels\n7,1\n"),
        (named("", id_column="[0]"), "[0],labels\n7,1\n"),
        (named("", id_column="<b>"), "<b>,labels\n7,1\n"),
        (named("", id_column="a;b"), "a;b,labels\n7,1\n"),
        (named("", id_column='"id", old'), '"""id"", old",labels\n7,1\n'),
    ],
)  # fmt: skip
def test_tasks_with_other_names_are_taken(tmp_path: Path, task: Task, text: str) -> None:
    path = tmp_path / "truth"
    path.write_text(text)
    assert agree(path, task)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert agree(path, task)


@pytest.mark.parametrize("end", ["", "\n", "\r\n", "\r\n\n", "\n7_carts,1\n", "\r\n7_carts,1\n"])
@pytest.mark.parametrize("less", [0, 1, 2, -1, -2])
def test_a_line_is_as_long_as_the_collecting_reader_lets_it_be(
    tmp_path: Path, end: str, less: int
) -> None:
    path = tmp_path / "truth"
    row = "7_clicks,"
    items, size = list[str](), LONGEST_LINE - less - len(row)
    while size > 20:
        items.append(f"{len(items) + 10_000}")
        size -= 6
    items.append("9" * min(9, size) if size < 11 else f"{'9' * 9} {'8' * (size - 10)}")
    line = row + " ".join(items)
    assert len(line) == LONGEST_LINE - less
    path.write_text(f"session_type,labels\n{line}{end}", newline="")
    taken = agree(path, OTTO)
    if less < 0:
        assert taken is None
    elif less:
        assert taken
