"""The hints of a rejection lead to a score in two steps."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.builders.processes.typed import typed
from tests.builders.wrong_files.contests import CONTESTS
from tests.builders.wrong_files.every import WRONG_FILES
from tests.builders.wrong_files.following import FOLLOWED
from tests.builders.wrong_files.shape import Wrong

MAX_STEPS = 2


def hint_words(wrong: Wrong) -> str | None:
    """Words of the hint that tell how to follow it; None of one that names no such step."""
    return next((words for words in FOLLOWED if words in wrong.hint or wrong.hint in words), None)


EACH_ONCE = {(wrong.contest, words): wrong for wrong in WRONG_FILES if (words := hint_words(wrong))}


@pytest.mark.parametrize("wrong", EACH_ONCE.values(), ids=str)
def test_following_the_hints_leads_to_a_score(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: Wrong
) -> None:
    monkeypatch.chdir(tmp_path)
    contest = CONTESTS[wrong.contest]
    Path("truth.csv").write_text(contest.truth)
    Path("settings.json").write_text(json.dumps(contest.settings))
    command = ("score", "file.csv", "--truth", "truth.csv", "--preset", "settings.json")
    text, hints = wrong.content.decode("utf-8", "replace"), []
    for _ in range(MAX_STEPS + 1):
        Path("file.csv").write_text(text)
        done = typed(*command, "--no-history", "--json")
        if done.code == 0:
            break
        hints.append(done.document["problem"]["errors"][0]["hint"])
        follow = next(change for words, change in FOLLOWED.items() if words in hints[-1])
        text = follow(text, hints[-1], contest)
    assert done.code == 0, (hints, text)
    assert 1 <= len(hints) <= MAX_STEPS
