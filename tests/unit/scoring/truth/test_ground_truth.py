"""Ground truth: its forms, what stops it, how it is stored, and which side a session is on."""

from __future__ import annotations

import dataclasses
import gzip
import json
from decimal import Decimal
from pathlib import Path

import polars as pl
import pytest

from podium.scoring.problems import Code, FileRejected
from podium.scoring.published import PublishedIds
from podium.scoring.splits import ALL, IGNORED, PRIVATE, PUBLIC, SplitRule
from podium.scoring.task import OTTO
from podium.scoring.truth.reading import read_ground_truth
from tests.builders.scoring.competitions import WHOLE
from tests.unit.scoring.truth.forms import JSONL, LONG_FORM, SINGLE, read

USAGE = SplitRule("usage")
IDS = PublishedIds(pl.Series([42, 7], dtype=pl.Int32), OTTO.names)
SUBMISSION_FORM = """\
session_type,labels
42_clicks,3
7_clicks,
42_carts,3 2
7_orders,0
42_orders,003
"""
LABELS = [(0, 3), (1, 2), (1, 3), (2, 3), (5, 0)]


def problems(folder: Path, text: str | bytes, **options: object) -> list[tuple[int | None, Code]]:
    with pytest.raises(FileRejected) as rejected:
        read(folder, text, **options)  # type: ignore[arg-type]
    return [(p.line, p.code) for p in rejected.value.rejection.problems]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(JSONL, id="label JSONL"),
        pytest.param(SUBMISSION_FORM, id="submission form"),
        pytest.param(LONG_FORM, id="long form"),
        pytest.param(JSONL.replace("\n", "\r\n"), id="CR LF"),
        pytest.param("\ufeff" + SUBMISSION_FORM + "\n\n", id="byte order mark, blank end"),
        pytest.param(gzip.compress(LONG_FORM.encode()), id="gzip"),
    ],
)
def test_every_form_gives_the_same_labels(tmp_path: Path, text: str | bytes) -> None:
    truth, published = read(tmp_path, text)
    assert truth.frame.select("query", "item").rows() == LABELS
    assert truth.frame.schema["query"] == pl.UInt32
    assert truth.frame.schema["item"] == pl.Int32
    assert published.sessions.to_list() == [42, 7]


@pytest.mark.parametrize("as_list", [True, False])
def test_parquet_in_submission_form_gives_the_same_labels(tmp_path: Path, as_list: bool) -> None:
    ids = ["42_clicks", "7_clicks", "42_carts", "7_orders", "42_orders"]
    lists = [[3], [], [3, 2], [0], [3]]
    labels = lists if as_list else [" ".join(map(str, items)) for items in lists]
    path = tmp_path / "truth"
    pl.DataFrame({"session_type": ids, "labels": labels}).write_parquet(path)
    truth, _ = read_ground_truth(path, task=OTTO, published=IDS, split=WHOLE)
    assert truth.frame.select("query", "item").rows() == LABELS


def test_parquet_in_long_form_gives_the_same_labels(tmp_path: Path) -> None:
    path = tmp_path / "truth"
    pl.read_csv(LONG_FORM.encode()).write_parquet(path)
    truth, _ = read_ground_truth(path, task=OTTO, published=None, split=WHOLE)
    assert truth.frame.select("query", "item").rows() == LABELS


def test_a_parquet_problem_names_its_row(tmp_path: Path) -> None:
    path = tmp_path / "truth"
    pl.read_csv(LONG_FORM.replace("42,orders", "42,views").encode()).write_parquet(path)
    with pytest.raises(FileRejected) as rejected:
        read_ground_truth(path, task=OTTO, published=None, split=WHOLE)
    (problem,) = rejected.value.rejection.problems
    assert (problem.line, problem.row, problem.code) == (None, 3, Code.BAD_ID)


