"""No answer depends on the ground truth, released public scores and ranks apart.

The same competitor sends the same files to two installations whose ground truths differ in every
label and in which rows are labelled at all; whatever comes back is compared byte for byte.
"""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from podium.sandbox import Limits, Result, Sandbox, SandboxTask
from podium.sandbox.definitions.custom_metrics import RunMetric
from tests.builders.access import catalogue, catalogue_containers
from tests.builders.access.family import KINDS, RELEASED_DIAGNOSTIC, graded_in_private
from tests.builders.access.seeing import Seen, Viewer, judged, told
from tests.builders.access.truths import (
    OWN,
    OWN_METRIC,
    SLUG,
    enters,
    judging,
    opened,
    otto_truth,
    own_file,
    own_truth,
    serving,
)
from tests.builders.installation import Installation, Person
from tests.builders.sandbox.in_process import InProcess
from tests.builders.season import reveal, until

OTTO: dict[str, Any] = {
    "preset": "otto",
    "split": {"public_fraction": 0.5},
    "objective_scores": "organizers",
    # Each wrong file of the catalogue stays one.
    "forms": [],
    "diagnostics": ["mrr@20", "ndcg@5", "recall@20:micro"],
    **catalogue.LIMITS,
}

CHAPTERS = {
    "healthy files and Parquet": (
        {**catalogue.HEALTHY, **catalogue_containers.TABLES},
        Counter(scored=17 + 6, rejected=13),
    ),
    "texts": (
        {**catalogue.TEXT, **catalogue.STRUCTURE, **catalogue.ROWS},
        Counter(rejected=23 + 16 + 16),
    ),
    "streams and archives": (
        {**catalogue_containers.STREAMS, **catalogue_containers.ARCHIVES},
        Counter(scored=4 + 1, rejected=13 + 16),
    ),
}
"""Files, and how many of them are scored and rejected."""

SANDBOXED = {"healthy files and Parquet"}
"""Chapters that are judged by children, as files always are. All verdicts come as documents of one
kind; the others are judged without the cost of a process for each file."""


@dataclass(frozen=True)
class Told:
    """The answers of one installation, and the submissions that they are about."""

    seen: Seen
    submissions: list[Any]
    to_organizers: list[Any]
    board: list[Any]

    @property
    def statuses(self) -> Counter[str]:
        return Counter(item["status"] for item in self.submissions)

    @property
    def scores(self) -> list[float | None]:
        return [item["public_score"] for item in self.submissions]

    @property
    def columns(self) -> list[Any]:
        """The diagnostics beside the scores: of submissions, and of the board."""
        return [item["diagnostics"] for item in self.submissions] + [
            (row["score"], row["diagnostics"]) for row in self.board
        ]


@dataclass(frozen=True)
class Trial:
    """A competition that is held twice, and what is sent to it."""

    settings: Mapping[str, Any]
    truths: tuple[bytes, bytes]
    files: Mapping[str, bytes]
    sandbox: Sandbox | None = None
    later_phases: tuple[str, ...] = ("freeze", "close")
    metric_file: str = ""

    def told(self, folder: Path, migrated: Path) -> list[Told]:
        """The answers under the one truth and under the other."""
        return [
            _told(self, truth, folder / str(place), migrated)
            for place, truth in enumerate(self.truths)
        ]


def _told(trial: Trial, truth: bytes, folder: Path, migrated: Path) -> Told:
    with serving(folder, migrated, trial.sandbox) as installation, judging(installation):
        opened(installation, truth, trial.metric_file, **trial.settings)
        competitor, rival = enters(installation, "ada"), enters(installation, "bob")
        viewer = Viewer(installation, competitor=competitor, rival=rival)
        seen = _sent(competitor, trial.files)
        submissions = judged(competitor)
        statuses: set[str] = set()
        for name, item in zip(trial.files, submissions, strict=True):
            # A rival is refused whatever is in a file.
            is_new = item["status"] not in statuses
            statuses.add(item["status"])
            seen |= viewer.submission(item["id"], name, to_rival=is_new)
            choice = {"submission_ids": [item["id"]]}
            answer = competitor.put(f"/competitions/{SLUG}/selection", json=choice)
            seen[f"choosing {name}"] = told(answer)
        seen |= viewer.competition()
        board = competitor.get(f"/competitions/{SLUG}/leaderboard").json()["rows"]
        seen |= _later(trial, installation, competitor, viewer)
        until(lambda: all(item["private_run"] != "pending" for item in _known(installation)))
        return Told(seen, submissions, _known(installation), board)


