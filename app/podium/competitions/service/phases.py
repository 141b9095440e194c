"""The explicit actions in a competition's life: freeze, close, reveal and their reversals. The
launch has its own file."""

from __future__ import annotations

from typing import Any

from sqlalchemy.orm import Session

from podium.competitions import queries
from podium.core import audit
from podium.core.access import Actor, competition_for_organizer, dates_of, phase_of
from podium.core.database.engine import WriteSession, database_now
from podium.core.models import Competition
from podium.core.phases import Phase, can_unfreeze
from podium.errors import WrongState
from podium.errors.codes import ErrorCode
from podium.standings.service import leaks, standings

JUDGING_RETRY_SECONDS = 5
"""Seconds after which a reveal that waits for judgings may be tried again."""


def freeze(session: WriteSession, *, actor: Actor, slug: str, reason: str = "") -> Competition:
    """Freezes the public board; uploads and judging continue. Raises `NotFound` and
    `WrongState`."""
    competition = competition_for_organizer(session, slug=slug, actor=actor, for_update=True)
    now = database_now(session)
    phase = phase_of(competition, now)
    if phase is not Phase.OPEN:
        raise wrong(phase, "Only an open competition can be frozen.")
    competition.frozen_at = now
    _acted(session, actor, competition, "freeze", reason)
    return competition


def unfreeze(session: WriteSession, *, actor: Actor, slug: str, reason: str = "") -> Competition:
    """Ends a freeze and shows the hidden results. Raises `NotFound` and `WrongState` (`not-frozen`
    where a closed competition was never frozen)."""
    competition = competition_for_organizer(session, slug=slug, actor=actor, for_update=True)
    phase = phase_of(competition, database_now(session))
    if not can_unfreeze(dates_of(competition), phase):
        if phase is Phase.CLOSED:
            raise WrongState("This competition is not frozen.", code=ErrorCode.NOT_FROZEN)
        raise wrong(phase, "Only a frozen competition can be unfrozen.")
    competition.frozen_at = None
    _acted(session, actor, competition, "unfreeze", reason)
    leaks.record_all(session, competition=competition)
    standings.recompute_public_board(session, competition=competition)
    return competition


def close(session: WriteSession, *, actor: Actor, slug: str, reason: str = "") -> Competition:
    """Ends submitting and selecting before `ends_at`. Raises `NotFound` and `WrongState`."""
    competition = competition_for_organizer(session, slug=slug, actor=actor, for_update=True)
    now = database_now(session)
    phase = phase_of(competition, now)
    if phase in (Phase.DRAFT, Phase.CLOSED, Phase.REVEALED):
        raise wrong(phase, "Only a competition that is under way can be closed.")
    competition.closed_at = now
    _acted(session, actor, competition, "close", reason)
    return competition


def reopen(session: WriteSession, *, actor: Actor, slug: str, reason: str = "") -> Competition:
    """Reopens a closed competition, but never a revealed one. Raises `NotFound` and
    `WrongState`."""
    competition = competition_for_organizer(session, slug=slug, actor=actor, for_update=True)
    now = database_now(session)
    phase = phase_of(competition, now)
    if phase is not Phase.CLOSED:
        raise wrong(phase, "Only a closed competition can be reopened.")
    if competition.ends_at is not None and now >= competition.ends_at:
        raise wrong(phase, "Its closing date has passed. Move it into the future first.")
    competition.closed_at = None
    _acted(session, actor, competition, "reopen", reason)
    return competition


def reveal(session: WriteSession, *, actor: Actor, slug: str, reason: str = "") -> Competition:
    """Publishes the final ranking, for good. All accepted submissions must be judged first, by a
    custom metric on both splits; where that failed on the private one, the submission is not
    ranked, and the audit log has the number of these.

    Raises `NotFound` and `WrongState` (`still-judging` among others).
    """
    competition = competition_for_organizer(session, slug=slug, actor=actor, for_update=True)
    now = database_now(session)
    phase = phase_of(competition, now)
    if phase is not Phase.CLOSED:
        raise wrong(phase, "Only a closed competition can be revealed.")
    unjudged, uploads = still_open(session, competition=competition)
    if unjudged or uploads:
        raise WrongState(
            f"{unjudged} submissions are not scored yet and {uploads} uploads are in progress."
            " Try again when they have ended.",
            code=ErrorCode.STILL_JUDGING,
            retry_after=JUDGING_RETRY_SECONDS,
            unjudged=unjudged,
            uploads=uploads,
        )
    if competition.closed_at is None:
        competition.closed_at = competition.ends_at
    competition.revealed_at = now
    standings.write_private_board(session, competition=competition)
    missing = queries.private_scores_missing(session, competition.id)
    _acted(session, actor, competition, "reveal", reason, private_scores_missing=missing or None)
    return competition


def still_open(session: Session, *, competition: Competition) -> tuple[int, int]:
    """Counts the submissions without a verdict, and the uploads in progress."""
    now = database_now(session)
    return (
        queries.unjudged_submissions(session, competition.id),
        queries.uploads_under_way(session, competition.id, now=now),
    )


def _acted(
    session: WriteSession,
    actor: Actor,
    competition: Competition,
    act: str,
    reason: str,
    **facts: Any,
) -> None:
    competition.version += 1
    session.flush()
    audit.record(
        session,
        actor,
        f"competition.{act}",
        competition,
        reason=reason,
        **{name: fact for name, fact in facts.items() if fact is not None},
    )


_CODES = {
    Phase.DRAFT: ErrorCode.COMPETITION_DRAFT,
    Phase.UPCOMING: ErrorCode.COMPETITION_UPCOMING,
    Phase.OPEN: ErrorCode.COMPETITION_OPEN,
    Phase.FROZEN: ErrorCode.COMPETITION_FROZEN,
    Phase.CLOSED: ErrorCode.COMPETITION_CLOSED,
    Phase.REVEALED: ErrorCode.COMPETITION_REVEALED,
}


def wrong(phase: Phase, detail: str) -> WrongState:
    """Builds the refusal of an action that this phase does not allow."""
    return WrongState(f"This competition is {phase}. {detail}", code=_CODES[phase])
