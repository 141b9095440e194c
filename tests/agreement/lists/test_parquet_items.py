"""Parquet with one item in each row has the lists of the form `podium`, by all readers."""

from __future__ import annotations

import io
import random
from collections import Counter, deque
from dataclasses import replace
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from podium.scoring.combining.converting import convert
from podium.scoring.problems import FileRejected
from podium.scoring.rewriting.opening import form_of, spelling_in
from podium.scoring.rewriting.parquet_rows import item_row_pieces
from podium.scoring.task import Objective, Task
from tests.builders.scoring.mutations import Case, competition
from tests.builders.scoring.spelled.forms import ORDERS, item_rows, lists_of, podium_text
from tests.builders.scoring.spelled.reading import read

FILES = 150


def parquet_of(dice: random.Random, names: list[str], rows: list[list[str]], *kinds: str) -> bytes:
    """The rows with columns of types that may hold them, in any order and in several groups."""
    columns = {}
    for name, cells, kind in zip(names, zip(*rows, strict=True), kinds, strict=True):
        texts = pl.Series(name, cells, dtype=pl.String)
        if kind == "string":
            columns[name] = texts.cast(dice.choice((pl.String, pl.Categorical)))
            if name != names[0] and dice.random() < 0.5:
                # An empty list has a row without an item.
                columns[name] = columns[name].set(texts == "", None)
        elif kind == "number":
            columns[name] = texts.cast(pl.Float64)
        else:
            columns[name] = texts.set(texts == "", None).cast(dice.choice((pl.Int64, pl.UInt32)))
    target = io.BytesIO()
    frame = pl.DataFrame(columns).select(dice.sample(names, len(names)))
    frame.write_parquet(target, row_group_size=dice.choice((2, 1000)))
    return target.getvalue()


def cases(seed: int) -> Any:
    """Files with their task, and the same lists in the form `podium`."""
    for number in range(FILES):
        dice = random.Random(f"parquet items/{seed}/{number}")
        task, sessions = competition(dice)
        order = ORDERS[number % len(ORDERS)]
        task = replace(task, forms=("item-rows",))
        lists = lists_of(dice, task, sessions)
        names = [task.id_column, task.item_column, *filter(None, (order,))]
        rows = item_rows(dice, lists, order, dice.choice(("lists", "rows", "not")))
        query_ids = "string" if task.names != ("",) else task.query_ids
        # Text is what programs write where they have not looked.
        item_ids = dice.choice((task.item_ids, "string"))
        of_order = {"": [], "rank": ["integer"], "score": ["number"]}[order]
        content = parquet_of(dice, names, rows, query_ids, item_ids, *of_order)
        yield Case(str(number), content, task, sessions), podium_text(task, lists), order


