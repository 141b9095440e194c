"""Choosing which submissions count for the final ranking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from podium.core import audit, locks, lookups
from podium.core.access import Actor, competition_for_reader, phase_of
from podium.core.configuration import settings_of
from podium.core.database.engine import WriteSession, database_now
from podium.core.judging_states import State
from podium.core.models import Competition, Team
from podium.core.phases import takes_selections
from podium.errors import InvalidInput, NotAllowed, WrongState
from podium.errors.codes import ErrorCode
from podium.standings.service import standings
from podium.submissions.queries import submissions

SELECTABLE = (State.QUEUED, State.RUNNING, State.SCORED)
"""States of submissions that may count in the end; others leave their place free anyway."""


@dataclass(frozen=True, slots=True)
class FinalsView:
    """A team's final selection: the ids that it chose, newest first, and those that count in the
    end (None while hidden scores decide about it), of at most `places`."""

    submission_ids: list[str]
    counting: list[str] | None
    places: int


def finals_of(session: Session, *, slug: str, actor: Actor) -> FinalsView:
    """The choice of the actor's team, and what counts. Raises `NotAllowed` (`not-joined`)."""
    competition = competition_for_reader(session, slug=slug, actor=actor)
    team = _team_of(session, competition, actor)
    return FinalsView(
        submissions.selected_of(session, team_id=team.id),
        standings.counting_finals(session, competition=competition, team_id=team.id),
        settings_of(competition).final_selections,
    )


def select_finals(
    session: WriteSession, *, slug: str, actor: Actor, submission_ids: Sequence[str]
) -> list[str]:
    """Makes exactly these the team's finals, in place of what was chosen before.

    Raises `NotAllowed` (`not-joined`), `WrongState` (`competition-closed`,
    `competition-not-open`) and `InvalidInput` (`too-many-selected`, `not-selectable`).
    """
    competition = competition_for_reader(session, slug=slug, actor=actor)
    # The team does not become a part of another one meanwhile.
    locks.lock_person(session, user_id=actor.user_id)
    team = _team_of(session, competition, actor)
    locks.locked_team(session, team_id=team.id)
    competition = locks.lock_acts(session, competition_id=competition.id)
    phase = phase_of(competition, database_now(session))
    if not takes_selections(phase):
        raise WrongState(
            "Finals can be chosen while the competition is open.",
            code=ErrorCode.COMPETITION_NOT_OPEN
            if phase in ("draft", "upcoming")
            else ErrorCode.COMPETITION_CLOSED,
        )
    wanted = list(dict.fromkeys(submission_ids))
    places = settings_of(competition).final_selections
    if len(wanted) > places:
        raise InvalidInput(
            f"At most {places} submissions can count.", code=ErrorCode.TOO_MANY_SELECTED
        )
    for submission_id in wanted:
        _refuse_unselectable(session, team_id=team.id, submission_id=submission_id)
    submissions.select_finals(session, team_id=team.id, submission_ids=wanted)
    audit.record(session, actor, "selection.change", team, submission_ids=wanted)
    return wanted


def _team_of(session: Session, competition: Competition, actor: Actor) -> Team:
    team = lookups.team_of(session, competition_id=competition.id, user_id=actor.user_id)
    if team is None:
        raise NotAllowed("You are in no team of this competition.", code=ErrorCode.NOT_JOINED)
    return team


def _refuse_unselectable(session: WriteSession, *, team_id: str, submission_id: str) -> None:
    found = submissions.find(session, submission_id=submission_id)
    if (
        found is None
        or found.team.id != team_id
        or State(found.judging.state) not in SELECTABLE
        or found.submission.disqualified_at is not None
        or found.submission.is_late
    ):
        raise InvalidInput(
            f"{submission_id} cannot be chosen: only submissions of your own team that were in time"
            " and not rejected can.",
            code=ErrorCode.NOT_SELECTABLE,
        )
