"""A season with something in every table that an archive holds, and how archives are looked at."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any

from podium.accounts.service.bootstrap import ensure_administrator
from podium.application import Application
from podium.core.models import (
    Competition,
    Judging,
    MergeRequest,
    PrivateScore,
    PublicScore,
    QuotaSlot,
    Rejudging,
    RejudgingChange,
    RulesAcceptance,
    Submission,
    Team,
)
from podium.main import create_app
from podium.standings.service import leaks, standings
from podium.storage import Area
from tests.builders.installation import ADMIN_TOKEN, Installation, Person
from tests.builders.jobs.in_process import doing_jobs
from tests.builders.rows import private_run_of, run_of
from tests.builders.servers.in_process import TestClient

START = datetime(2026, 1, 1, 12, 30, 15, 123456, tzinfo=UTC)

PRIVATE = "0.8123456789"
"""Digits that occur in private scores only."""

OBJECTIVES = ("clicks", "carts", "orders")

BOARD = "/competitions/otto/leaderboard"

EXPORT = "/admin/competitions/otto/export"


@contextmanager
def served(application: Application) -> Iterator[Installation]:
    """The application behind its routes, with its administrator."""
    with application.database.write() as session:
        ensure_administrator(session, token=ADMIN_TOKEN)
    served = TestClient(create_app(application), raise_server_exceptions=False)
    with doing_jobs(application), served as client:
        yield Installation(client, application)


PRIVATE_RUNS = {1: "done", 2: "failed", 3: "queued"}
"""The private runs of submissions, by their minute."""


@dataclass
class Season:
    """The competition `otto` on an installation; people and their teams by name."""

    installation: Installation
    people: dict[str, Person] = field(default_factory=dict)
    teams: dict[str, str] = field(default_factory=dict)

    def enter(self, name: str) -> None:
        """A person with a team of the same name."""
        person = self.installation.person(name)
        answer = person.post("/competitions/otto/teams", json={"name": f"Team {name}"})
        assert answer.status_code == 201, answer.text
        self.people[name], self.teams[name] = person, answer.json()["id"]

    def submit(
        self, name: str, public: str | None, private: str = "0.5", *, minute: int = 0
    ) -> str:
        """A submission; scored with these exact scores, or still waiting without any."""
        storage = self.installation.application.storage
        with self.installation.application.database.write() as session:
            team = session.get_one(Team, self.teams[name])
            stored = _store(storage, Area.SUBMISSIONS, f"file {name} {minute}".encode())
            at = START + timedelta(minutes=minute)
            submission = Submission(
                competition_id=team.competition_id,
                team_id=team.id,
                user_id=self.people[name].id,
                filename="s.csv",
                note=f"note {minute}",
                bytes=stored.size,
                sha256=stored.sha256,
                submitted_at=at,
            )
            session.add(submission)
            session.flush()
            judging = Judging(
                submission_id=submission.id,
                competition_id=team.competition_id,
                ground_truth_version=1,
                state="queued" if public is None else "scored",
                created_at=at,
                judged_at=None if public is None else at + timedelta(seconds=7),
                counts={"rows": 180, "missing": 0, "empty": 0, "form": "no header"},
                scorer_version="test",
                hits_sha256=_store(storage, Area.HITS, f"hits {minute}".encode()).sha256,
            )
            session.add(judging)
            session.flush()
            note = {"outcome": "measured", "output": f"line {minute}", "processor": "a processor"}
            session.add(run_of(judging, note=None if public is None else note))
            if (state := PRIVATE_RUNS.get(minute)) is not None:
                told = None if state == "queued" else {"outcome": state, "report": "x"}
                session.add(private_run_of(judging, state=state, note=told))
            submission.judging_id = judging.id
            session.add(
                QuotaSlot(
                    team_id=team.id,
                    user_id=self.people[name].id,
                    day=at.date(),
                    number=minute + 1,
                    reserved_at=at,
                    submission_id=submission.id,
                )
            )
            if public is not None:
                for table, score in ((PublicScore, public), (PrivateScore, private)):
                    session.add(
                        table(
                            judging_id=judging.id,
                            score=Fraction(score),
                            objectives={name: _objective(score) for name in OBJECTIVES},
                        )
                    )
            session.flush()
            leaks.record(session, judging=judging)
            standings.refresh(session, competition_id=team.competition_id, team_id=team.id)
            return submission.id

    def reveal(self) -> None:
        """Ends the season."""
        with self.installation.application.database.write() as session:
            competition = session.query(Competition).one()
            competition.closed_at = competition.revealed_at = START + timedelta(days=1)
            competition.launched_at = START - timedelta(days=1)
            standings.write_private_board(session, competition=competition)


def play(installation: Installation) -> Season:
    """Four teams: one leads, one is disqualified, one was merged into another, one is a baseline
    with a file that is still waiting."""
    installation.launched(registration="open", daily_limit=50)
    answer = installation.admin.put("/admin/competitions/otto/files/train.csv", content=b"a,b\n")
    assert answer.status_code == 201
    season = Season(installation)
    for name in ("Ada", "Bob", "Cleo", "Dan", "<Eve>"):
        season.enter(name)
    season.submit("Ada", "0.5", PRIVATE, minute=1)
    season.submit("Bob", "0.7", f"{PRIVATE}1", minute=2)
    season.submit("Ada", "0.6", f"{PRIVATE}2", minute=3)
    season.submit("Cleo", "0.9", f"{PRIVATE}3", minute=4)
    season.submit("<Eve>", "0.6", f"{PRIVATE}4", minute=5)
    season.submit("Bob", None, minute=6)
    _add_the_rest(season)
    return season


def _add_the_rest(season: Season) -> None:
    with season.installation.application.database.write() as session:
        competition = session.query(Competition).one()
        own = {name: session.get_one(Team, id_) for name, id_ in season.teams.items()}
        own["Cleo"].disqualified_at = START
        own["<Eve>"].tags = ["baseline"]
        own["Dan"].merged_into_id, own["Dan"].merged_at = own["<Eve>"].id, START
        who = season.people["Ada"].id
        session.add(
            MergeRequest(
                from_team_id=own["Dan"].id,
                to_team_id=own["<Eve>"].id,
                status="accepted",
                created_at=START,
                created_by=season.people["Dan"].id,
            )
        )
        rejudging = Rejudging(
            competition_id=competition.id,
            ground_truth_version=1,
            reason="a fix",
            state="cancelled",
            fed_until=3,
            created_at=START,
            created_by=competition.created_by,
            finished_at=START,
        )
        session.add(rejudging)
        session.flush()
        session.add(
            RejudgingChange(
                rejudging_id=rejudging.id,
                place=1,
                change={"team": {"id": own["Ada"].id}, "old": {"rank": 1}},
            )
        )
        session.add(
            RulesAcceptance(
                competition_id=competition.id,
                user_id=who,
                sha256="0" * 64,
                accepted_at=START,
                address="192.0.2.77",
            )
        )
        session.flush()
        standings.recompute_public_board(session, competition=competition)
    answer = season.installation.admin.post(
        "/admin/competitions/otto/announcements",
        json={"title": "A <b>fix</b>", "text": "Scores have changed."},
    )
    assert answer.status_code == 201, answer.text


def exported(person: Person, query: str = "") -> bytes:
    """An archive over HTTP."""
    answer = person.get(f"{EXPORT}{query}")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/zip"
    return bytes(answer.content)


def members_of(archive: bytes) -> dict[str, bytes]:
    """The content of an archive by its members' names."""
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        assert opened.testzip() is None
        return {name: opened.read(name) for name in opened.namelist()}