def test_a_parquet_column_that_is_no_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "truth"
    pl.DataFrame({"user": [1], "labels": [True]}).write_parquet(path)
    with pytest.raises(FileRejected) as rejected:
        read_ground_truth(path, task=SINGLE, published=None, split=WHOLE)
    (problem,) = rejected.value.rejection.problems
    assert problem.code is Code.PARQUET_SCHEMA
    assert "labels" in problem.detail
    assert "Boolean" in problem.detail


def test_a_single_objective_needs_no_types(tmp_path: Path) -> None:
    text = "session,aid\n5,10\n4,11\n5,12\n"
    truth, published = read(tmp_path, text, task=SINGLE)
    assert truth.frame.select("query", "item").rows() == [(0, 10), (0, 12), (1, 11)]
    assert published.id_of(1) == "4"


def test_a_single_objective_may_use_its_own_column_names(tmp_path: Path) -> None:
    truth, published = read(tmp_path, "user,item\n5,10\n4,\n5,12\n", task=SINGLE)
    assert truth.frame.select("query", "item").rows() == [(0, 10), (0, 12)]
    assert published.sessions.to_list() == [5, 4]


def test_columns_of_the_submission_form_mean_that_form(tmp_path: Path) -> None:
    task = dataclasses.replace(SINGLE, labels_column="item")
    truth, _ = read(tmp_path, "user,item\n5,10 12\n4,11\n", task=task)
    assert truth.frame.select("query", "item").rows() == [(0, 10), (0, 12), (1, 11)]
    assert truth.warnings == ()


def test_a_column_cannot_be_session_and_item_at_once(tmp_path: Path) -> None:
    task = dataclasses.replace(SINGLE, id_column="item")
    assert problems(tmp_path, "item\n5\n", task=task) == [(1, Code.HEADER_MISMATCH)]


def test_text_items_keep_their_zeros(tmp_path: Path) -> None:
    task = dataclasses.replace(SINGLE, item_ids="string")
    truth, _ = read(tmp_path, "user,labels\n1,0706016001 x-1\n", task=task)
    assert truth.frame["item"].to_list() == ["0706016001", "x-1"]


def test_relevances_are_kept_and_zeros_left_out_with_a_warning(tmp_path: Path) -> None:
    text = "session,aid,relevance\n1,10,2\n1,11,0\n1,12,0.5\n"
    truth, _ = read(tmp_path, text, task=SINGLE)
    assert truth.frame.select("item", "relevance").rows() == [(10, 2.0), (12, 0.5)]
    assert any("relevance 0" in warning for warning in truth.warnings)


def test_a_published_session_without_labels_is_counted_as_unlabelled(tmp_path: Path) -> None:
    ids = PublishedIds(pl.Series([42, 5, 7], dtype=pl.Int32), OTTO.names)
    truth, published = read(tmp_path, JSONL, published=ids)
    assert published is ids
    summary = truth.summary()
    assert (summary["sessions"], summary["queries"], summary["unlabelled"]) == (3, 4, 5)
    assert truth.frame.select("query", "item").rows() == [*LABELS[:4], (8, 0)]


def test_the_summary_counts_labels_and_capped_denominators(tmp_path: Path) -> None:
    items = list(range(25))
    text = json.dumps({"session": 1, "labels": {"clicks": 1, "carts": items, "orders": [1, 2]}})
    truth, _ = read(tmp_path, text)
    assert truth.summary()["objectives"] == {
        "clicks": {"all": {"queries": 1, "labels": 1, "denominator": 1}},
        "carts": {"all": {"queries": 1, "labels": 25, "denominator": 20}},
        "orders": {"all": {"queries": 1, "labels": 2, "denominator": 2}},
    }
    assert json.loads(json.dumps(truth.summary())) == truth.summary()


