"""Solutions of tables: types, problems by line, splits, and what is stored."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from io import BytesIO
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from podium.scoring.columns import TableColumn
from podium.scoring.metrics.rows.forms import label_text
from podium.scoring.problems import FileRejected, Problem
from podium.scoring.rows.keys import PublishedRows
from podium.scoring.scores.perfect_tables import perfect_columns, shuffled_columns
from podium.scoring.solutions.tables import read_table_ids, read_true_table
from podium.scoring.splits import BOTH, IGNORED, PRIVATE, PUBLIC, SplitRule
from podium.scoring.tables.truth import TrueTable
from podium.scoring.task import Objective, Task
from podium.scoring.truth.canonical import GroundTruthCorrupt
from tests.builders.scoring.tables.files import ids_of, table_task

USAGE = SplitRule("usage")
WHOLE = SplitRule("whole")
HASH = SplitRule("hash", b"secret", Decimal("0.5"))

OWN = table_task()


def read(
    path: Path,
    text: str | bytes,
    *,
    split: SplitRule = WHOLE,
    task: Task = OWN,
    published: PublishedRows | None = None,
) -> tuple[TrueTable, PublishedRows]:
    file = path / "solution"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_true_table(file, task=task, published=published, split=split)


def problems(path: Path, text: str | bytes, **given: Any) -> list[tuple[Any, ...]]:
    with pytest.raises(FileRejected) as caught:
        read(path, text, **given)
    return [_place(each) for each in caught.value.rejection.problems]


def _place(problem: Problem) -> tuple[Any, ...]:
    line = problem.line if problem.row is None else problem.row
    return str(problem.code), line, problem.column


@pytest.mark.parametrize(
    ("cells", "kind", "values"),
    [
        (["1", "-2", "007"], pl.Int64, [1, -2, 7]),
        (["1", "", "3"], pl.Float64, [1.0, None, 3.0]),
        (["1", "NA", "nan"], pl.Float64, [1.0, None, None]),
        (["1.", ".5", "-2e3"], pl.Float64, [1.0, 0.5, -2000.0]),
        (["True", "false", "TRUE"], pl.Boolean, [True, False, True]),
        (["true", "", "False"], pl.Boolean, [True, None, False]),
        (["1", "0", "true"], pl.String, ["1", "0", "true"]),
        (["a", "", "NA"], pl.String, ["a", None, "NA"]),
        (["", "", ""], pl.Float64, [None, None, None]),
        (["NA", "NA", "NA"], pl.Float64, [None, None, None]),
        (["99999999999999999999", "1", "2"], pl.String, ["99999999999999999999", "1", "2"]),
        (['"a,b"', '"c ""d"""', "e"], pl.String, ["a,b", 'c "d"', "e"]),
    ],
)
def test_types_are_those_that_pandas_infers(
    tmp_path: Path, cells: list[str], kind: Any, values: list[Any]
) -> None:
    text = "id,x\n" + "".join(f"{place},{cell}\n" for place, cell in enumerate(cells))
    truth, _ = read(tmp_path, text)
    assert truth.frame["x"].dtype == kind
    assert truth.frame["x"].to_list() == values


def test_columns_of_parquet_keep_their_types(tmp_path: Path) -> None:
    frame = pl.DataFrame({"id": [4, 2], "text": ["1", ""], "number": [1.0, float("nan")]})
    stored = BytesIO()
    frame.write_parquet(stored)
    truth, ids = read(tmp_path, stored.getvalue())
    assert ids.frame["key0"].to_list() == [4, 2]
    assert truth.frame["text"].to_list() == ["1", None]
    assert truth.frame["number"].to_list() == [1.0, None]
    stored = BytesIO()
    frame.with_columns(text=pl.Series([b"a", b"b"])).write_parquet(stored)
    assert problems(tmp_path, stored.getvalue()) == [("parquet-schema", None, None)]


HUGE, INF, NAN = 2**63, float("inf"), float("nan")
INTEGERS = (pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16, pl.UInt32, pl.UInt64)
CELLS: dict[str, pl.Series] = {
    **{
        str(kind): pl.Series([1, 7, 3]).cast(kind)
        for kind in (*INTEGERS, pl.Float32, pl.Float64, pl.Boolean, pl.Decimal(9, 2))
    },
    "names of 64 bits": pl.Series([HUGE + 1, HUGE + 2, HUGE + 3], dtype=pl.UInt64),
    "names, one missing": pl.Series([HUGE + 1, None, 3], dtype=pl.UInt64),
    "whole numbers, one missing": pl.Series([5.0, NAN, 7.0]),
    "whole numbers, one null": pl.Series([5.0, None, 7.0]),
    "masses": pl.Series([5.97e24, 3.3e23, 1.0]),
    "the first that is too large": pl.Series([float(HUGE), 1.0, 2.0]),
    "infinite": pl.Series([INF, -INF, 1.0]),
    "fractions": pl.Series([0.5, 1.0, 1e300]),
    "nothing": pl.Series([None, None, None], dtype=pl.Null),
    "missing": pl.Series([NAN, NAN, NAN]),
    "texts": pl.Series(["a b", "", None]),
    "categories": pl.Series(["a", "b", "a"], dtype=pl.Categorical),
    "listed": pl.Series(["a", "b", None], dtype=pl.Enum(["a", "b"])),
}
LABEL_SETS = Task(
    (Objective("x", Decimal(1), "f1_micro"),),
    kind="label-sets",
    id_column="id",
    table=(TableColumn(name="x", type="labels"),),
)


