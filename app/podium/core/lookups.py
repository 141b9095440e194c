"""Lookups of rows that several subjects refer to. None of them reads a score."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import ColumnElement, Text, and_, cast, func, or_, select
from sqlalchemy.orm import Session

from podium.core.competition_settings import CompetitionSettings, with_changes
from podium.core.configuration import missing_add_ons, settings_of
from podium.core.judging_states import CHARGED_PROBLEMS, METRIC_FAILED, State
from podium.core.models import (
    Competition,
    GroundTruthVersion,
    Judging,
    JudgingPause,
    Membership,
    MetricVersion,
    OrganizerRole,
    PublishedIdList,
    QuotaSlot,
    Rejudging,
    Run,
    Submission,
    Team,
    User,
)
from podium.core.versions import VersionState


def submission_of(session: Session, *, submission_id: str) -> Submission:
    """Finds the submission by its public id."""
    return session.scalars(select(Submission).where(Submission.id == submission_id)).one()


def settings_of_judging(session: Session, judging: Judging) -> CompetitionSettings:
    """Reads the settings of a judging: those in force, with the changes of its rejudging where it
    belongs to one."""
    settings = settings_of(session.get_one(Competition, judging.competition_id))
    if judging.rejudging_id is None:
        return settings
    rejudging = session.get_one(Rejudging, judging.rejudging_id)
    return with_changes(settings, rejudging.settings or {})


def lacking_add_ons(session: Session) -> Mapping[str, list[str]]:
    """Maps the ids of competitions to the add-ons that this process lacks for them; competitions
    that lack none are left out."""
    # Names of add-ons' contributions contain two underscores.
    may_lack = cast(Competition.settings, Text).contains("__", autoescape=True)
    found = {
        each.id: missing_add_ons(settings_of(each))
        for each in session.scalars(select(Competition).where(may_lack))
    }
    return {competition_id: names for competition_id, names in found.items() if names}


def hits_of(session: Session, judging: Judging) -> str | None:
    """Finds the stored file for comparisons: that of a private run, which has both splits, or that
    of the verdict."""
    query = select(Run.hits_sha256).where(Run.judging_id == judging.id, Run.is_private)
    return session.scalar(query) or judging.hits_sha256


def ground_truth(session: Session, *, competition_id: str, version: int) -> GroundTruthVersion:
    """Finds the stored ground truth version that a judging uses."""
    query = select(GroundTruthVersion).where(
        GroundTruthVersion.competition_id == competition_id,
        GroundTruthVersion.version == version,
    )
    return session.scalars(query).one()


def metric_hashes(session: Session, *, competition_id: str) -> dict[int, str]:
    """Maps the version numbers of the custom metric to the SHA-256 of their files."""
    query = select(MetricVersion.version, MetricVersion.sha256).where(
        MetricVersion.competition_id == competition_id
    )
    return {version: sha256 for version, sha256 in session.execute(query) if version is not None}


def published_ids(session: Session, *, competition_id: str) -> PublishedIdList:
    """Finds the list of the sessions that submissions must answer."""
    return session.get_one(PublishedIdList, competition_id)


def pauses_of(session: Session, *, competition_id: str) -> Sequence[JudgingPause]:
    """Lists the ground truths of a competition that could not be read, with the times of the next
    attempts."""
    query = select(JudgingPause).where(JudgingPause.competition_id == competition_id)
    return session.scalars(query.order_by(JudgingPause.ground_truth_version)).all()


def chosen_finals(session: Session, *, competition_id: str) -> set[str]:
    """Collects the ids of all submissions that teams have selected."""
    query = select(Submission.id).where(
        Submission.competition_id == competition_id, Submission.is_selected
    )
    return set(session.scalars(query))


def active_version(
    session: Session, competition_id: str, version: int | None
) -> GroundTruthVersion | None:
    """Finds the stored version with this number."""
    return session.scalar(
        select(GroundTruthVersion).where(
            GroundTruthVersion.competition_id == competition_id,
            GroundTruthVersion.version == version,
            GroundTruthVersion.status == VersionState.STORED,
        )
    )


def outdate_versions(session: Session, competition_id: str) -> int:
    """Marks every stored version as outdated; returns their number."""
    rows = session.scalars(
        select(GroundTruthVersion).where(
            GroundTruthVersion.competition_id == competition_id,
            GroundTruthVersion.status == VersionState.STORED,
        )
    ).all()
    for row in rows:
        row.status = VersionState.OUTDATED
    return len(rows)


def metric_version(session: Session, competition_id: str, version: int) -> MetricVersion | None:
    """Finds the stored version of the custom metric with this number."""
    query = select(MetricVersion).where(
        MetricVersion.competition_id == competition_id, MetricVersion.version == version
    )
    return session.scalar(query)


def metric_in_force(
    session: Session, competition_id: str, settings: CompetitionSettings
) -> MetricVersion | None:
    """Finds the stored version of the custom metric that these settings name."""
    own = settings.own_metric
    return None if own is None else metric_version(session, competition_id, own.version)


def is_in_force(settings: CompetitionSettings, version: MetricVersion) -> bool:
    """True for the version of the custom metric that these settings name."""
    return settings.own_metric is not None and settings.own_metric.version == version.version


METRIC_RULES = 1
"""The number of the current rules by which custom metrics are checked; versions store that of
theirs."""


def goes_on(competition: Competition, version: MetricVersion) -> bool:
    """True for the version in force of a launched competition that was checked by older rules:
    breaking newer ones does not stop a competition."""
    is_older = (version.checked or {}).get("rules") != METRIC_RULES
    is_launched = competition.launched_at is not None
    return is_launched and is_older and is_in_force(settings_of(competition), version)


def metric_warnings(session: Session, competition: Competition) -> list[str]:
    """Lists the rules that the metric in force breaks without being refused, as problems of its
    file."""
    row = metric_in_force(session, competition.id, settings_of(competition))
    return [] if row is None else list((row.checked or {}).get("warnings", []))


def team_of(session: Session, *, competition_id: str, user_id: str) -> Team | None:
    """Finds the team of a person in a competition."""
    query = (
        select(Team)
        .join(Membership, Membership.team_id == Team.id)
        .where(Membership.competition_id == competition_id, Membership.user_id == user_id)
    )
    return session.scalar(query)


def team_in(session: Session, *, competition_id: str, team_id: str) -> Team | None:
    """Finds a team by its id, if it belongs to the competition."""
    team = session.get(Team, team_id)
    return team if team is not None and team.competition_id == competition_id else None


def surviving_team(session: Session, *, team_id: str) -> Team:
    """Finds a team, or the one that it was merged into."""
    team = session.get_one(Team, team_id, populate_existing=True)
    return team if team.merged_into_id is None else session.get_one(Team, team.merged_into_id)


def member_ids(session: Session, *, team_id: str) -> set[str]:
    """Collects the ids of a team's members."""
    return set(session.scalars(select(Membership.user_id).where(Membership.team_id == team_id)))


