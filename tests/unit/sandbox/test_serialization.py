"""Tasks and results travel as JSON, and come back whole or not at all."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from podium.preparation.clickstreams import Columns
from podium.preparation.options import ColumnChoice, Options
from podium.sandbox import FileProblem, LineProblem, Rejected, inputs_of
from podium.sandbox.definitions.hits import Compared, FindTies, HitsRef, TiesFound
from podium.sandbox.definitions.materials import Cutting, Hiding, IdsRead, ReadTruth, Split
from podium.sandbox.serialization import Malformed, answer_of, decoded, document_of, encoded
from podium.scoring.scores.extremes import SplitExtremes
from podium.scoring.task import OTTO

COLUMNS = Columns(user="u", item="i", time="t", type=None, unit="ms", text_ids=True)
READ_TRUTH = ReadTruth(
    file=Path("/a/file"),
    task=OTTO,
    published=None,
    split=Split(kind="hash", secret="00", public_fraction="0.3"),
    cutting=Cutting(key="11", days=1.5, columns=COLUMNS),
)
OPTIONS = Options(source=ColumnChoice(type="event"), threshold=4, objectives={"view": "next"})
HIDE = replace(READ_TRUTH, cutting=Hiding(key="11", options=OPTIONS, may_fit=True))
JUDGED = HitsRef(
    hits=(Path("/h/1"), Path("/h/2")),
    task=OTTO,
    published=Path("/ids"),
    truth=Path("/truth"),
    truth_sha256="ab",
)
FIND_TIES = FindTies(judged=JUDGED, split="public")
LINE = LineProblem(
    code="bad-label", line=2, row=None, id="1_clicks", column=None, detail="a word", hint=None
)
REJECTED = Rejected(
    problem=FileProblem(code="bad-label", detail="a word", line=2, errors=(LINE,), error_count=1)
)


def through_json(value: Any) -> Any:
    return json.loads(json.dumps(value))


@pytest.mark.parametrize(
    "value", [READ_TRUTH, HIDE, FIND_TIES, REJECTED, TiesFound(ties=(True, False))]
)
def test_what_travels_comes_back_as_it_was(value: Any) -> None:
    assert decoded(type(value), through_json(encoded(value))) == value


def test_the_files_of_a_task_are_those_that_it_names_anywhere() -> None:
    assert list(inputs_of(READ_TRUTH)) == [Path("/a/file")]
    with_before = replace(READ_TRUTH, before=Path("/before"))
    assert list(inputs_of(with_before)) == [Path("/a/file"), Path("/before")]
    assert list(map(str, inputs_of(FIND_TIES))) == ["/ids", "/truth", "/h/1", "/h/2"]


def test_an_answer_is_that_of_its_task_or_a_rejection() -> None:
    assert answer_of(IdsRead, through_json(document_of(IdsRead(sessions=3)))) == IdsRead(sessions=3)
    assert answer_of(IdsRead, through_json(document_of(REJECTED))) == REJECTED
    with pytest.raises(Malformed, match="status 'compared'"):
        answer_of(IdsRead, document_of(Compared(splits={})))


@pytest.mark.parametrize(
    ("kind", "document", "told"),
    [
        (IdsRead, {}, "IdsRead lacks 'sessions'"),
        (IdsRead, {"sessions": 3, "more": 1}, "IdsRead has no 'more'"),
        (IdsRead, {"sessions": True}, "IdsRead.sessions is bool, not int"),
        (IdsRead, {"sessions": "3"}, "IdsRead.sessions is str, not int"),
        (IdsRead, {"sessions": None}, "IdsRead.sessions is NoneType, not int"),
        (TiesFound, {"ties": [True, 1]}, r"TiesFound.ties\[1\] is int, not bool"),
        (TiesFound, {"ties": {}}, "TiesFound.ties is dict"),
        (Compared, {"splits": []}, "Compared.splits is list"),
        (Split, {"kind": "column"}, "Split.kind is str"),
        (Rejected, {"problem": {"code": "x"}}, "Rejected.problem lacks 'detail'"),
    ],
)
def test_what_is_of_another_shape_is_refused_with_its_place(
    kind: type[Any], document: Any, told: str
) -> None:
    with pytest.raises(Malformed, match=told):
        decoded(kind, document)


def test_a_float_may_be_a_whole_number_and_may_be_missing_where_none_is_allowed() -> None:
    texts = dict.fromkeys(("perfect", "optimum", "empty", "random"), "1")
    assert decoded(SplitExtremes, {**texts, "standard_error": 1}).standard_error == 1
    assert decoded(SplitExtremes, {**texts, "standard_error": None}).standard_error is None
    with pytest.raises(Malformed, match="standard_error is bool"):
        decoded(SplitExtremes, {**texts, "standard_error": True})
