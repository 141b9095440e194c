"""A competition of four sessions with a real ground truth, one team, and what it submits."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy.orm import Session

from podium.application import Application
from podium.core.database.engine import WriteSession, database_now
from podium.core.judging_states import State
from podium.core.models import (
    Competition,
    GroundTruthVersion,
    Judging,
    PublishedIdList,
    QuotaSlot,
    Run,
    Submission,
    Team,
    User,
)
from podium.judging.service import assignments, verdicts
from podium.judging.service.assignments import Assignment
from podium.judging.service.verdicts import Verdict, Work
from podium.sandbox import Limits
from podium.sandbox.definitions.materials import ReadTruth, Split
from podium.scoring.task import OTTO
from podium.storage import Area
from podium.submissions.service import dispatch
from tests.builders.rows import run_of

START = datetime(2026, 1, 1, tzinfo=UTC)

LABELS = (
    '{"session": 1, "labels": {"clicks": 10, "carts": [20, 21], "orders": [30]}}\n'
    '{"session": 2, "labels": {"clicks": 11, "orders": [31, 32]}}\n'
    '{"session": 3, "labels": {"clicks": 12, "carts": [22], "orders": [33]}}\n'
    '{"session": 4, "labels": {"clicks": 13, "carts": [23], "orders": [34]}}\n'
)

DOCUMENT: dict[str, Any] = {
    "fingerprint": None,
    "counts": {"rows": 12, "missing": 0, "empty": 3},
    "lists": {
        "objectives": {
            name: {"k": 20, "lists": 4, "empty": 1, "full": 2, "items": 45}
            for name in ("clicks", "carts", "orders")
        },
        "counted_share": 1,
        "distinct": 90,
        "catalogue": {
            "items": 120,
            "predicted": 60,
            "unknown": 30,
            "without_zeros": 0,
            "as_floats": 0,
        },
    },
    "scorer_version": "1",
    "metrics": dict.fromkeys(("clicks", "carts", "orders"), "recall_capped@20:micro"),
    "scores": {"public": "1/2", "private": "1/3"},
    "diagnostic_scores": {"public": {"mrr@20": "2/5"}, "private": {"mrr@20": "1/5"}},
    "splits": {
        split: {
            "hits": {"clicks": 1, "carts": 0, "orders": hits},
            "denominators": {"clicks": 2, "carts": 2, "orders": 3},
            "queries": {"clicks": 2, "carts": 1, "orders": 2},
            "values": {"clicks": "1/2", "carts": "0", "orders": "2/3"},
            "diagnostics": {"mrr@20": {"clicks": "1/4", "carts": "0", "orders": "1/2"}},
            "standard_error": 0.25,
            "diagnostic_errors": {"mrr@20": 0.125},
            "notes": {"mrr@20": {"short lists": {"clicks": 1, "carts": 0, "orders": 2}}},
        }
        for split, hits in (("public", 2), ("private", 3))
    },
}
"""The members of a child's answer for a good file, with different figures on both splits."""

PROBLEM = {"code": "bad-label", "detail": "a word", "line": 3, "errors": [], "error_count": 1}