def _known(installation: Installation) -> list[Any]:
    """The submissions as organizers see them."""
    answer = installation.admin.get(f"/admin/competitions/{SLUG}/submissions?limit=100")
    return list(answer.json()["items"])


def _sent(competitor: Person, files: Mapping[str, bytes]) -> Seen:
    seen = {}
    for name, content in files.items():
        answer = competitor.post(f"/competitions/{SLUG}/submissions", content=content)
        assert answer.status_code == 202, (name, answer.text)
        seen[f"sending {name}"] = told(answer)
    return seen


def _later(trial: Trial, installation: Installation, competitor: Person, viewer: Viewer) -> Seen:
    """The answers after a freeze and after the close about a file sent in between."""
    seen: Seen = {}
    content = next(iter(trial.files.values()))
    for act in trial.later_phases:
        answer = installation.admin.post(f"/admin/competitions/{SLUG}/{act}")
        assert answer.status_code == 200, answer.text
        # What is for organizers is refused to others in every phase alike.
        later = viewer.competition(to_organizers=False)
        seen |= {f"{act}: {asked}": text for asked, text in later.items()}
        if act == "freeze":
            seen |= _sent(competitor, {"a file into the freeze": content})
            frozen = judged(competitor)[-1]
        seen |= viewer.submission(frozen["id"], f"the frozen file after the {act}")
    return seen


DECIDED_BY_A_LADDER = re.compile(
    r'"(public_score|shown|notice)":(null|true|false|"[^"]*")|content-encoding: gzip\n'
)
"""The decision of a ladder to show a score is a part of what it releases; with its words a document
may become as long as those that are compressed."""


def _differences(one: Told, other: Told) -> dict[str, tuple[str, str]]:
    assert one.seen.keys() == other.seen.keys()
    return {
        asked: (text, other.seen[asked])
        for asked, text in one.seen.items()
        if text != other.seen[asked]
    }


def _but_for_the_ladder(told: Told) -> Told:
    seen = {asked: DECIDED_BY_A_LADDER.sub("", text) for asked, text in told.seen.items()}
    return replace(told, seen=seen)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_no_answer_tells_one_ground_truth_from_another(
    tmp_path: Path, migrated_sqlite_file: Path, chapter: str
) -> None:
    truths = otto_truth(is_other=False), otto_truth(is_other=True)
    files, expected = CHAPTERS[chapter]
    sandbox = None if chapter in SANDBOXED else InProcess()
    one, other = Trial(OTTO, truths, files, sandbox).told(tmp_path, migrated_sqlite_file)
    assert _differences(one, other) == {}
    # The files were judged, and a comparison of scores sees that there are two truths.
    assert one.statuses == expected
    assert (one.scores != other.scores) == (chapter in SANDBOXED)


@pytest.mark.parametrize("kind", KINDS)
def test_no_kind_of_metric_tells_one_ground_truth_from_another(
    tmp_path: Path, migrated_sqlite_file: Path, kind: str
) -> None:
    made = KINDS[kind]
    truths = made.truth(0).encode(), made.truth(1).encode()
    has_ladder = made.settings.get("board") == "ladder"
    # What a freeze hides is the same for all metrics, and another thing for a ladder.
    later = Trial.later_phases if has_ladder else ()
    trial = Trial(made.settings, truths, made.files(), InProcess(), later)
    one, other = trial.told(tmp_path, migrated_sqlite_file)
    if has_ladder:
        one, other = _but_for_the_ladder(one), _but_for_the_ladder(other)
    assert _differences(one, other) == {}
    assert one.statuses["scored"] >= 4
    assert one.statuses["rejected"] >= 4
    assert one.scores != other.scores