@pytest.mark.parametrize("task", [table_task(), LABEL_SETS], ids=["table", "label sets"])
@pytest.mark.parametrize("name", CELLS)
def test_labels_of_any_type_are_read_or_refused_by_row(
    tmp_path: Path, name: str, task: Task
) -> None:
    stored = BytesIO()
    pl.DataFrame({"id": [1, 2, 3], "x": CELLS[name]}).write_parquet(stored)
    refused: list[Problem] = []
    try:
        truth, _ = read(tmp_path, stored.getvalue(), task=task)
    except FileRejected as rejected:
        refused += rejected.rejection.problems
    assert {each.line for each in refused} <= {None}
    if refused:
        return
    given = CELLS[name].fill_nan(None) if CELLS[name].dtype.is_float() else CELLS[name]
    texts = given.cast(pl.String)
    assert label_text(truth.frame["x"]).n_unique() == texts.set(texts == "", None).n_unique()


def test_a_missing_label_of_pandas_is_an_empty_set(tmp_path: Path) -> None:
    stored = BytesIO()
    frame = pl.DataFrame({"id": [1, 2, 3], "x": CELLS["whole numbers, one missing"]})
    frame.write_parquet(stored)
    truth, _ = read(tmp_path, stored.getvalue(), task=LABEL_SETS)
    assert truth.frame["x"].to_list() == ["5", None, "7"]


def test_every_problem_is_named_by_line_and_column(tmp_path: Path) -> None:
    text = (
        "id,y,w,who,Usage\n1,1,1,a,Public\n1,2,1,a,Public\nx,3,1,b,Privat\n"
        "4,inf,0,,Private\n5,1,,a,Private\n"
    )
    task = table_task(weight_column="w", cluster_column="who")
    assert problems(tmp_path, text, task=task, split=USAGE) == [
        ("duplicate-id", 3, "id"),
        ("bad-id", 4, "id"),
        ("bad-usage", 4, "Usage"),
        ("bad-number", 5, "y"),
        ("bad-number", 5, "w"),
        ("bad-id", 5, "who"),
        ("bad-number", 6, "w"),
        ("bad-usage", 6, "Usage"),
    ]


@pytest.mark.parametrize(
    ("text", "given", "expected"),
    [
        ("id,y\n1,1\n", {"split": USAGE}, ("bad-usage", 1, None)),
        ("id,place\n1,1\n", {}, ("header-mismatch", 1, "place")),
        ("id\n1\n", {}, ("header-mismatch", 1, None)),
        ("name,y\n1,1\n", {}, ("header-mismatch", 1, None)),
        ("id,y,y\n1,1,2\n", {}, ("header-mismatch", 1, None)),
        ("id,y\n", {}, ("empty-file", None, None)),
        ("id,y\n1,1\n9,2\n", {"published": ids_of([1, 2])}, ("unpublished-session", 3, None)),
        ("id,y\n1,1\n", {"task": table_task(weight_column="w")}, ("header-mismatch", 1, "w")),
        ("id,y\n1,1,2\n", {}, ("row-shape", 2, None)),
        ("id,y\n1,\xff\n".encode("latin-1"), {}, ("encoding", 2, None)),
        ("id,y,Usage\n1,1,Public\n", {"split": USAGE}, ("zero-denominator", None, None)),
    ],
)
def test_a_solution_that_cannot_be_used_is_refused(
    tmp_path: Path, text: str | bytes, given: dict[str, Any], expected: tuple[Any, ...]
) -> None:
    assert problems(tmp_path, text, **given) == [expected]


def test_rows_of_both_are_in_either_split_and_ignored_ones_in_none(tmp_path: Path) -> None:
    text = "id,y,Usage\n1,1,public\n2,2,PRIVATE\n3,3,Both\n4,4,Ignored\n"
    truth, _ = read(tmp_path, text, split=USAGE)
    assert truth.frame["Usage"].to_list() == [PUBLIC, PRIVATE, BOTH, IGNORED]
    assert truth.totals == {PUBLIC: 2, PRIVATE: 2}
    assert truth.part(PUBLIC)["id"].to_list() == [1, 3]
    assert truth.part(PRIVATE).columns == ["place", "id", "y"]
    assert truth.part(PRIVATE)["place"].to_list() == [1, 2]


def test_a_split_by_key_keeps_clusters_whole(tmp_path: Path) -> None:
    rows = [f"{number},{number % 5},c{number % 40}" for number in range(400)]
    text = "\n".join(["id,y,who", *rows, ""])
    truth, _ = read(tmp_path, text, split=HASH, task=table_task(cluster_column="who"))
    sides = truth.frame.group_by("who").agg(pl.col("Usage").n_unique())
    assert sides["Usage"].to_list() == [1] * 40
    assert set(truth.frame["Usage"]) == {PUBLIC, PRIVATE}
    assert truth.unit_count(PUBLIC) + truth.unit_count(PRIVATE) == 40


