"""The merge itself: one team hands everything over to another, in one transaction."""

from __future__ import annotations

from datetime import datetime

from podium.core.configuration import settings_of
from podium.core.database.engine import WriteSession, database_now
from podium.core.models import Competition, Team
from podium.errors import WrongState
from podium.submissions.service import quota
from podium.teams import queries
from podium.teams.queries import merging
from podium.teams.rules import Merging, days_so_far, tags_after_merge
from podium.teams.service.forming import new_invite_code, renew_board, tag_organizers


def absorb(
    session: WriteSession, *, competition: Competition, survivor: Team, absorbed: Team
) -> None:
    """Moves people, slots and submissions, and rewrites the boards; the absorbed team's row stays
    and refers to the survivor. The caller has locked all that `lock_both` locks. A verdict that
    waits for the board finds the merge and writes the survivor's standing.

    Raises `WrongState` (`merge-too-large`, `merge-too-many-submissions`).
    """
    now = database_now(session)
    ids = {"from_team_id": absorbed.id, "to_team_id": survivor.id}
    _refuse_against_rules(session, competition, survivor, absorbed, now)
    merging.move_slots(session, **ids)
    merging.move_submissions(session, **ids)
    merging.move_people(session, **ids)
    survivor.tags = tags_after_merge(survivor.tags, absorbed.tags)
    absorbed.merged_into_id, absorbed.merged_at = survivor.id, now
    absorbed.invite_code = new_invite_code()
    session.flush()
    merging.point_to_survivor(session, absorbed_id=absorbed.id, survivor_id=survivor.id)
    merging.void_requests(session, team_id=absorbed.id, now=now)
    merging.delete_standings(session, team_id=absorbed.id)
    tag_organizers(session, competition, survivor)
    renew_board(session, survivor)


def _refuse_against_rules(
    session: WriteSession, competition: Competition, survivor: Team, absorbed: Team, now: datetime
) -> None:
    settings = settings_of(competition)
    both = (survivor.id, absorbed.id)
    merging = Merging(
        members=sum(queries.count_members(session, team_id=id_) for id_ in both),
        used_in_all=sum(quota.used_in_all(session, team_id=id_) for id_ in both),
        team_size=settings.team_size,
        daily_limit=settings.daily_limit,
        total_limit=settings.total_limit,
        days=days_so_far(_start(competition, now), _end(competition, now)),
    )
    if merging.obstacle is not None:
        code, detail = merging.obstacle
        raise WrongState(detail, code=code)


def _start(competition: Competition, now: datetime) -> datetime:
    moments = (competition.launched_at, competition.starts_at)
    return max((moment for moment in moments if moment is not None), default=now)


def _end(competition: Competition, now: datetime) -> datetime:
    moments = (competition.closed_at, competition.ends_at, now)
    return min(moment for moment in moments if moment is not None)
