"""Error codes are one list: explained, raised somewhere, and with the statuses of their answers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path

from podium import errors
from podium.core.problems import FILES, meanings
from podium.errors.codes import CODES, ErrorCode, OurCode
from podium.http.errors import status_of
from podium.preparation.files.findings import RawFileCode as RawCode
from podium.sandbox.answers import error_for
from podium.scoring.problems import Code

ROOT = Path(__file__).parents[3]

NAMED = re.compile(r'\bcode(?:"\])?\s*(?:==|!=|=)\s*"([a-z]+(?:-[a-z]+)+)"')
"""A code as tests write it where they expect one."""

OTHER_LISTS = {"few-lists", "told-bits"}
"""Codes of alerts about unfair play."""

OF_EARLIER_VERSIONS = {ErrorCode.INTERRUPTED}
"""Codes that stored rows may have and that nothing writes any more."""


@cache
def _trees() -> tuple[tuple[Path, ast.Module], ...]:
    paths = sorted((ROOT / "app" / "podium").rglob("*.py"))
    return tuple((path, ast.parse(path.read_text())) for path in paths)


def _member(node: ast.expr) -> Iterator[OurCode]:
    """The members that stand in an expression."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Attribute) and ast.unparse(inner.value) == "ErrorCode":
            yield getattr(ErrorCode, inner.attr)


def _answers() -> Iterator[tuple[str, OurCode, int]]:
    """Error codes that the server answers with: place, code and status."""
    for path, tree in _trees():
        if path.is_relative_to(ROOT / "app" / "podium" / "client"):
            continue
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call):
                continue
            given = {keyword.arg: keyword.value for keyword in node.keywords}
            kind = getattr(errors, ast.unparse(node.func).removeprefix("errors."), None)
            status = given.get("status")
            for code in _member(given["code"]) if "code" in given else ():
                place = f"{path.relative_to(ROOT)}:{node.lineno}"
                if isinstance(kind, type):
                    yield place, code, status_of(kind("", **_waiting(kind)))
                elif isinstance(status, ast.Constant):
                    yield place, code, int(str(status.value))


def _waiting(kind: type[errors.PodiumError]) -> dict[str, int]:
    return {"retry_after": 1} if kind is errors.QuotaExhausted else {}


def test_every_code_is_explained() -> None:
    assert set(FILES) == {*Code, *RawCode}


def test_every_code_has_a_row_by_its_name() -> None:
    assert len(CODES) > 200
    for code in CODES:
        assert getattr(ErrorCode, code.upper().replace("-", "_")) == code


def test_a_copy_of_a_code_is_the_same_row() -> None:
    copied = deepcopy(ErrorCode.NOT_REVEALED)
    assert copied == "not-revealed"
    assert (copied.statuses, copied.explanation.title) == ((404, 409), "Not revealed")


def test_an_explanation_is_a_title_and_two_sentences() -> None:
    for meaning in meanings():
        assert meaning.title[0].isupper()
        assert not meaning.title.endswith(".")
        assert meaning.reason.endswith(".")
        assert meaning.remedy.endswith(".")


def test_every_code_is_used_outside_of_the_list() -> None:
    used = {
        code
        for path, tree in _trees()
        if path.parent.name != "codes"
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        for code in _member(node)
    }
    assert set(CODES.values()) - used == OF_EARLIER_VERSIONS


def test_answers_have_the_statuses_that_the_list_names() -> None:
    answers = list(_answers())
    wrong = [(*one, one[1].statuses) for one in answers if one[2] not in one[1].statuses]
    assert [one for one in wrong if one[3]] == []
    assert len(answers) > 200


def test_each_class_of_errors_has_one_status() -> None:
    kinds = {kind for kind in vars(errors).values() if isinstance(kind, type)}
    raised = {kind for kind in kinds if issubclass(kind, errors.PodiumError)} - {errors.PodiumError}
    assert [kind for kind in raised if len(kind.CODE.statuses) != 1] == []
    assert len(raised) == 15


def test_the_problems_of_files_have_the_statuses_that_the_catalogue_names() -> None:
    for meaning in meanings():
        if meaning.place == "file":
            problem = {"code": meaning.code, "detail": "", "errors": [], "error_count": 0}
            assert meaning.statuses == (status_of(error_for(problem)),), meaning.code


def test_tests_name_no_other_codes() -> None:
    named = {
        code
        for path in sorted((ROOT / "tests").rglob("*.py"))
        for code in NAMED.findall(path.read_text())
    }
    assert named - {meaning.code for meaning in meanings()} == OTHER_LISTS
    assert len(named) > 30