def test_columns_of_the_board_tell_nothing_of_the_private_rows(
    tmp_path: Path, migrated_sqlite_file: Path
) -> None:
    """The private rows alone differ, so that no number that is shown may, to the last digit."""
    made = KINDS["columns of the board"]
    truths = graded_in_private(0).encode(), graded_in_private(1).encode()
    trial = Trial(made.settings, truths, made.files(), InProcess())
    one, other = trial.told(tmp_path, migrated_sqlite_file)
    assert _differences(one, other) == {}
    assert one.columns == other.columns
    assert one.board[0]["diagnostics"][RELEASED_DIAGNOSTIC] == 1
    hidden = [[item["diagnostics"] for item in told.to_organizers] for told in (one, other)]
    assert hidden[0] != hidden[1]


def test_nothing_tells_how_an_organizers_metric_ends_on_the_private_rows(
    tmp_path: Path, migrated_sqlite_file: Path
) -> None:
    """The private rows alone differ, so that nothing at all may: no score, no text, no state."""
    values = (5, 33, 34, 35, 6, 77, 78)
    files = {str(value): own_file(value) for value in values} | {"bad": b"id,y\n101,x\n"}
    truths = own_truth(is_other=False), own_truth(is_other=True)
    trial = Trial(OWN, truths, files, InProcess(), metric_file=OWN_METRIC)
    one, other = trial.told(tmp_path, migrated_sqlite_file)
    assert _differences(one, other) == {}
    assert one.statuses == Counter(scored=5, rejected=2, failed=1)
    assert one.scores == other.scores
    runs = [[item["private_run"] for item in told.to_organizers] for told in (one, other)]
    assert [found.count("failed") for found in runs] == [0, 3]


class _Endless(InProcess):
    """Runs metrics; on the private rows of the other truth they do not end before they are let go.
    Notes which runs began, by split."""

    def __init__(self) -> None:
        super().__init__()
        self.let_go = threading.Event()
        self.began: list[str] = []

    def run(self, task: SandboxTask[Any], *, limits: Limits, **given: Any) -> Result[Any]:
        """As in any process of tests."""
        if isinstance(task, RunMetric):
            highest = max(pl.read_parquet(task.solution)["y"].to_list())
            self.began.append("public" if highest < 20 else "private")
            if highest > 50 and self.is_holding:
                self.let_go.wait()
        return super().run(task, limits=limits, **given)

    is_holding = False


def test_no_one_waits_for_what_a_metric_does_on_the_private_rows(
    tmp_path: Path, migrated_sqlite_file: Path
) -> None:
    """Under the other truth no private run ends before all files have their verdicts."""
    seconds: list[float] = []
    for is_other in (False, True):
        sandbox = _Endless()
        folder = tmp_path / str(is_other)
        with serving(folder, migrated_sqlite_file, sandbox) as installation:
            opened(installation, own_truth(is_other=is_other), OWN_METRIC, **OWN)
            people = [enters(installation, name) for name in ("ada", "bob")]
            sandbox.is_holding, sandbox.began = True, []
            with judging(installation):
                try:
                    for number in range(4):
                        _sent(people[number % 2], {str(number): own_file(number)})
                    seconds += [_waited(each) for person in people for each in judged(person)]
                    installation.admin.post(f"/admin/competitions/{SLUG}/close")
                    refusal = installation.admin.post(f"/admin/competitions/{SLUG}/reveal")
                finally:
                    sandbox.let_go.set()
                if refusal.status_code != 200:
                    reveal(installation.admin, SLUG)
        assert refusal.status_code in ((409,) if is_other else (200, 409))
        assert sandbox.began.count("public") == sandbox.began.count("private") == 4
    # Public runs take a second until their verdict; a busy machine may add some.
    assert max(seconds) < 30


def _waited(submission: Mapping[str, Any]) -> float:
    """Seconds from the upload to the verdict."""
    ended, sent = (datetime.fromisoformat(submission[at]) for at in ("judged_at", "submitted_at"))
    assert submission["status"] == "scored"
    return (ended - sent).total_seconds()
