"""Decisions are dated records in one form, and the tests that they name exist."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest

from tests.places import ROOT

FOLDER = ROOT / "docs" / "decisions"
RECORDS = sorted(FOLDER.glob("[0-9]*.md"))
FORM = re.compile(
    r"# (?P<number>\d+)\. (?P<title>.+)\n\n"
    r"- Date: (?P<date>\S+)\n- Status: (?P<status>.+)\n- Held by: (?P<held>(?:.|\n  )+)\n\n"
    r"## Context\n\n[^#]+## Decision\n\n[^#]+## Consequences\n\n[^#]+"
)


@pytest.fixture(scope="module")
def tests() -> set[str]:
    """The names of all tests."""
    texts = (path.read_text() for path in (ROOT / "tests").rglob("test_*.py"))
    return {name for text in texts for name in re.findall(r"\bdef (test_\w+)", text)}


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_record_has_its_form(path: Path) -> None:
    text = path.read_text()
    found = FORM.fullmatch(text)
    assert found, "number, title, date, status, tests, context, decision, consequences"
    assert int(found["number"]) == int(path.stem[:4])
    assert date.fromisoformat(found["date"])
    assert re.fullmatch(r"accepted|superseded by \d+", found["status"])
    assert 18 <= len(text.splitlines()) <= 40


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_the_tests_that_hold_a_decision_exist(path: Path, tests: set[str]) -> None:
    found = FORM.fullmatch(path.read_text())
    assert found
    named = set(re.findall(r"`(test_\w+)`", found["held"]))
    assert named or "`pyproject.toml`" in found["held"]
    assert named - tests == set()


def test_records_are_numbered_without_a_gap_and_the_index_lists_them_all() -> None:
    numbers = [int(path.stem[:4]) for path in RECORDS]
    assert numbers == list(range(1, len(RECORDS) + 1))
    rows = re.findall(r"^\| \[(\d+)\]\((.+)\) \| (.+) \| (.+) \|$", _index(), re.MULTILINE)
    for path, row in zip(RECORDS, rows, strict=True):
        found = FORM.fullmatch(path.read_text())
        assert found
        assert row == (found["number"], path.name, found["title"], found["date"])


def _index() -> str:
    return (FOLDER / "index.md").read_text()
