"""Submissions as JSON: what is read as which form, and what is refused where."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from podium.scoring.columns import TableColumn
from podium.scoring.engine import validate
from podium.scoring.pairs.reading import read_numbers
from podium.scoring.problems import FileRejected, OtherForm
from podium.scoring.published import PublishedIds
from podium.scoring.rewriting.opening import spelled_blocks, spelling_in
from podium.scoring.rows.keys import PublishedRows
from podium.scoring.tables.reading import read_table
from podium.scoring.task import Objective, Task
from podium.scoring.text.blocks import KEPT_BYTES
from tests.builders.reranking.candidates import task_by
from tests.builders.scoring.pairs import pairs_of

TASK = Task(objectives=(Objective("", Decimal(1), "recall@2"),), id_column="user", forms=("json",))
TEXTS = replace(TASK, query_ids="string", item_ids="string")
PUBLISHED = PublishedIds(pl.Series([1, 2, 3], dtype=pl.Int32), ("",))


def rewritten(text: str | bytes, folder: Path, task: Task = TASK) -> tuple[str, str]:
    """The words for the form of a text, and the text of the form `podium`."""
    file = folder / "submission"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    spelling = spelling_in(file, task)
    return spelling.words, b"".join(spelled_blocks(file, task, spelling)).decode()


def refused(action: Callable[[], Any]) -> tuple[str, int | None, int | None, str | None]:
    """The code, line, row and column of the first problem."""
    with pytest.raises(FileRejected) as rejected:
        action()
    first = rejected.value.rejection.problems[0]
    return str(first.code), first.line, first.row, first.column


def checked(text: str | bytes, folder: Path, task: Task = TASK) -> dict[str, int]:
    """The counts of a submission for the ids 1, 2 and 3."""
    file = folder / "submission"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return validate(file, task=task, published=PUBLISHED, scratch=folder)


LISTS = "user,labels\n1,7 9\n2,\n3,8\n"
SAME = {
    '{"user": 1, "labels": [7, 9]}\n{"user": 2, "labels": []}\n{"user": 3, "labels": [8]}\n': (
        "JSON lines"
    ),
    '{"labels":"7 9","user":"1"}\r\n{"user":2,"labels":""}\r\n{"user":3,"labels":8}\r\n': (
        "JSON lines"
    ),
    '{"1": [7, 9], "2": [], "3": ["8"]}': "one JSON object",
    '\n{\n  "1":\n   [7,\n 9],\n"2" : "",\n\t"\\u0033": {"labels": [8]}\n}\n\n': "one JSON object",
    '[{"user": 1, "labels": [7, 9]}, {"labels": [], "user": 2}, {"user": 3, "labels": [8]}]': (
        "a JSON array"
    ),
    '[\n {\n  "user": "1",\n  "labels": [\n 7,\n 9 ]\n },\n{"user":2,"labels":[]}\n,\n'
    '{"user":3,"labels":"8"}\n]\n': "a JSON array",
}


@pytest.mark.parametrize("text", SAME, ids=range(len(SAME)))
def test_json_is_read_as_the_same_lists(text: str, tmp_path: Path) -> None:
    assert rewritten(text, tmp_path) == (SAME[text], LISTS)
    assert rewritten("\ufeff" + text, tmp_path) == (SAME[text], LISTS)
    assert rewritten(gzip.compress(text.encode()), tmp_path) == (SAME[text], LISTS)
    assert checked(text, tmp_path) == {"rows": 3, "missing": 0, "empty": 1}


LINE = '{"user": 1, "labels": [7]}\n'
BAD_LINES = {
    LINE + '{"user": 2, "labels": [7,]}\n': ("bad-json", 2),
    LINE + '{"user": 2, "labels": [7]},\n': ("bad-json", 2),
    LINE + '{"user": 2, "labels": [7]} x\n': ("bad-json", 2),
    LINE + '{"user": 2, "labels": [7]}{"user": 3, "labels": [7]}\n': ("bad-json", 2),
    LINE + '{"user": 2, "labels": [7], "score": 1}\n': ("bad-json", 2),
    LINE + '{"user": 2, "items": [7]}\n': ("bad-json", 2),
    LINE + '{"user": 2, "user": 3, "labels": [7]}\n': ("bad-json", 2),
    LINE + '{"user": 2}\n': ("bad-json", 2),
    LINE + '{"user": 2, "labels": [NaN]}\n': ("bad-json", 2),
    LINE + '{"user": 2, "labels": [-Infinity]}\n': ("bad-json", 2),
    LINE + "2\n": ("bad-json", 2),
    LINE + '[{"user": 2, "labels": [7]}]\n': ("bad-json", 2),
    LINE + '{"user": 2,\n"labels": [7]}\n': ("bad-json", 2),
    LINE + '{"user": 2, "labels": [7': ("bad-json", 2),
    LINE + '{"user": 2, "labels": "7 9\n9"}\n': ("bad-json", 2),
    LINE + '{"user": 2, "labels": [07]}\n': ("bad-json", 2),
    LINE + '{"user": 2, "labels": ' + "[" * 100_000 + "\n": ("bad-json", 2),
    LINE + '{"user": null, "labels": [7]}\n': ("bad-id", 2),
    LINE + '{"user": [2], "labels": [7]}\n': ("bad-id", 2),
    LINE + '{"user": 2.0, "labels": [7]}\n': ("bad-id", 2),
    LINE + '{"user": 2, "labels": null}\n': ("bad-label", 2),
    LINE + '{"user": 2, "labels": true}\n': ("bad-label", 2),
    LINE + '{"user": 2, "labels": {"7": 1}}\n': ("bad-label", 2),
    LINE + '{"user": 2, "labels": [7, null]}\n': ("bad-label", 2),
    LINE + '{"user": 2, "labels": [7, [9]]}\n': ("bad-label", 2),
    LINE + '{"user": 2, "labels": ["7 9"]}\n': ("bad-label", 2),
    LINE + '{"user": 2, "labels": ["7", ""]}\n': ("bad-label", 2),
    LINE + '{"user": 2, "labels": ["7,9"]}\n': ("bad-label", 2),
    LINE + '{"user": 2, "labels": ["7\\"9"]}\n': ("bad-label", 2),
    LINE + '{"user": 2, "labels": ["7\\t9"]}\n': ("bad-label", 2),
    LINE + '{"user": 2, "labels": [7.0]}\n': ("bad-label", 2),
    LINE + '{"user": 2, "labels": [1e3]}\n': ("bad-label", 2),
    LINE + '{"user": 2, "labels": [12345678901234567890]}\n': ("bad-label", 2),
    LINE + '{"user": 2, "labels": [-1]}\n': ("bad-label", 2),
    LINE + '{"user": 2, "labels": ["7\\n3"]}\n': ("bad-character", 2),
    LINE + '{"user": "2\\r", "labels": [7]}\n': ("bad-character", 2),
    LINE + '{"user": 2, "labels": ["\\ud800"]}\n': ("encoding", 2),
    LINE + '\n{"user": 2, "labels": []}\n': ("blank-line", 2),
    LINE + LINE + '{"user": 2, "labels": []}\n': ("duplicate-id", 2),
    LINE + f'{{"user": 2, "labels": [{", ".join(["7"] * KEPT_BYTES)}]}}\n': ("line-too-long", 2),
    LINE + f'{{"user": 2, "labels": [{", ".join(["7"] * 9000)}]}}\n': ("line-too-long", 2),
}


@pytest.mark.parametrize("text", BAD_LINES, ids=[str(each[26:70]) for each in BAD_LINES])
def test_bad_json_lines_are_refused_with_their_line(text: str, tmp_path: Path) -> None:
    code, line = BAD_LINES[text]
    assert refused(lambda: checked(text, tmp_path))[:3] == (code, line, None)


BAD_WHOLES = {
    '{"1": [7], "2": [8],}': ("bad-json", 2),
    '{"1": [7], "2": [8], "3": [9]} {}': ("bad-json", 3),
    '{"1": [7], "2": [8], "3": [9]}' + " " * (3 * KEPT_BYTES) + "]": ("bad-json", 3),
    '{"1": [7], "2": [8': ("bad-json", 1),
    '{"1": [7], "2": [8]': ("bad-json", 1),
    '{"1": [7], "2"': ("bad-json", 1),
    '{"1": [7], "2": nul': ("bad-json", 1),
    '{"1": [7]; "2": [8]}': ("bad-json", 0),
    '{"1": [7], 2: [8]}': ("bad-json", 1),
    '{"1": [7], "2": [8]]': ("bad-json", 1),
    '{"1": [7], "2": {"items": [8]}}': ("bad-json", 1),
    '{"1": [7], "2": {"user": 2, "labels": [8]}}': ("bad-json", 1),
    '{"1": [7], "2": [8], "1": [9]}': ("duplicate-id", 2),
    '{"1": [7], "2": [[8]]}': ("bad-label", 1),
    '{"1": [7], "2,3": [8]}': ("bad-id", 1),
    '{"1": [7], "2\\n3": [8]}': ("bad-character", 1),
    '[{"user": 1, "labels": [7]}, ]': ("bad-json", 1),
    '[{"user": 1, "labels": [7]}': ("bad-json", 0),
    '[{"user": 1, "labels": [7]} {"user": 2, "labels": [7]}]': ("bad-json", 0),
    '[{"user": 1, "labels": [7]}, [2, [7]]]': ("bad-json", 1),
    '[{"user": 1, "labels": [7]}, {"user": 2, "labels": [7], "x": 1}]': ("bad-json", 1),
    '[{"user": 1, "labels": [7]}, {"user": 4, "labels": [7]}]': ("unknown-id", 1),
    f'{{"1": [7], "2": [{"7," * KEPT_BYTES}7]}}': ("line-too-long", 1),
    f'{{"1": [7], "2": "{"7 " * KEPT_BYTES}"}}': ("line-too-long", 1),
    f'{{"1": [7],"2":{" " * KEPT_BYTES}[8]}}': ("line-too-long", 1),
    f'{{"1": [7],"2"{" " * (9 * KEPT_BYTES)}:[8]}}': ("line-too-long", 1),
}


@pytest.mark.parametrize("text", BAD_WHOLES, ids=[each[:50] for each in BAD_WHOLES])
def test_bad_json_is_refused_with_the_entry(text: str, tmp_path: Path) -> None:
    code, row = BAD_WHOLES[text]
    assert refused(lambda: checked(text, tmp_path))[:3] == (code, None, row)


@pytest.mark.parametrize("count", [KEPT_BYTES, 8 * KEPT_BYTES - 20, 25 * KEPT_BYTES])
def test_any_number_of_spaces_may_stand_between_entries(count: int, tmp_path: Path) -> None:
    gap = " " * count
    for text in (
        f'{{"1":[7,9]{gap},{gap}"2":[]{gap},"3":[8]{gap}}}{gap}',
        f'[{{"user":1,"labels":[7,9]}}{gap},{{"user":2,"labels":""}},{gap}'
        f'{{"user":3,"labels":[8]}}{gap}]{gap}',
    ):
        assert rewritten(text, tmp_path)[1] == LISTS
        assert rewritten(gzip.compress(text.encode(), 1), tmp_path)[1] == LISTS


def test_a_problem_names_the_column(tmp_path: Path) -> None:
    assert refused(lambda: checked('[{"user": 1, "labels": [true]}]', tmp_path))[3] == "labels"
    assert refused(lambda: checked('[{"user": 1, "labels": ["x"]}]', tmp_path))[3] == "labels"


def test_other_json_is_refused_by_its_header(tmp_path: Path) -> None:
    for text in ("[]", "{}", "[[1, [7, 9]]]", "[1, 2]", '{"user"', "{user: 1}"):
        code, line, _, _ = refused(partial(checked, text, tmp_path))
        assert (code, line) == ("header-mismatch", 1), text


def test_an_object_that_may_be_a_line_or_have_ids_is_refused(tmp_path: Path) -> None:
    one = '{"user": "a", "labels": "b"}\n'
    assert refused(lambda: rewritten(one, tmp_path, TEXTS))[:2] == ("header-mismatch", 1)
    assert rewritten(one * 2, tmp_path, TEXTS)[0] == "JSON lines"
    assert rewritten(f"[{one}]", tmp_path, TEXTS)[1] == "user,labels\na,b\n"
    # No id of a record is a list, and no list is an object.
    by_id = '{"user": ["a"], "labels": ["b"]}'
    assert rewritten(by_id, tmp_path, TEXTS) == (
        "one JSON object",
        "user,labels\nuser,a\nlabels,b\n",
    )


def test_numbers_and_texts_keep_their_spelling(tmp_path: Path) -> None:
    text = '[{"user": 12345678901234567890, "labels": [1e5, 1.50, "\\u0061", -0]}]\n'
    assert rewritten(text, tmp_path, TEXTS)[1] == (
        "user,labels\n12345678901234567890,1e5 1.50 a -0\n"
    )


TABLE = Task(
    objectives=(Objective("", Decimal(1), "own"),),
    kind="table",
    id_column="id",
    table=(
        TableColumn(name="price", is_optional=True),
        TableColumn(name="good", type="boolean"),
        TableColumn(name="words", type="text"),
        TableColumn(name="tags", type="labels"),
    ),
    forms=("json",),
)
IDS = PublishedRows(pl.DataFrame({"key0": pl.Series([1, 2], dtype=pl.Int32)}))
ROWS: list[dict[str, Any]] = [
    {"id": 1, "price": 1.50, "good": True, "words": 'say "hi", ñ', "tags": ["b", "a"]},
    {"id": 2, "price": None, "good": "0", "words": "x", "tags": []},
]


def table(text: str, folder: Path) -> list[tuple[Any, ...]]:
    """The rows of a table in a text."""
    (folder / "submission").write_text(text)
    return read_table(folder / "submission", task=TABLE, published=IDS).rows()


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(ROWS),
        json.dumps(ROWS, ensure_ascii=False, indent=2),
        "\n".join(map(json.dumps, ROWS)),
        json.dumps({row["id"]: {k: v for k, v in row.items() if k != "id"} for row in ROWS}),
    ],
)
def test_records_have_the_cells_of_tables(text: str, tmp_path: Path) -> None:
    assert table(text, tmp_path) == [
        (1.5, True, 'say "hi", ñ', "a b"),
        (None, False, "x", None),
    ]


@pytest.mark.parametrize(
    ("column", "value", "code"),
    [
        ("price", "true", "bad-label"),
        ("price", '"1,5"', "bad-label"),
        ("price", "[1]", "bad-label"),
        ("price", "1e999", "bad-label"),
        ("good", "null", "bad-label"),
        ("good", "2", "bad-label"),
        ("words", '"a\\nb"', "bad-character"),
        ("words", '"a\\u0000b"', "bad-character"),
        ("words", "[]", "bad-label"),
        ("words", '"\\udfff"', "encoding"),
        ("tags", '["a b"]', "bad-label"),
        ("tags", '["a", "a"]', "bad-label"),
        ("tags", "[1.5, true]", "bad-label"),
        ("id", "true", "bad-id"),
        ("id", '"1"x', "bad-json"),
    ],
)
def test_a_cell_that_its_column_does_not_take_is_refused(
    column: str, value: str, code: str, tmp_path: Path
) -> None:
    good = {key: json.dumps(given) for key, given in ROWS[1].items()}
    second = ", ".join(f'"{key}": {given}' for key, given in {**good, column: value}.items())
    found = refused(lambda: table(f"[{json.dumps(ROWS[0])}, {{{second}}}]", tmp_path))
    assert found[:3] == (code, None, 1)


def test_a_member_of_a_table_has_all_its_columns(tmp_path: Path) -> None:
    assert refused(lambda: table('{"1": 1.5, "2": 2.5}', tmp_path))[:3] == ("bad-json", None, 0)


def test_a_task_that_does_not_take_json_says_that_it_could(tmp_path: Path) -> None:
    with pytest.raises(FileRejected) as rejected:
        checked('{"1": [7], "2": [], "3": []}', tmp_path, replace(TASK, forms=()))
    assert rejected.value.rejection.readable_as == OtherForm("one JSON object", ("json",))
    assert rejected.value.rejection.problems[0].hint == "This looks like JSON. Send a CSV file."


def test_pairs_are_records_and_orders_also_by_id(tmp_path: Path) -> None:
    task, published = task_by("mrr", forms=("json",)), pairs_of((1, 5), (1, 6), (2, 7))

    def numbers(text: str) -> list[float]:
        (tmp_path / "submission").write_text(text)
        (found,) = read_numbers(
            tmp_path / "submission", task=task, published=published, probabilities=False
        )
        return list(found)

    scored = '{"impression": 1, "item": 5, "score": 1e-1}\n{"item": 6, "impression": 1, "score": 2}'
    assert numbers(scored + '\n{"impression": 2, "item": 7, "score": -3}') == [0.1, 2, -3]
    assert numbers('{"1": [6, 5], "2": [7]}') == [-2, -1, -1]
    assert numbers('[{"impression": 1, "items": [6, 5]}, {"impression": 2, "items": "7"}]') == [
        -2,
        -1,
        -1,
    ]
    assert refused(lambda: numbers(scored + '\n{"impression": 2, "item": 7, "score": null}'))[
        :2
    ] == ("bad-label", 3)
    assert refused(lambda: numbers('{"1": [6, 6], "2": [7]}'))[:3] == ("duplicate-id", None, 0)


def test_advice_names_entries_of_json(tmp_path: Path) -> None:
    members = ", ".join(f'"{number % 4}": [7]' for number in range(1, 1500))
    with pytest.raises(FileRejected) as rejected:
        checked(f"{{{members}}}", tmp_path)
    (found,) = rejected.value.rejection.problems
    assert (str(found.code), found.row) == ("too-many-rows", 1003)
    assert "Row 3 is wrong, too: “0” is not among" in str(found.hint)


HOSTILE = {
    "lists within lists": (b'{"1": ' + b"[" * 10_000_000, "bad-json"),
    "objects within objects": (b'[{"user": 1, "labels": ' + b'{"a":' * 2_000_000, "bad-json"),
    "a list without end": (b'{"1": [' + b"7," * 5_000_000, "line-too-long"),
    "a text without end": (b'[{"user": 1, "labels": "' + b"7 " * 5_000_000, "line-too-long"),
    "a key without end": (b'{"1": [7], "' + b"7" * 10_000_000, "line-too-long"),
    "a number without end": (b'{"1": [' + b"7" * 10_000_000 + b"]}", "line-too-long"),
    "spaces without end": (b'{"1": [7],' + b" " * 10_000_000, "bad-json"),
    "spaces after the end": (b'{"1": [7]}' + b" \n" * 5_000_000 + b"x", "bad-json"),
    "a line without end": (b'{"user": 1, "labels": [' + b"7, " * 3_000_000, "line-too-long"),
    "keys without end": (
        b'{"user": 1, ' + b", ".join(b'"%d": 1' % key for key in range(700_000)),
        "line-too-long",
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_json_is_refused_in_little_memory(name: str, tmp_path: Path) -> None:
    text, code = HOSTILE[name]
    for content in (text, gzip.compress(text, 1)):
        tracemalloc.start()
        found = refused(partial(checked, content, tmp_path))
        assert (found[0], tracemalloc.get_traced_memory()[1] < 48 << 20) == (code, True)
        tracemalloc.stop()


def test_entries_are_read_across_the_pieces_of_a_file(tmp_path: Path) -> None:
    """Characters of several bytes, and entries, are cut where a piece of the file ends."""
    rows = [{"id": number, "words": "ñ日\U0001f600" * (number % 900)} for number in range(2000)]
    task = replace(TABLE, table=(TableColumn(name="words", type="text", max_length=3000),))
    expected = "id,words\n" + "".join(f"{row['id']},{row['words']}\n" for row in rows)
    by_id = {row["id"]: row["words"] for row in rows}
    for is_ascii in (True, False):
        for value in (rows, by_id):
            text = json.dumps(value, ensure_ascii=is_ascii)
            assert rewritten(text, tmp_path, task)[1] == expected
        lines = "\n".join(json.dumps(row, ensure_ascii=is_ascii) for row in rows)
        assert rewritten(lines, tmp_path, task)[1] == expected[:-1]