GOOD_LINE = '{"session": 1, "labels": {"clicks": 1, "carts": [2], "orders": [3]}}\n'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("", [(None, Code.EMPTY_FILE)], id="nothing"),
        pytest.param("\n\n", [(None, Code.EMPTY_FILE)], id="blank lines"),
        pytest.param("session,type,aid\n", [(None, Code.EMPTY_FILE)], id="a header alone"),
        pytest.param(b"PAR1\x00\x00PAR1", [(None, Code.PARQUET_CORRUPT)], id="no Parquet"),
        pytest.param(GOOD_LINE + GOOD_LINE, [(2, Code.DUPLICATE_ID)], id="a session twice"),
        pytest.param(GOOD_LINE + "{oops\n", [(2, Code.BAD_JSON)], id="not JSON"),
        pytest.param(GOOD_LINE + "[1]\n", [(2, Code.BAD_JSON)], id="not an object"),
        pytest.param(
            GOOD_LINE + "[" * 10_000 + "\n", [(2, Code.BAD_JSON)], id="ten thousand brackets"
        ),
        pytest.param(
            GOOD_LINE + '{"session": 2, "labels": {"carts": [' + "7, " * 60_000 + "8]}}\n",
            [(2, Code.LINE_TOO_LONG)],
            id="a line that may arrive shortened",
        ),
        pytest.param('{"session": 1, "events": []}\n', [(1, Code.BAD_JSON)], id="raw sessions"),
        pytest.param('{"session": -1, "labels": {}}\n', [(1, Code.BAD_JSON)], id="negative"),
        pytest.param('{"session": 1.0, "labels": {}}\n', [(1, Code.BAD_JSON)], id="a float"),
        pytest.param('{"session": true, "labels": {}}\n', [(1, Code.BAD_JSON)], id="a boolean"),
        pytest.param('{"session": 2147483648}\n', [(1, Code.BAD_JSON)], id="out of range"),
        pytest.param('{"session": 1, "session": 2}\n', [(1, Code.BAD_JSON)], id="a key twice"),
        pytest.param(
            '{"session": 1, "labels": {"views": [1]}}\n', [(1, Code.BAD_JSON)], id="objective"
        ),
        pytest.param(
            '{"session": 1, "labels": {"carts": [1, -1]}}\n', [(1, Code.BAD_LABEL)], id="item"
        ),
        pytest.param(
            '{"session": 1, "labels": {"carts": [5, 5]}}\n', [(1, Code.DUPLICATE_LABEL)], id="twice"
        ),
        pytest.param(SUBMISSION_FORM + "42_carts,9\n", [(7, Code.DUPLICATE_ID)], id="an id twice"),
        pytest.param(
            SUBMISSION_FORM + "7_carts,9 1 09\n", [(7, Code.DUPLICATE_LABEL)], id="9 and 09"
        ),
        pytest.param(
            SUBMISSION_FORM + "8_views,1\n07_carts,1\n9_carts,x\n",
            [(7, Code.BAD_ID), (8, Code.BAD_ID), (9, Code.BAD_LABEL)],
            id="all problems at once",
        ),
        pytest.param(LONG_FORM + "42,carts,2\n", [(7, Code.DUPLICATE_LABEL)], id="a label twice"),
        pytest.param(LONG_FORM + "42,carts\n", [(7, Code.ROW_SHAPE)], id="a short row"),
        pytest.param(LONG_FORM + "42,carts,1 2\n", [(7, Code.BAD_LABEL)], id="two items"),
        pytest.param(LONG_FORM + "\n" + "42,carts,9\n", [(7, Code.BLANK_LINE)], id="a blank line"),
        pytest.param("session,aid\n1,1\n", [(1, Code.HEADER_MISMATCH)], id="no types"),
        pytest.param("a;b\n1;2\n", [(1, Code.HEADER_MISMATCH)], id="another header"),
        pytest.param(
            gzip.compress(JSONL.encode())[:-9], [(None, Code.ARCHIVE_TRUNCATED)], id="cut gzip"
        ),
    ],
)
def test_what_stops_a_ground_truth(
    tmp_path: Path, text: str | bytes, expected: list[tuple[int | None, Code]]
) -> None:
    assert problems(tmp_path, text) == expected


