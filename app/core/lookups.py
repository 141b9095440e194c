"""Rows that several subjects refer to, found by what is known of them. Nothing here names
a score."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from podium.core.models import (
    GroundTruthVersion,
    JudgingPause,
    Membership,
    MetricVersion,
    OrganizerRole,
    PublishedIdList,
    Submission,
    Team,
    User,
)
from podium.core.truth_states import TruthState


def submission_of(session: Session, *, submission_id: str) -> Submission:
    """The submission by its public id."""
    return session.scalars(select(Submission).where(Submission.id == submission_id)).one()


def ground_truth(session: Session, *, competition_id: str, version: int) -> GroundTruthVersion:
    """The stored version that a judging is against."""
    query = select(GroundTruthVersion).where(
        GroundTruthVersion.competition_id == competition_id,
        GroundTruthVersion.version == version,
    )
    return session.scalars(query).one()


def published_ids(session: Session, *, competition_id: str) -> PublishedIdList:
    """The list of the sessions that submissions must answer."""
    return session.get_one(PublishedIdList, competition_id)


def pauses_of(session: Session, *, competition_id: str) -> Sequence[JudgingPause]:
    """Ground truths of a competition that could not be read, with when that is tried again."""
    query = select(JudgingPause).where(JudgingPause.competition_id == competition_id)
    return session.scalars(query.order_by(JudgingPause.ground_truth_version)).all()


def chosen_finals(session: Session, *, competition_id: str) -> set[str]:
    """Ids of all submissions that teams have selected."""
    query = select(Submission.id).where(
        Submission.competition_id == competition_id, Submission.is_selected
    )
    return set(session.scalars(query))


def latest_version(session: Session, competition_id: str) -> int | None:
    """The highest number that a version of this competition ever got."""
    return session.scalar(
        select(func.max(GroundTruthVersion.version)).where(
            GroundTruthVersion.competition_id == competition_id
        )
    )


def active_version(
    session: Session, competition_id: str, version: int | None
) -> GroundTruthVersion | None:
    """The stored version with this number."""
    return session.scalar(
        select(GroundTruthVersion).where(
            GroundTruthVersion.competition_id == competition_id,
            GroundTruthVersion.version == version,
            GroundTruthVersion.status == TruthState.STORED,
        )
    )


def outdate_versions(session: Session, competition_id: str) -> int:
    """Marks every stored version as useless; answers how many there were."""
    rows = session.scalars(
        select(GroundTruthVersion).where(
            GroundTruthVersion.competition_id == competition_id,
            GroundTruthVersion.status == TruthState.STORED,
        )
    ).all()
    for row in rows:
        row.status = TruthState.OUTDATED
    return len(rows)


def metric_version(
    session: Session, competition_id: str, version: int | None
) -> MetricVersion | None:
    """The stored version of the organizer's metric with this number."""
    query = select(MetricVersion).where(
        MetricVersion.competition_id == competition_id, MetricVersion.version == version
    )
    return session.scalar(query)


def team_of(session: Session, *, competition_id: str, user_id: str) -> Team | None:
    """The team of a person in a competition."""
    query = (
        select(Team)
        .join(Membership, Membership.team_id == Team.id)
        .where(Membership.competition_id == competition_id, Membership.user_id == user_id)
    )
    return session.scalar(query)


def team_in(session: Session, *, competition_id: str, team_id: str) -> Team | None:
    """A team by its id, if it belongs to the competition."""
    team = session.get(Team, team_id)
    return team if team is not None and team.competition_id == competition_id else None


def surviving_team(session: Session, *, team_id: str) -> Team:
    """A team as it is now, or the one that took it in."""
    query = select(Team).where(Team.id == team_id).execution_options(populate_existing=True)
    team = session.scalars(query).one()
    return team if team.merged_into_id is None else session.get_one(Team, team.merged_into_id)


def member_ids(session: Session, *, team_id: str) -> set[str]:
    """The ids of the people of a team."""
    return set(session.scalars(select(Membership.user_id).where(Membership.team_id == team_id)))


def organizers_of(session: Session, competition_id: str) -> Sequence[User]:
    """The people who organize a competition, in the order in which they were added."""
    query = (
        select(User)
        .join(OrganizerRole, OrganizerRole.user_id == User.id)
        .where(OrganizerRole.competition_id == competition_id)
        .order_by(OrganizerRole.added_at, User.id)
    )
    return session.scalars(query).all()


def teams_of(session: Session, *, competition_id: str) -> dict[str, Team]:
    """All teams of a competition by id."""
    query = select(Team).where(Team.competition_id == competition_id)
    return {team.id: team for team in session.scalars(query)}
