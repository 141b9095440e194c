"""Notes and file names."""

from __future__ import annotations

import pytest

from podium.errors import InvalidInput
from podium.submissions.rules import base_name, checked_note


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("submission.csv", "submission.csv"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\ada\\best.csv.gz", "best.csv.gz"),
        ("a\x00b\nc\u202e.csv", "abc.csv"),
        ("", "submission"),
        ("folder/", "submission"),
        (None, "submission"),
        ("=cmd|'/c calc'!A1", "c calc'!A1"),
    ],
)
def test_only_the_visible_last_part_of_a_path_is_kept(given: str | None, kept: str) -> None:
    assert base_name(given) == kept


def test_a_long_file_name_is_refused() -> None:
    assert base_name("x" * 255) == "x" * 255
    with pytest.raises(InvalidInput) as refusal:
        base_name("x" * 256)
    assert refusal.value.code == "bad-filename"


def test_a_note_is_trimmed_and_may_be_missing() -> None:
    assert checked_note("  with covisitation, k=20 ✨ ") == "with covisitation, k=20 ✨"
    assert checked_note(None) == ""


@pytest.mark.parametrize("note", ["x" * 501, "two\nlines", "\x1b[31mred", "nul\x00", "\u2028"])
def test_long_notes_and_control_characters_are_refused(note: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        checked_note(f"a{note}b")
    assert refusal.value.code == "bad-note"