@pytest.mark.parametrize(("sign", "words"), [(";", "semicolons"), ("\t", "tabs")])
def test_another_separator_is_told_with_how_to_save_commas(
    tmp_path: Path, sign: str, words: str
) -> None:
    with pytest.raises(FileRejected) as rejected:
        read(tmp_path, SUBMISSION_FORM.replace(",", sign))
    problem = rejected.value.rejection.problems[0]
    assert problem.detail == f"the columns are separated by {words}, not commas"
    assert "“CSV UTF-8 (Comma delimited)”" in (problem.hint or "")
    assert "LibreOffice" in (problem.hint or "")


def test_a_duplicate_names_both_lines(tmp_path: Path) -> None:
    with pytest.raises(FileRejected) as rejected:
        read(tmp_path, LONG_FORM + "7,clicks,1\n42,carts,2\n")
    detail = rejected.value.rejection.problems[0].detail
    assert "line 3 " in detail
    assert detail.endswith("line 8")


def test_sessions_outside_the_published_ids_stop_it(tmp_path: Path) -> None:
    text = JSONL + '{"session": 8, "labels": {"clicks": 1}}\n'
    assert problems(tmp_path, text, published=IDS) == [(3, Code.UNPUBLISHED_SESSION)]


@pytest.mark.parametrize(("column", "word"), [("user_id", "user"), ("uid", "id")])
def test_an_id_that_is_not_published_is_called_as_its_column_says(
    tmp_path: Path, column: str, word: str
) -> None:
    task = dataclasses.replace(SINGLE, id_column=column, query_ids="string")
    published = PublishedIds(pl.Series(["42"]), task.names)
    with pytest.raises(FileRejected) as rejected:
        read(tmp_path, f"{column},item\n42,1\nzzz,2\n", task=task, published=published)
    [problem] = rejected.value.rejection.problems
    assert problem.detail == f"{word} zzz is not among the published ids"


def test_a_relevance_must_be_a_number_of_zero_or_more(tmp_path: Path) -> None:
    text = "session,aid,relevance\n1,1,-1\n1,2,nan\n1,3,x\n"
    expected = [(line, Code.BAD_LABEL) for line in (2, 3, 4)]
    assert problems(tmp_path, text, task=SINGLE) == expected


def test_an_objective_without_labels_in_a_split_stops_it(tmp_path: Path) -> None:
    text = "user,labels,Usage\n1,5,Public\n2,,Private\n3,6,Ignored\n"
    assert problems(tmp_path, text, task=SINGLE, split=USAGE) == [(None, Code.ZERO_DENOMINATOR)]


def test_the_only_objective_has_no_name_in_a_problem(tmp_path: Path) -> None:
    with pytest.raises(FileRejected) as rejected:
        read(tmp_path, "user,labels,Usage\n1,5,Public\n", task=SINGLE, split=USAGE)
    [problem] = rejected.value.rejection.problems
    assert problem.detail == "there is no label in the split private"


def test_usage_puts_sessions_on_sides(tmp_path: Path) -> None:
    text = "user,labels,Usage\n1,5,Public\n2,6,private\n3,7,Ignored\n"
    truth, _ = read(tmp_path, text, task=SINGLE, split=USAGE)
    assert truth.frame["split"].to_list() == [PUBLIC, PRIVATE, 0]
    assert set(truth.summary()["objectives"][""]) == {"public", "private"}


def test_a_session_may_say_its_side_on_every_line(tmp_path: Path) -> None:
    text = "session,aid,Usage\n1,5,Public\n2,6,Private\n1,7,public\n"
    truth, _ = read(tmp_path, text, task=SINGLE, split=USAGE)
    assert truth.frame.select("item", "split").rows() == [(5, PUBLIC), (7, PUBLIC), (6, PRIVATE)]