def organizers_of(session: Session, competition_id: str) -> Sequence[User]:
    """Lists the organizers of a competition, in the order in which they were added."""
    query = (
        select(User)
        .join(OrganizerRole, OrganizerRole.user_id == User.id)
        .where(OrganizerRole.competition_id == competition_id)
        .order_by(OrganizerRole.added_at, User.id)
    )
    return session.scalars(query).all()


def teams_of(session: Session, *, competition_id: str) -> dict[str, Team]:
    """Maps the ids of all teams of a competition to the teams."""
    query = select(Team).where(Team.competition_id == competition_id)
    return {team.id: team for team in session.scalars(query)}


FAILURES_IN_A_ROW = 3
"""Failures after which a team's further files stay in the queue until organizers give a slot back
or rejudge one of these."""


def waiting_teams(
    session: Session, *, team_ids: Collection[str] | None = None, competition_id: str | None = None
) -> set[str]:
    """Collects the ids of the waiting teams: all, or those among some, or of a competition."""
    query = (
        select(Submission.team_id)
        .join(Judging, Judging.id == Submission.judging_id)
        .join(QuotaSlot, QuotaSlot.submission_id == Submission.id)
        .where(Judging.state == State.FAILED, problem_code() == METRIC_FAILED)
        .group_by(Submission.team_id)
        .having(func.count() >= FAILURES_IN_A_ROW)
    )
    if team_ids is not None:
        query = query.where(Submission.team_id.in_(list(team_ids)))
    if competition_id is not None:
        query = query.where(Submission.competition_id == competition_id)
    return {team_id for team_id in session.scalars(query) if _waits(session, team_id)}


def waiting_in(session: Session, *, competition_id: str) -> Sequence[Team]:
    """Lists the waiting teams of a competition, by name."""
    waiting = waiting_teams(session, competition_id=competition_id)
    query = select(Team).where(Team.id.in_(waiting)).order_by(Team.name_key)
    return session.scalars(query).all() if waiting else []


def _waits(session: Session, team_id: str) -> bool:
    """True if a team's last files that met the ground truth all failed, and no slot was given
    back."""
    met_the_truth = or_(
        Judging.state == State.SCORED,
        and_(Judging.state == State.REJECTED, problem_code().in_(CHARGED_PROBLEMS)),
        and_(Judging.state == State.FAILED, problem_code() == METRIC_FAILED),
    )
    query = (
        select(Judging.state, QuotaSlot.id)
        .select_from(Submission)
        .join(Judging, Judging.id == Submission.judging_id)
        .outerjoin(QuotaSlot, QuotaSlot.submission_id == Submission.id)
        .where(Submission.team_id == team_id, met_the_truth)
        .order_by(Submission.sequence.desc())
        .limit(FAILURES_IN_A_ROW)
    )
    return all(state == State.FAILED and slot for state, slot in session.execute(query))


def problem_code() -> ColumnElement[str]:
    """Builds the SQL for the code of a judging's problem; empty where it has none."""
    return func.coalesce(Judging.problem["code"].as_string(), "")
