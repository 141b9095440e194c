"""SQL of integrity: fingerprints with their submissions, disqualified teams, and reviews in the
log."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from podium.core.judging_states import State
from podium.core.models import (
    AuditEntry,
    Fingerprint,
    Judging,
    PublicScore,
    PublishedIdList,
    Submission,
    Team,
)
from podium.standings.rules import UNRANKED_TAGS


@dataclass(frozen=True, slots=True)
class Marked:
    """A scored submission with its fingerprint."""

    submission_id: str
    team_id: str
    team_name: str
    team_tags: list[str]
    submitted_at: datetime
    sha256: str
    scheme: str
    content: str
    sketch: bytes
    counts: dict[str, int]
    score: Fraction


def marked(session: Session, *, competition_id: str) -> Sequence[Marked]:
    """Returns all scored submissions of ranked teams that have a fingerprint, in order of
    acceptance."""
    columns: tuple[Any, ...] = (
        Submission.id,
        Submission.team_id,
        Team.name,
        Team.tags,
        Submission.submitted_at,
        Submission.sha256,
        Fingerprint.scheme,
        Fingerprint.content,
        Fingerprint.sketch,
        Judging.counts,
        PublicScore.score,
    )
    query = (
        select(*columns)
        .join(Fingerprint, Fingerprint.submission_id == Submission.id)
        .join(Judging, Judging.id == Submission.judging_id)
        .join(PublicScore, PublicScore.judging_id == Judging.id)
        .join(Team, Team.id == Submission.team_id)
        .where(Submission.competition_id == competition_id, Judging.state == State.SCORED)
        .order_by(Submission.sequence)
    )
    rows = [Marked(*row) for row in session.execute(query)]
    return [row for row in rows if UNRANKED_TAGS.isdisjoint(row.team_tags)]


def disqualified_teams(session: Session, *, competition_id: str) -> set[str]:
    """Returns the ids of a competition's disqualified teams."""
    query = select(Team.id).where(
        Team.competition_id == competition_id, Team.disqualified_at.is_not(None)
    )
    return set(session.scalars(query))


def entries_of_actions(
    session: Session, *, competition_id: str, actions: Collection[str]
) -> Sequence[AuditEntry]:
    """Returns a competition's log entries of these actions, oldest first."""
    query = (
        select(AuditEntry)
        .where(AuditEntry.competition_id == competition_id, AuditEntry.action.in_(actions))
        .order_by(AuditEntry.id)
    )
    return session.scalars(query).all()


def session_count(session: Session, *, competition_id: str) -> int:
    """Returns the number of published ids: sessions, pairs or rows."""
    published = session.get(PublishedIdList, competition_id)
    return published.sessions if published else 0