def test_a_decoy_is_no_part_of_a_truth_that_is_one_split(tmp_path: Path) -> None:
    text = "user,labels,Usage\n1,5,Public\n2,6,Private\n3,7,Ignored\n"
    truth, published = read(tmp_path, text, task=SINGLE, split=WHOLE)
    assert truth.frame["split"].to_list() == [ALL, ALL, IGNORED]
    assert published.sessions.to_list() == [1, 2, 3]
    assert "only Ignored counts" in " / ".join(truth.warnings)


def test_a_usage_that_divides_nothing_names_the_setting_that_lets_it(tmp_path: Path) -> None:
    rows = "".join(f"{user},{user},Private\n" for user in range(1, 41))
    split = SplitRule("hash", b"secret", Decimal("0.5"))
    truth, _ = read(tmp_path, f"user,labels,Usage\n{rows}", task=SINGLE, split=split)
    assert "(the setting “split” may be “usage”)" in truth.warnings[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("user,labels,Usage\n1,5,Public\n2,6,Privat\n", [(3, Code.BAD_USAGE)]),
        ("user,labels\n1,5\n2,6\n", [(1, Code.BAD_USAGE)]),
        ("session,aid,Usage\n1,5,Public\n1,6,Private\n", [(3, Code.BAD_USAGE)]),
    ],
)
def test_a_wrong_usage_stops_it(
    tmp_path: Path, text: str, expected: list[tuple[int, Code]]
) -> None:
    assert problems(tmp_path, text, task=SINGLE, split=USAGE) == expected


def test_warnings_say_what_makes_a_board_worthless(tmp_path: Path) -> None:
    rows = [f"{session},5,{'Public' if session == 0 else 'Private'}" for session in range(100)]
    truth, _ = read(tmp_path, "\n".join(["user,labels,Usage", *rows]), task=SINGLE, split=USAGE)
    warnings = " / ".join(truth.warnings)
    assert "1.0% of the labelled lists are public" in warnings
    assert "same item" in warnings
    assert "standard error" in warnings


def test_a_large_and_even_split_has_no_warning(tmp_path: Path) -> None:
    # Half of a recall of 1 / 2 over 2,500 labels is off by a standard error of 0.01.
    rows = [f"{n},{n % 7},{('Public', 'Private')[n % 2]}" for n in range(5000)]
    truth, _ = read(tmp_path, "\n".join(["user,labels,Usage", *rows]), task=SINGLE, split=USAGE)
    assert truth.warnings == ()


@pytest.mark.parametrize(
    ("labels", "is_warned"),
    [("a|b|c", True), ("a;b", True), ("a b c", False), ("a| b|", False), ("news|sport x y", False)],
)
def test_labels_that_look_like_several_items_in_one_are_a_warning(
    tmp_path: Path, labels: str, is_warned: bool
) -> None:
    task = dataclasses.replace(SINGLE, item_ids="string")
    truth, _ = read(tmp_path, f"user,labels\n1,{labels}\n2,{labels}\n", task=task)
    assert ("only spaces separate items" in " / ".join(truth.warnings)) is is_warned


def test_types_that_are_no_objectives_are_one_problem_with_the_settings_that_fit(
    tmp_path: Path,
) -> None:
    lines = [f'{{"session": {each}, "labels": {{"buy": 1, "clicks": 2}}}}' for each in range(50)]
    text = "\n".join([*lines, '{"session": 99, "labels": {"view": 1}}'])
    with pytest.raises(FileRejected) as refused:
        read(tmp_path, text)
    (problem,) = refused.value.rejection.problems
    assert (problem.code, problem.line) == (Code.BAD_JSON, 1)
    assert problem.detail == (
        "the labels are of “buy”, “view”, but the objectives are clicks, carts, orders"
    )
    assert '--settings \'{"objectives": {"clicks": 1, "buy": 1, "view": 1}}\'' in str(problem.hint)