def test_rows_stand_in_published_order_and_others_are_decoys(tmp_path: Path) -> None:
    published = ids_of(["c", "a", "b"])
    task = table_task(query_ids="string")
    truth, _ = read(tmp_path, "id,y\nb,1\nc,2\n", task=task, published=published)
    assert truth.frame["id"].to_list() == ["c", "b"]
    assert truth.frame["place"].to_list() == [0, 2]
    assert truth.summary()["unlabelled"] == 1
    assert truth.summary()["columns"] == {"y": "integer"}


def test_what_is_stored_is_what_was_read(tmp_path: Path) -> None:
    text = "id,y,Usage\n1,0.5,Public\n2,2,Private\n"
    truth, ids = read(tmp_path, text, split=USAGE)
    sha256 = truth.write(tmp_path / "truth")
    again = TrueTable.load(tmp_path / "truth", sha256=sha256, published=ids, task=OWN)
    assert again.frame.equals(truth.frame)
    assert truth.write(tmp_path / "again") == sha256
    with pytest.raises(GroundTruthCorrupt):
        TrueTable.load(tmp_path / "truth", sha256="0" * 64, published=ids, task=OWN)
    with pytest.raises(GroundTruthCorrupt):
        TrueTable.load(tmp_path / "truth", sha256=None, published=ids_of([1]), task=OWN)
    other = table_task(id_column="key")
    with pytest.raises(GroundTruthCorrupt):
        TrueTable.load(tmp_path / "truth", sha256=None, published=ids, task=other)


def test_a_column_that_is_text_by_one_cell_is_worth_a_warning(tmp_path: Path) -> None:
    truth, _ = read(tmp_path, "id,y\n1,1\n2,2\n3,3;5\n")
    assert "“y” holds text, because of “3;5” on line 4" in truth.warnings


@pytest.mark.parametrize(
    ("text", "ids"),
    [("id\n3\n1\n", [3, 1]), ("feature,id\nx,3\ny,1\n", [3, 1]), ('id,t\n3,"a,b"\n1,\n', [3, 1])],
)
def test_a_list_of_ids_may_have_other_columns(tmp_path: Path, text: str, ids: list[int]) -> None:
    path = tmp_path / "ids"
    path.write_text(text)
    assert read_table_ids(path, task=OWN).frame["key0"].to_list() == ids


def _perfect(tmp_path: Path, text: str, columns: Sequence[TableColumn], **given: Any) -> Any:
    truth, _ = read(tmp_path, text, task=table_task(columns, **given))
    return perfect_columns(truth), truth


def test_a_perfect_submission_says_what_is_true(tmp_path: Path) -> None:
    number = TableColumn(name="price")
    assert _perfect(tmp_path, "id,y\n1,2\n2,0.5\n", [number])[0].rows() == [(2.0,), (0.5,)]
    classes = [TableColumn(name=name, minimum=0, maximum=1) for name in ("cat", "dog")]
    one_hot, _ = _perfect(tmp_path, "id,y\n1,dog\n2,cat\n", classes)
    assert one_hot.rows() == [(0.0, 1.0), (1.0, 0.0)]
    several, truth = _perfect(tmp_path, "id,dog,cat,w\n1,1,0,5\n2,0,1,6\n", classes)
    assert several.rows() == [(0.0, 1.0), (1.0, 0.0)]
    assert sorted(shuffled_columns(truth).rows()) == sorted(several.rows())
    label = TableColumn(name="label", type="category", values=("0", "1"))
    assert _perfect(tmp_path, "id,y\n1,1\n2,0\n", [label])[0].rows() == [("1",), ("0",)]


def test_a_perfect_submission_spells_true_and_false_as_its_columns_do(tmp_path: Path) -> None:
    solution = "id,y\n1,True\n2,False\n"
    for words in (("True", "False"), ("true", "false"), ("TRUE", "FALSE")):
        label = TableColumn(name="label", type="category", values=words)
        assert _perfect(tmp_path, solution, [label])[0].rows() == [(word,) for word in words]
    classes = [TableColumn(name=name, minimum=0, maximum=1) for name in ("0", "1")]
    assert _perfect(tmp_path, solution, classes)[0].rows() == [(0.0, 1.0), (1.0, 0.0)]


def test_objectives_find_their_columns_in_the_solution(tmp_path: Path) -> None:
    columns = [TableColumn(name="a"), TableColumn(name="b"), TableColumn(name="c")]
    objectives = (
        Objective("a", Decimal(1), "rmse", key="true-a"),
        Objective("rest", Decimal(1), "rmse", columns=("b",)),
    )
    task = table_task(columns, objectives=objectives)
    truth, _ = read(tmp_path, "id,true-a,b\n1,5,6\n2,7,8\n", task=task)
    assert perfect_columns(truth).rows() == [(5.0, 6.0, 0.0), (7.0, 8.0, 0.0)]
