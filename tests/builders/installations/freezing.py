"""The last moments before an installation is frozen: what is queued, leased, and half done."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import httpx2

from tests.builders.installations.holding import killed_while, spoiled
from tests.builders.installations.program import children_of, until
from tests.builders.installations.season import Season

SLOTS = 3
"""Judgings that are held at a time; memory is meant for so many."""

QUIET = ("ended", "graded")
"""Competitions to which nothing is sent at last: one is over, the other has a rejudging that can be
applied."""


@dataclass
class Frost:
    """Brings the installation of a season to its last state, with a server that does not judge."""

    season: Season

    def settle(self) -> None:
        """Everything; the server runs, and no worker does."""
        self._failed()
        self._leased_judgings()
        self._rejudging_in_the_middle()
        if "customized" in self.season.contests:
            self._private_runs()
        if self.season.can("readGroundTruthAgain"):
            self._jobs()
        self._queued_judgings()
        self._upload_in_progress()

    def last_moment(self) -> None:
        """Stops a version in the middle of a request that reads a ground truth, where requests do:
        others may wait for it, so that the installation answers no more."""
        if not self.season.can("readGroundTruthAgain"):
            self._truth_that_is_read()

    def _failed(self) -> None:
        """A submission whose stored bytes are others than were sent, which is our fault."""
        season = self.season
        content = season.contests["lists"].files["5.csv"]
        sent = season.send("bob", "lists", "5.csv")
        with spoiled(season.program.stored(sha256(content).hexdigest())):
            season.program.work(slots=1)
            assert season.ended(sent) == "failed"
            season.program.stop("worker")
        for name in ("6.csv", "9.csv"):
            cancelled = season.send("bob", "lists", name)
            season.program.good("POST", f"/submissions/{cancelled}/cancel", season.people["bob"])
            assert season.status(cancelled) == "cancelled"

    def _leased_judgings(self) -> None:
        """Judgings whose worker was killed; one of them shall be cancelled."""
        season = self.season
        slugs = [slug for slug in season.contests if slug not in QUIET]
        for start in range(0, len(slugs), SLOTS):
            batch = slugs[start : start + SLOTS]
            sent = [season.send("ada", slug, "7.csv") for slug in batch]
            self._leased(sent, [season.contests[slug].files["7.csv"] for slug in batch])
        sent = [season.send("bob", "ratings", "6.csv")]
        self._leased(sent, [season.contests["ratings"].files["6.csv"]])
        path = f"/admin/submissions/{sent[0]}/cancel"
        season.program.good("POST", path, season.people["olga"])

    def _leased(self, sent: Sequence[str], contents: Sequence[bytes]) -> None:
        season = self.season
        files = [season.program.stored(sha256(each).hexdigest()) for each in contents]
        killed_while(
            season.program,
            files,
            lambda: all(season.status(each) == "judging" for each in sent),
            slots=SLOTS,
        )

    def _rejudging_in_the_middle(self) -> None:
        """All but one of the new judgings have a verdict, and one is leased."""
        season, slug = self.season, "words"
        content = season.contests[slug].files["1.parquet"]
        body = {"reason": "begun", "ground_truth_version": 2}
        begun = season.organize("POST", slug, "/rejudgings", json=body)
        query = f"SELECT state FROM judgings WHERE rejudging_id = '{begun['id']}'"

        def is_in_the_middle() -> bool:
            states = [state for (state,) in season.program.rows(query)]
            return states.count("scored") >= 2 and "judging" in states

        file = season.program.stored(sha256(content).hexdigest())
        killed_while(season.program, [file], is_in_the_middle, slots=2)
        body = {"reason": "not begun", "ground_truth_version": 2}
        for each in ("pairs", "articles"):
            if each in season.contests:
                season.organize("POST", each, "/rejudgings", json=body)

    def _private_runs(self) -> None:
        """Scored submissions whose private run is due: one is leased, others are not."""
        season, slug = self.season, "customized"
        for name in ("5.csv", "6.csv", "9.csv"):
            season.send("bob", slug, name)
        (parts,) = season.program.rows(
            "SELECT g.parts FROM ground_truth_versions g JOIN competitions c"
            f" ON c.id = g.competition_id WHERE c.slug = '{slug}' AND g.version = 1"
        )
        held = json.loads(parts[0]) if isinstance(parts[0], str) else parts[0]
        due = "SELECT worker_id FROM runs WHERE is_private AND state IN ('queued', 'running')"

        def is_in_the_middle() -> bool:
            workers = [worker for (worker,) in season.program.rows(due)]
            return len(workers) >= 2 and any(workers)

        private = season.program.stored(held["private"])
        killed_while(season.program, [private], is_in_the_middle, slots=2)

    def _jobs(self) -> None:
        """Jobs of which one is leased, and others are queued."""
        season = self.season
        body = {"slug": "draft", "title": "A draft", "preset": "otto"}
        season.program.good("POST", "/admin/competitions", season.people["olga"], json=body)
        season.drafts.append("draft")
        season.program.work(slots=1)
        season.organize(
            "POST", "draft", "/ground-truth", content=season.contests["lists"].truths[0]
        )
        until(lambda: season.organize("GET", "draft", "/ground-truth")["items"][0]["version"] == 1)
        # A worker that was killed is taken for a live one for half a minute.
        season.program.kill("worker")
        content = _turned(season.contests["graded"].truths[0])
        self._begin_job("/admin/competitions/graded/ground-truth", content=content)
        held = season.program.stored(sha256(content).hexdigest())
        running = "SELECT state FROM jobs WHERE state NOT IN ('done', 'failed')"

        def is_leased() -> bool:
            query = "SELECT id FROM jobs WHERE lease_until IS NOT NULL AND ended_at IS NULL"
            return bool(season.program.rows(query))

        killed_while(season.program, [held], is_leased, slots=1)
        self._begin_job("/admin/competitions/draft/launch", json={})
        self._begin_job(
            "/admin/competitions/lists/ground-truth",
            content=_turned(season.contests["lists"].truths[0]),
        )
        if "customized" in season.contests:
            self._begin_job("/admin/competitions/customized/metric-files/2/trial", json={})
        assert len(season.program.rows(running)) >= 3

    def _begin_job(self, path: str, **given: Any) -> None:
        answer = self.season.program.ask("POST", path, self.season.people["olga"], **given)
        assert answer.status_code in (202, 503), (path, answer.text)

    def _queued_judgings(self) -> None:
        for slug in self.season.contests:
            if slug not in QUIET:
                self.season.send("bob", slug, "8.csv")
        late = self.season.send("bob", "ended", "8.csv")
        assert self.season.status(late) == "queued"

    def _upload_in_progress(self) -> None:
        season = self.season
        content = season.contests["lists"].files["0.csv"]
        begun = season.program.ask(
            "POST", "/uploads", season.people["ada"], headers={"Upload-Length": str(len(content))}
        )
        assert begun.status_code == 201, begun.text
        path = begun.headers["Location"].partition("/api/v1")[2]
        season.ids["upload"] = path.rpartition("/")[2]
        sent = season.program.ask(
            "PATCH",
            path,
            season.people["ada"],
            content=content[:100],
            headers={"Upload-Offset": "0", "Upload-Complete": "?0"},
        )
        assert sent.status_code in (200, 201, 204), sent.text

    def _truth_that_is_read(self) -> None:
        """A ground truth that the server reads: its child is stopped, and goes with the server."""
        season = self.season
        body = {"slug": "draft", "title": "A draft", "preset": "otto"}
        season.program.good("POST", "/admin/competitions", season.people["olga"], json=body)
        season.drafts.append("draft")
        path = "/admin/competitions/draft/ground-truth"
        content = season.contests["lists"].truths[0]

        def send() -> None:
            with suppress(httpx2.HTTPError):
                season.program.ask("POST", path, season.people["olga"], content=content)

        threading.Thread(target=send, daemon=True).start()
        server = season.program.running["serve"].pid
        until(lambda: children_of(server))
        for child in children_of(server):
            os.kill(child, signal.SIGSTOP)
            season.program.stopped.append(child)
        query = "SELECT status FROM ground_truth_versions WHERE status = 'checking'"
        assert season.program.rows(query)


def _turned(content: bytes) -> bytes:
    """The same rows in the other order, which are other bytes."""
    header, *rows = content.splitlines(keepends=True)
    return b"".join([header, *reversed(rows)])
