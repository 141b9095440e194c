"""The changelog has the form that it promises, and the package has the version that it leads to."""

from __future__ import annotations

import re
from datetime import date

from podium import __version__
from tests.places import ROOT

TEXT = (ROOT / "CHANGELOG.md").read_text()
RELEASE = re.compile(r"^## \[(\d+)\.(\d+)\.(\d+)\] - (\S+)$", re.MULTILINE)
KINDS = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]


def test_releases_stand_from_the_newest_to_the_oldest_below_what_is_unreleased() -> None:
    headings = re.findall(r"^## .*$", TEXT, re.MULTILINE)
    releases = [tuple(map(int, numbers)) for *numbers, _ in RELEASE.findall(TEXT)]
    assert headings[0] == "## [Unreleased]"
    assert len(releases) == len(headings) - 1 >= 6
    assert releases == sorted(set(releases), reverse=True)


def test_every_release_has_the_day_on_which_it_was_made() -> None:
    days = [date.fromisoformat(day) for *_, day in RELEASE.findall(TEXT)]
    assert days == sorted(days, reverse=True)


def test_changes_stand_below_the_kinds_of_keep_a_changelog_in_their_order() -> None:
    for release in TEXT.split("\n## ")[1:]:
        kinds = re.findall(r"^### (.*)$", release, re.MULTILINE)
        assert kinds == sorted(set(kinds), key=KINDS.index), release.splitlines()[0]
        assert release.count("\n### ") == len(re.findall(r"\n### \w+\n\n- ", release))


def test_what_is_unreleased_is_told_in_entries_of_three_lines_at_most() -> None:
    unreleased = TEXT.split("\n## ")[1]
    entries = re.findall(r"^- .*(?:\n  .*)*", unreleased, re.MULTILINE)
    assert len(entries) == unreleased.count("\n- ")
    assert [entry for entry in entries if entry.count("\n") > 2] == []
    assert [line for line in unreleased.splitlines() if len(line) > 132] == []


def test_the_version_is_the_next_one_until_it_is_released() -> None:
    newest = tuple(map(int, RELEASE.findall(TEXT)[0][:3]))
    numbers, _, rest = __version__.partition(".dev")
    ours = tuple(map(int, numbers.split(".")))
    assert (ours > newest) if rest else (ours == newest)