def test_every_file_has_the_lists_of_the_form_podium(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    met = Counter[str]()
    for case, text, _ in cases(1):
        plain = replace(case, text=text, task=replace(case.task, forms=()))
        expected = read(plain, tmp_path)
        assert isinstance(expected, tuple), (case, expected)
        assert read(case, tmp_path) == expected, case
        with monkeypatch.context() as without:
            without.setattr("podium.scoring.lists.reading.kernel", lambda: None)
            assert read(case, tmp_path) == expected, case
        (tmp_path / "submission.csv").write_bytes(case.text)
        met[form_of(tmp_path / "submission.csv", case.task).form] += 1
    assert met == {
        "one item per row, in the order of the file": FILES // 3,
        "one item per row, by rank": FILES // 3,
        "one item per row, by score": FILES // 3,
    }


def test_a_converted_file_has_the_same_lists(tmp_path: Path) -> None:
    file, new = tmp_path / "items.parquet", tmp_path / "new.csv"
    for case, text, order in islice(cases(3), 30):
        file.write_bytes(case.text)
        plain = replace(case.task, forms=())
        found = convert(file, task=plain, published=case.published, scratch=tmp_path, to=new)
        assert found is not None
        assert found.forms == ("item-rows",), order
        expected = read(replace(case, text=text, task=plain), tmp_path)
        assert read(replace(case, text=new.read_bytes(), task=plain), tmp_path) == expected


def test_a_task_without_the_form_says_which_one_would_read_the_file(tmp_path: Path) -> None:
    for case, _, order in cases(2):
        rejection = read(replace(case, task=replace(case.task, forms=())), tmp_path)
        assert rejection.problems[0].code == "parquet-schema"
        assert rejection.readable_as.forms == ("item-rows",), (order, rejection)


@pytest.mark.parametrize(
    ("columns", "detail", "row"),
    [
        ({"item": pl.Series([[1], [2]])}, "instead of integers or strings", None),
        ({"item": pl.Series([1.0, 2.0])}, "instead of integers or strings", None),
        ({"rank": pl.Series([True, False])}, "instead of numbers", None),
        ({"rank": pl.Series([1.0, 2.5])}, "“1.0” is not a rank", 0),
        ({"rank": pl.Series([1, None])}, "“” is not a rank", 1),
        ({"user": pl.Series(["7", None])}, "the value is missing", 1),
        ({"item": pl.Series(["1", "2,3"])}, "the value holds a comma", 1),
        ({"item": pl.Series(["1", "x"])}, "“x” is not an item id", 1),
        ({"user": pl.Series([7, 9])}, "“9” is not among the published ids", 1),
    ],
)
def test_what_is_wrong_has_its_row(
    tmp_path: Path, columns: dict[str, pl.Series], detail: str, row: int | None
) -> None:
    rows = {"user": pl.Series([7, 7]), "item": pl.Series([1, 2]), "rank": pl.Series([1, 2])}
    rejection = verdict({**rows, **columns}, tmp_path)
    assert detail in rejection.problems[0].detail, rejection
    assert (rejection.problems[0].row, rejection.problems[0].line) == (row, None)


def test_a_small_file_does_not_become_a_large_group(tmp_path: Path) -> None:
    many = pl.Series([7], dtype=pl.UInt8).new_from_index(0, (1 << 21) + 1)
    columns = dict.fromkeys(("user", "item", "rank"), many)
    rejection = verdict(columns, tmp_path, row_group_size=1 << 22)
    assert rejection.problems[0].code == "resource-limit"
    assert "a row group holds more than 2,097,152 values" in rejection.problems[0].detail


def test_a_small_file_does_not_become_a_large_text(tmp_path: Path) -> None:
    many = pl.Series(["0" * 60]).new_from_index(0, 1 << 21)
    users = pl.Series([7], dtype=pl.UInt8).new_from_index(0, 1 << 21)
    file = tmp_path / "many.parquet"
    pl.DataFrame({"user": users, "item": many}).write_parquet(file, row_group_size=1 << 20)
    task = Task(objectives=(Objective("", Decimal(1)),), id_column="user", forms=("item-rows",))
    with pytest.raises(FileRejected) as rejected:
        deque(item_row_pieces(file, task, spelling_in(file, task)), maxlen=0)
    assert rejected.value.rejection.problems[0].code == "expanded-too-large"


@pytest.mark.parametrize("names", [("*", "item"), ("user", "*")])
def test_names_of_columns_are_no_patterns(tmp_path: Path, names: tuple[str, str]) -> None:
    user, item = names
    task = Task(
        objectives=(Objective("", Decimal(1)),),
        id_column=user,
        item_column=item,
        labels_column="labels",
        forms=("item-rows",),
    )
    target = io.BytesIO()
    frame = pl.DataFrame({user: [7, 7, 9], item: [1, 2, 3], "rank": [2, 1, 1]})
    frame.write_parquet(target)
    text = f"{user},labels\n7,2 1\n9,3\n".encode()
    expected = read(Case("", text, replace(task, forms=()), [7, 9]), tmp_path)
    assert isinstance(expected, tuple), expected
    assert read(Case("", target.getvalue(), task, [7, 9]), tmp_path) == expected


def verdict(columns: dict[str, pl.Series], folder: Path, **writing: Any) -> Any:
    """The lists or the rejection of a file with these columns, where 7 is the only id."""
    target = io.BytesIO()
    pl.DataFrame(columns).write_parquet(target, **writing)
    task = Task(
        objectives=(Objective("", Decimal(1)),),
        id_column="user",
        labels_column="labels",
        forms=("item-rows",),
    )
    return read(Case("", target.getvalue(), task, [7]), folder)
