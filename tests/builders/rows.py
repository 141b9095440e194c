"""Initial rows of these tests: competitions, people, teams and verdicts, written to the tables."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any

from sqlalchemy import event

from podium.core.access import Actor
from podium.core.database.engine import WriteSession, database_now
from podium.core.database.types import new_id
from podium.core.judging_states import State
from podium.core.leases import WorkState
from podium.core.models import (
    Competition,
    CompetitionSecret,
    GroundTruthVersion,
    Judging,
    PrivateScore,
    PublicScore,
    PublishedIdList,
    QuotaSlot,
    Run,
    Submission,
    Team,
    User,
    Worker,
)
from podium.core.names import name_key
from podium.operations.service import workers
from podium.standings.service import standings
from podium.submissions.service.submissions import UploadRules
from podium.teams.queries import members_of
from podium.teams.service import teams

RULES = UploadRules(uploads_per_user=16, rejected_per_hour=20, lease_seconds=20)
START = datetime(2026, 1, 1, tzinfo=UTC)

SPLIT_KEY = "5e" * 32
"""Divides sessions in the same way every time. By chance few of them could all be in one split, and
a private score as round as the bound of a bin of the charts, which anyone may see."""


def split_alike() -> None:
    """Lets all competitions that this process makes have `SPLIT_KEY`."""
    event.listen(CompetitionSecret, "before_insert", _give_key)


@contextmanager
def keys_by_chance() -> Iterator[None]:
    """Lets competitions have keys as outside of tests: each another one."""
    event.remove(CompetitionSecret, "before_insert", _give_key)
    try:
        yield
    finally:
        split_alike()


def _give_key(_: object, __: object, secret: CompetitionSecret) -> None:
    secret.split_key = SPLIT_KEY


def add_user(session: WriteSession, name: str = "", **members: Any) -> Actor:
    """An account, as the actor of use cases."""
    name = name or f"user {secrets.token_hex(4)}"
    user = User(name=name, name_key=name_key(name), created_at=database_now(session), **members)
    session.add(user)
    session.flush()
    return Actor(user.id, user.name, is_administrator=user.is_administrator)


def add_live_worker(session: WriteSession, worker_id: str = "busy") -> None:
    """A worker without heartbeats that counts as alive for an hour: a test, or its job, may take
    longer than a worker may be silent."""
    workers.register(session, worker_id=worker_id)
    session.flush()
    session.get_one(Worker, worker_id).heartbeat_at += timedelta(hours=1)


def add_competition(session: WriteSession, slug: str = "otto", **members: Any) -> Competition:
    """An open competition with the default settings and a first ground truth."""
    settings = members.pop("settings", {})
    owner = add_user(session)
    competition = Competition(
        slug=slug,
        title=slug,
        settings=settings,
        created_at=START,
        created_by=owner.user_id,
        **({"launched_at": START, "active_ground_truth": 1} | members),
    )
    session.add(competition)
    session.flush()
    return competition


def add_truth(
    session: WriteSession, competition: Competition, *, published_sha256: str = "1d" * 32
) -> None:
    """Adds the rows of a competition's first ground truth."""
    session.add_all(
        [
            CompetitionSecret(competition_id=competition.id, split_key=SPLIT_KEY),
            PublishedIdList(
                competition_id=competition.id,
                sha256=published_sha256,
                sessions=1,
                source="ground-truth",
                created_at=START,
            ),
            GroundTruthVersion(
                competition_id=competition.id,
                version=1,
                status="stored",
                upload_sha256="0f" * 32,
                upload_bytes=1,
                sha256="70" * 32,
                created_at=START,
                created_by=competition.created_by,
            ),
        ]
    )
    session.flush()


def add_team(session: WriteSession, competition: Competition, name: str = "") -> tuple[Team, Actor]:
    """A team of one, and the one."""
    actor = add_user(session)
    name = name or f"team {secrets.token_hex(4)}"
    team = teams.create_team(session, slug=competition.slug, actor=actor, name=name)
    return team, actor


def add_scored(
    session: WriteSession,
    team: Team,
    *,
    public: str,
    private: str = "0",
    minute: int = 0,
    state: State = State.SCORED,
    problem: dict[str, Any] | None = None,
    judged_at: datetime | None = None,
) -> str:
    """A judged submission of a team with these exact scores; its standing follows."""
    at = START + timedelta(minutes=minute)
    submission = Submission(
        competition_id=team.competition_id,
        team_id=team.id,
        user_id=members_of(session, team_id=team.id)[0].id,
        filename="s.csv",
        bytes=1,
        sha256=secrets.token_hex(32),
        submitted_at=at,
    )
    session.add(submission)
    session.flush()
    judging = Judging(
        id=new_id(),
        submission_id=submission.id,
        competition_id=team.competition_id,
        ground_truth_version=1,
        state=state,
        created_at=at,
        judged_at=judged_at or at,
        problem=problem,
    )
    session.add(judging)
    submission.judging_id = judging.id
    session.flush()
    session.add(run_of(judging))
    if state is State.SCORED:
        whole = {name: _objective(public) for name in ("clicks", "carts", "orders")}
        hidden = {name: _objective(private) for name in ("clicks", "carts", "orders")}
        for table, score, objectives in (
            (PublicScore, public, whole),
            (PrivateScore, private, hidden),
        ):
            session.add(table(judging_id=judging.id, score=Fraction(score), objectives=objectives))
        session.flush()
    standings.refresh(session, competition_id=team.competition_id, team_id=team.id)
    return submission.id


def private_run_of(judging: Judging, **columns: Any) -> Run:
    """The run of a judging for the private split alone."""
    return Run(
        judging_id=judging.id,
        is_private=True,
        priority=1,
        created_at=judging.created_at,
        **columns,
    )


RUN_STATES = {
    State.QUEUED: WorkState.QUEUED,
    State.RUNNING: WorkState.RUNNING,
    State.SCORED: WorkState.DONE,
    State.REJECTED: WorkState.REFUSED,
    State.FAILED: WorkState.FAILED,
    State.CANCELLED: WorkState.CANCELLED,
}


def run_of(judging: Judging, **columns: Any) -> Run:
    """The run of a judging's verdict, of which the engine has not heard."""
    return Run(
        id=judging.id,
        judging_id=judging.id,
        state=RUN_STATES[State(judging.state)],
        priority=1,
        created_at=judging.created_at,
        **columns,
    )


def use_slot(session: WriteSession, team: Team, submission_id: str, number: int = 1) -> None:
    """The slot that a submission of today uses."""
    now = database_now(session)
    session.add(
        QuotaSlot(
            team_id=team.id,
            user_id=members_of(session, team_id=team.id)[0].id,
            day=now.date(),
            number=number,
            reserved_at=now,
            submission_id=submission_id,
        )
    )
    session.flush()


def _objective(score: str) -> dict[str, Any]:
    exact = Fraction(score)
    hits, denominator = exact.as_integer_ratio()
    return {"hits": hits, "denominator": denominator, "queries": 10, "value": score}