class Scene:
    """The application with a competition, a team and its submissions.

    The ground truth is real where a `folder` is given to read it in; otherwise only its hashes are
    there, which is enough for everything but a child.
    """

    def __init__(self, application: Application, folder: Path | None = None) -> None:
        self.application = application
        self.truth_sha256, published = (
            ("a" * 64, "b" * 64) if folder is None else _ground_truth(application, folder)
        )
        with application.database.write() as session:
            self.team_id = _people(session, self.truth_sha256, published)

    def submit(
        self, content: bytes = b"any", *, number: int = 1, is_dispatched: bool = False
    ) -> str:
        """Accepts a file with its slot and a judging: the judging's id. Where a worker is under
        way, the judging is to be dispatched at once, or a round finds it and does so."""
        writer = self.application.storage.writer(Area.SUBMISSIONS)
        writer.write(content)
        stored = writer.finish()
        with self.application.database.write() as session:
            team = session.get_one(Team, self.team_id)
            user = session.query(User).first()
            assert user is not None
            submission = Submission(
                competition_id=team.competition_id,
                team_id=team.id,
                user_id=user.id,
                filename="submission.csv",
                bytes=stored.size,
                sha256=stored.sha256,
                submitted_at=START + timedelta(minutes=number),
            )
            session.add(submission)
            session.flush()
            row = Judging(
                submission_id=submission.id,
                competition_id=team.competition_id,
                ground_truth_version=1,
                state=State.QUEUED,
                created_at=database_now(session),
            )
            session.add(row)
            session.flush()
            submission.judging_id = row.id
            session.add(
                QuotaSlot(
                    team_id=team.id,
                    user_id=user.id,
                    day=START.date(),
                    number=number,
                    reserved_at=START,
                    submission_id=submission.id,
                )
            )
            if is_dispatched:
                dispatch.begin(session, self.application.queue, row)
            return row.id

    def dispatch(self, judging_id: str) -> None:
        """Gives a judging to the engine."""
        with self.application.database.write() as session:
            run = _due(session, judging_id)
            if run is None:
                judging = session.get_one(Judging, judging_id)
                dispatch.begin(session, self.application.queue, judging)
            else:
                dispatch.dispatch(session, self.application.queue, run)

    def begin(self, judging_id: str, **columns: Any) -> str:
        """Gives a judging its run, of which the engine does not hear, if it has none; answers the
        id of the one that is due."""
        with self.application.database.write() as session:
            run = _due(session, judging_id)
            if run is None:
                run = run_of(session.get_one(Judging, judging_id), **columns)
                session.add(run)
                session.flush()
            return run.id

    def take(
        self,
        judging_id: str,
        *,
        worker: str = "w1",
        seconds: float = 60,
        is_private: bool = False,
    ) -> Assignment | None:
        """Leases what is due of a judging as a worker, in a slot of private runs where
        `is_private`."""
        run_id = self.begin(judging_id)
        with self.application.database.write() as session:
            return assignments.take(
                session,
                run_id=run_id,
                worker_id=worker,
                lease_seconds=seconds,
                is_private=is_private,
            )

    def taken(self, judging_id: str, **lease: Any) -> Assignment:
        """Leases a judging that must be free."""
        assignment = self.take(judging_id, **lease)
        assert assignment is not None
        return assignment

    def expire(self, judging_id: str) -> None:
        """Lets a lease run out without waiting for it."""
        with self.application.database.write() as session:
            run = _due(session, judging_id)
            assert run is not None
            run.lease_until = database_now(session) - timedelta(seconds=1)

    def change(self, act: Callable[[WriteSession], Any]) -> Any:
        """One write transaction."""
        with self.application.database.write() as session:
            return act(session)

    def write(self, held: Assignment, act: Callable[[WriteSession, Work], Any]) -> bool:
        """Writes as a worker does under its lease; False where that is no longer the one."""
        with self.application.database.write() as session:
            work = verdicts.held_work(session, held.lease)
            if work is not None:
                act(session, work)
            return work is not None

    def reject(self, held: Assignment) -> bool:
        """Records, as a worker, that the file is at fault."""
        verdict = Verdict(state=State.REJECTED, problem=PROBLEM)
        return self.write(held, partial(verdicts.record, verdict=verdict))

    def row(self, judging_id: str) -> Judging:
        """The judging as it is stored now."""
        with self.application.database.read() as session:
            return session.get_one(Judging, judging_id)

    def run(self, judging_id: str, *, is_private: bool = False) -> Run:
        """A run of the judging as it is stored now."""
        with self.application.database.read() as session:
            query = session.query(Run).filter_by(judging_id=judging_id, is_private=is_private)
            return query.one()

    def private_run(self, judging_id: str) -> str | None:
        """The state of the judging's run for the private split alone, if there is one."""
        with self.application.database.read() as session:
            found = session.query(Run).filter_by(judging_id=judging_id, is_private=True).first()
            return None if found is None else found.state

    def slots(self) -> int:
        """The number of slots that the team uses."""
        with self.application.database.read() as session:
            return session.query(QuotaSlot).count()

    def count(self, table: type[Any]) -> int:
        """The number of rows of a table."""
        with self.application.database.read() as session:
            return session.query(table).count()


def _due(session: Session, judging_id: str) -> Run | None:
    runs = session.query(Run).filter_by(judging_id=judging_id)
    return runs.order_by(Run.is_private.desc()).first()


def submission(**labels: str) -> bytes:
    """A complete file; `clicks_1="10 11"` fills one row, all others are empty."""
    rows = [
        f"{session}_{kind},{labels.get(f'{kind}_{session}', '')}"
        for session in (1, 2, 3, 4)
        for kind in ("clicks", "carts", "orders")
    ]
    return "\n".join(["session_type,labels", *rows]).encode()


def _ground_truth(application: Application, folder: Path) -> tuple[str, str]:
    scratch = folder / "truth"
    scratch.mkdir()
    (folder / "labels.jsonl").write_text(LABELS)
    wanted = ReadTruth(
        file=folder / "labels.jsonl",
        task=OTTO,
        published=None,
        split=Split(kind="hash", secret="00" * 32, public_fraction="0.5"),
    )
    limits = Limits(memory_bytes=1 << 30, wall_seconds=60, file_bytes=1 << 30)
    result = application.sandbox.run(wanted, limits=limits, scratch=scratch)
    assert result.answer is not None, result.report
    truth = application.storage.add(Area.GROUND_TRUTH, scratch / "truth.parquet")
    published = application.storage.add(Area.FILES, scratch / "published.parquet")
    return truth.sha256, published.sha256


def _people(session: WriteSession, truth_sha256: str, published_sha256: str) -> str:
    user = User(name="ada", name_key="ada", created_at=START)
    session.add(user)
    session.flush()
    competition = Competition(
        slug="otto",
        title="OTTO",
        settings={},
        launched_at=START,
        active_ground_truth=1,
        created_at=START,
        created_by=user.id,
    )
    session.add(competition)
    session.flush()
    team = Team(
        competition_id=competition.id,
        name="Team Ada",
        name_key="team ada",
        invite_code="code",
        tags=[],
        created_at=START,
    )
    session.add_all(
        [
            team,
            PublishedIdList(
                competition_id=competition.id,
                sha256=published_sha256,
                sessions=4,
                source="ground-truth",
                created_at=START,
            ),
            GroundTruthVersion(
                competition_id=competition.id,
                version=1,
                status="stored",
                upload_sha256=truth_sha256,
                upload_bytes=1,
                sha256=truth_sha256,
                created_at=START,
                created_by=user.id,
            ),
        ]
    )
    session.flush()
    return team.id


def ended(scene: Scene, row: str) -> Judging:
    """The judging once it has its verdict."""
    until(lambda: State(scene.row(row).state).is_final)
    return scene.row(row)


def until(condition: Callable[[], bool], seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"this did not happen within {seconds} s"
        time.sleep(0.05)
