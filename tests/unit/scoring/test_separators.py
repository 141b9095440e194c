"""Lists whose items are separated by other signs than spaces, and items that occur twice."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from podium.scoring.lists.rows import ListLayout, read_row
from podium.scoring.problems import FileRejected, Problem
from podium.scoring.task import OTTO, Objective, Task
from tests.builders.scoring.competitions import score, submission, truth_of

TEXTS = replace(OTTO.scored_by("recall@3"), item_ids="string", missing_rows="zero")
"""Up to three items count, and they are texts."""


def problems(folder: Path, lists: list[str], task: Task = TEXTS) -> list[Problem]:
    """The problems of a file with these lists of clicks; none if it is scored."""
    right: list[Any] = ["a"] if task.item_ids == "string" else [7]
    truth = truth_of(folder, {s: dict.fromkeys(OTTO.names, right) for s in range(60)}, task=task)
    text = submission({f"{session}_clicks": items for session, items in enumerate(lists)})
    try:
        score(folder, text, truth, task)
    except FileRejected as rejected:
        return list(rejected.rejection.problems)
    return []


@pytest.mark.parametrize(
    ("written", "sign"),
    [("a|b|c", "|"), ("a;b;c", ";"), ("['a' 'b' 'c']", "[ ]"), ("[a;b]", ";")],
)
def test_a_file_of_lists_with_another_separator_is_refused_by_its_form(
    tmp_path: Path, written: str, sign: str
) -> None:
    found = problems(tmp_path, [written] * 20)
    assert [(each.line, each.code) for each in found] == [
        (line, "bad-label") for line in range(2, 12)
    ]
    assert found[0].detail == f"“{written}” is one item: nothing but spaces separates items"
    assert found[0].hint == f"Nearly all lists of the file hold “{sign}”. Write them as: a b c."


def test_nearly_all_lists_are_95_of_100_that_hold_anything(tmp_path: Path) -> None:
    empty = [""] * 20
    assert problems(tmp_path, ["a|b"] * 19 + ["a b"] + empty)
    assert not problems(tmp_path, ["a|b"] * 18 + ["a b"] * 2 + empty)


def test_names_with_a_separator_in_them_stand_beside_others(tmp_path: Path) -> None:
    assert not problems(tmp_path, ["drama|war a|b", "x|y z"] * 10)


def test_where_a_list_holds_one_item_any_name_is_fine(tmp_path: Path) -> None:
    assert not problems(tmp_path, ["drama|war"] * 20, TEXTS.scored_by("hit_rate@1"))


@pytest.mark.parametrize(
    ("written", "hint"),
    [
        ("1|2|3", "Separate items by spaces, not “|”."),
        ("1;2;3", "Separate items by spaces, not semicolons."),
        ("1\t2", "Separate items by spaces, not tabs."),
        ('"1,2"', "Separate items by spaces, not commas."),
        ("[1 2]", "Write the items only, without the brackets of a list: 5 7 9."),
        ("1 2]", "Write the items only, without the brackets of a list: 5 7 9."),
    ],
)
def test_numbers_with_another_separator_are_told_how_to_separate(written: str, hint: str) -> None:
    row = read_row(f"0_clicks,{written}".encode(), 2, ListLayout.of(OTTO, labels_first=False))
    assert [(each.line, each.hint) for each in row.problems] == [(2, hint)]


@pytest.mark.parametrize("depth", [3, 40])
@pytest.mark.parametrize("items", ["integer", "string"])
@pytest.mark.parametrize(
    ("lists", "refused"),
    [
        pytest.param(["1 2 1"], True, id="within the first three"),
        pytest.param(["1 1"], True, id="side by side"),
        pytest.param(["3 4", '"5 5"'], True, id="in quotes"),
        pytest.param(["1 2", "1 2"], False, id="in two lists"),
        pytest.param(["1 2 3"], False, id="not at all"),
        pytest.param([""], False, id="no item"),
    ],
)
def test_items_that_occur_twice_are_refused_where_the_competition_says_so(
    tmp_path: Path, lists: list[str], refused: bool, items: Any, depth: int
) -> None:
    task = replace(TEXTS.scored_by(f"recall@{depth}"), item_ids=items)
    assert not problems(tmp_path, lists, task)
    found = problems(tmp_path, lists, replace(task, submission_duplicates="reject"))
    assert [(each.line, each.code) for each in found] == [
        (1 + len(lists), "duplicate-label") for _ in range(refused)
    ]


@pytest.mark.parametrize("items", ["integer", "string"])
@pytest.mark.parametrize("depth", [20, 32, 33, 1000])
def test_only_items_that_count_have_to_differ(tmp_path: Path, depth: int, items: Any) -> None:
    """In lists of any length; what is behind the first K is never looked at."""
    task = replace(
        TEXTS.scored_by(f"recall@{depth}"), item_ids=items, submission_duplicates="reject"
    )
    different = [str(item) for item in range(depth)]
    assert not problems(tmp_path, [" ".join([*different, "0", "5"])], task)
    for place in (1, depth // 2, depth - 1):
        again = [*different[:place], "0", *different[place + 1 :]]
        (found,) = problems(tmp_path, [" ".join(again)], task)
        assert found.detail == f"“0” occurs twice among the first {depth:,} items"


def test_a_document_twice_in_a_run_is_refused_there_too(tmp_path: Path) -> None:
    task = Task((Objective("", OTTO.objectives[0].weight, "recall@2"),), id_column="topic")
    truth = truth_of(tmp_path, {1: {"": [7]}, 2: {"": [8]}}, task=task)
    deep = "1 Q0 7 1 9.0 me\n1 Q0 8 2 8.0 me\n1 Q0 7 3 7.0 me\n2 Q0 8 1 1.0 me\n"
    near = deep.replace("1 Q0 8 2 8.0 me\n", "")
    strict = replace(task, submission_duplicates="reject")
    assert score(tmp_path, near, truth, task).counts["rows"] == 2
    assert score(tmp_path, deep, truth, strict).counts["rows"] == 2
    with pytest.raises(FileRejected) as rejected:
        score(tmp_path, near, truth, strict)
    (found,) = rejected.value.rejection.problems
    assert (found.code, found.id) == ("duplicate-label", "1")
    assert found.detail == "“7” occurs twice among the first 2 items of 1"
