"""A frozen installation, opened and served by the code of today."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Set
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.builders.installations import packing
from tests.builders.installations.program import AFTERWARDS, ENVIRONMENT, Program, until
from tests.builders.installations.recording import answered, exact_scores, wait_for_all
from tests.builders.processes.commands import Ran, ran

VOLATILE = frozenset(
    {
        # These go by the hour at which they are asked for.
        *("submissions_left_today", "resets_at", "limited_by", "queue_position", "expires_at"),
        # Words for people.
        *("title", "hint", "notice", "warnings"),
    }
)
"""Members that are not compared."""

MADE_BY_A_WORKER = "/sample-submission"

LATER = frozenset({"judged_at", "updated_at", "scorer_version", "seconds", "processor", "text"})
"""Members that are not compared of what had no verdict when the installation was frozen: they say
when it was given, after how long, by which version and on which machine; a receipt says it, too."""


@dataclass
class Opened:
    """An installation with its answers of then and of now, when it was opened (`seen`) and after it
    had ended its work (`ended`)."""

    program: Program
    answers: Mapping[str, Any]
    now: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    scores: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Exact verdicts by competition and judging, after the work that was begun."""
    anew: dict[str, tuple[str, dict[str, Any]]] = field(default_factory=dict)
    """By competition: a rejudging of everything, and all exact verdicts after it."""
    upload: dict[str, Any] = field(default_factory=dict)

    def get(self, who: str, path: str) -> Any:
        """The answer to a GET."""
        token = self.answers["people"].get(who)
        return self.program.ask("GET", path, token)

    def differences(self, moment: str) -> list[str]:
        """The places at which today's answers lack or change something."""
        besides = VOLATILE | (LATER if moment == "ended" else frozenset())
        return [
            f"{was['who']} {was['path']}{difference}"
            for was, now in zip(self.answers[moment], self.now[moment], strict=True)
            if moment == "ended" or not was["path"].endswith(MADE_BY_A_WORKER)
            for difference in lost(was, now, besides=besides)
        ]

    def podium(self, *arguments: object) -> Ran:
        """Runs a command on the machine of the installation."""
        settings = ENVIRONMENT | {"PODIUM_DATA_DIR": str(self.program.data)}
        if self.program.database_url:
            settings["PODIUM_DATABASE_URL"] = self.program.database_url
        folder, environment = self.program.folder, os.environ | settings
        return ran(*arguments, cwd=folder, environment=environment)


@contextmanager
def opened_again(name: str, folder: Path, *, database_url: str = "") -> Iterator[Opened]:
    """The installation after it was served without a worker, then with one until everything had
    ended, and after a rejudging of everything; its server runs until the block ends."""
    answers = packing.unpacked(name, folder)
    if database_url:
        packing.load(folder / packing.DUMP, database_url)
    program = Program([], folder, database_url)
    opened = Opened(program, answers)
    try:
        program.serve("--no-worker", **AFTERWARDS)
        opened.now["seen"] = _asked_again(opened, "seen")
        program.work(slots=2, **AFTERWARDS)
        wait_for_all(opened, answers["competitions"])
        opened.now["ended"] = _asked_again(opened, "ended")
        opened.scores = {slug: exact_scores(opened, slug) for slug in answers["competitions"]}
        _resume_the_upload(opened)
        for slug in answers["drafts"]:
            # What its ground truth needs was begun, by that version or by this one.
            program.good("POST", f"/admin/competitions/{slug}/launch")
        _judge_anew(opened)
        yield opened
        program.stop("worker")
        program.stop("serve")
    finally:
        program.abandon()


def lost(was: Any, now: Any, place: str = "", *, besides: Set[str] = VOLATILE) -> Iterator[str]:
    """The places at which a document lacks or changes something of an earlier one; additions are
    fine, and so is another last bit of a number that is not exact."""
    if isinstance(was, dict) and isinstance(now, dict):
        for name in was.keys() - besides:
            if name not in now:
                yield f"{place}.{name} is gone"
            else:
                yield from lost(was[name], now[name], f"{place}.{name}", besides=besides)
    elif isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
        for number, (before, after) in enumerate(zip(was, now, strict=True)):
            yield from lost(before, after, f"{place}[{number}]", besides=besides)
    elif isinstance(was, float) and isinstance(now, float):
        if not math.isclose(was, now, rel_tol=1e-12):
            yield f"{place}: {was} → {now}"
    elif was != now:
        yield f"{place}: {str(was)[:200]} → {str(now)[:200]}"


def _asked_again(opened: Opened, moment: str) -> list[dict[str, Any]]:
    asked = [(was["who"], was["path"]) for was in opened.answers[moment]]
    # Without a worker these would be waited for in vain.
    is_made = moment == "ended"
    return [
        answered(opened, who, path) if is_made or not path.endswith(MADE_BY_A_WORKER) else {}
        for who, path in asked
    ]


def _resume_the_upload(opened: Opened) -> None:
    """Sends the rest of the upload that was cut, whose bytes are those of the first submission."""
    whole = opened.get("ada", f"/submissions/{opened.answers['sent']['lists/0.csv']}/file").content
    token, upload = opened.answers["people"]["ada"], opened.answers["ids"]["upload"]
    headers = {"Upload-Offset": "100", "Upload-Complete": "?1"}
    path = f"/uploads/{upload}"
    opened.program.good("PATCH", path, token, content=whole[100:], headers=headers)
    body = {"upload_id": upload, "filename": "0.csv"}
    sent = opened.program.good("POST", "/competitions/lists/submissions", token, json=body)
    path = f"/submissions/{sent['id']}"
    until(lambda: opened.get("ada", path).json()["judged_at"] is not None)
    opened.upload = opened.get("ada", path).json()


def _judge_anew(opened: Opened) -> None:
    token, slugs = opened.answers["people"]["olga"], opened.answers["competitions"]
    begun = {}
    for slug in slugs:
        path = f"/admin/competitions/{slug}/rejudgings"
        for each in opened.get("olga", path).json()["items"]:
            if each["status"] in ("running", "ready"):
                opened.program.good("POST", f"/admin/rejudgings/{each['id']}/cancel", token)
        started = opened.program.good("POST", path, token, json={"reason": "the same again"})
        begun[slug] = started["id"]
    wait_for_all(opened, slugs)
    opened.anew = {slug: (begun[slug], exact_scores(opened, slug)) for slug in slugs}