def lines_of(content: bytes) -> list[Any]:
    """The documents of a member with one to a line."""
    return [json.loads(line) for line in content.splitlines()]


def packed(members: dict[str, bytes], **options: Any) -> bytes:
    """An archive with these members; the manifest is as it is given."""
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as archive:
        for name, content in members.items():
            how = zipfile.ZIP_STORED if name.startswith("files/") else zipfile.ZIP_DEFLATED
            archive.writestr(zipfile.ZipInfo(name), content, options.get(name, how))
    return sink.getvalue()


def restored(installation: Installation, archive: bytes, query: str = "") -> Any:
    """Imports an archive and answers the response."""
    return installation.admin.post(f"/admin/competitions/import{query}", content=archive)


def boards_of(installation: Installation, slug: str = "otto") -> dict[str, bytes]:
    """Every document in which the boards of a competition are served."""
    found = {}
    for split in ("public", "private"):
        for path in (f"leaderboard?limit=1000&split={split}", f"leaderboard.csv?split={split}"):
            answer = installation.anonymous.get(f"/competitions/{slug}/{path}")
            found[path] = answer.content if answer.status_code == 200 else b""
    return found


def _objective(score: str) -> dict[str, Any]:
    hits, denominator = Fraction(score).as_integer_ratio()
    return {
        "hits": hits,
        "denominator": denominator,
        "queries": 60,
        "value": f"{hits}/{denominator}",
    }


def _store(storage: Any, area: Area, content: bytes) -> Any:
    writer = storage.writer(area)
    writer.write(content)
    return writer.finish()
