"""Deletion of competitions: a draft at once, a launched one in the background.

The request marks it, in one transaction: from then on it is hidden from users, and its slug is
free. A worker removes its rows in portions, so that others can write in between, and another one
continues if it is killed: the competition's own row is removed last.
"""

from __future__ import annotations

from threading import Event
from typing import Any

from podium.competitions import queries
from podium.competitions.queries import deletion
from podium.competitions.service.phases import wrong
from podium.core import audit, locks
from podium.core.access import Actor, competition_for_organizer, phase_of
from podium.core.configuration import settings_of
from podium.core.database.engine import Database, WriteSession, database_now
from podium.core.models import AccessLink, Competition
from podium.core.phases import Phase, takes_late_submissions
from podium.errors import InvalidInput, WrongState
from podium.errors.codes import ErrorCode
from podium.jobs import leases
from podium.logs import get_logger

PORTION = 500
"""Rows that one transaction removes: a tenth of a second or so."""

PAUSE_SECONDS = 0.05
"""Seconds between two portions, in which others write."""

_log = get_logger("competitions")


def delete_competition(
    session: WriteSession, *, actor: Actor, slug: str, confirm: str | None = None
) -> None:
    """Deletes a draft, or a launched competition that is over, for good.

    The latter is for the administrator, and `confirm` repeats its slug. Raises `NotFound`,
    `WrongState` (`already-launched` for its organizers; the phases, `still-judging` and
    `rejudging-running`) and `InvalidInput` (`not-confirmed`).
    """
    known = competition_for_organizer(session, slug=slug, actor=actor)
    # The use of a link locks it before the competition.
    locks.lock_links(session, AccessLink.competition_id == known.id)
    # A job that ends is locked before its competition.
    leases.cancel(session, competition_id=known.id)
    competition = competition_for_organizer(
        session, slug=slug, actor=actor, for_update=True, with_slug=True
    )
    facts: dict[str, Any] = {"slug": slug, "title": competition.title}
    if competition.launched_at is None:
        deletion.remove_all(session, competition_id=competition.id)
    else:
        _require_over(session, actor, competition)
        if (confirm or "").casefold() != slug:
            raise InvalidInput(
                "Repeat the competition's slug in `confirm`. Nothing brings it back but its full"
                " archive: download that first.",
                code=ErrorCode.NOT_CONFIRMED,
            )
        counts = queries.counts_of(session, [competition.id])[competition.id]
        facts |= {"teams": counts.teams, "submissions": counts.submissions}
        _mark(session, competition)
    audit.record(session, actor, "competition.delete", competition, **facts)


def _require_over(session: WriteSession, actor: Actor, competition: Competition) -> None:
    if not actor.is_administrator:
        raise WrongState(
            "Only drafts can be deleted: this competition was launched. Once it is over, the"
            " administrator of this installation can delete it.",
            code=ErrorCode.ALREADY_LAUNCHED,
        )
    now = database_now(session)
    phase = phase_of(competition, now)
    if phase not in (Phase.CLOSED, Phase.REVEALED):
        raise wrong(phase, "Close it before you delete it.")
    settings = settings_of(competition)
    if settings.late_submissions and settings.accept_uploads and takes_late_submissions(phase):
        raise WrongState(
            "This competition takes late submissions. Pause uploads before you delete it.",
            code=ErrorCode.COMPETITION_OPEN,
        )
    if queries.has_open_rejudging(session, competition.id):
        raise WrongState(
            "A rejudging is under way. Apply or cancel it before you delete the competition.",
            code=ErrorCode.REJUDGING_RUNNING,
        )
    if queries.has_judgings_to_come(
        session, competition.id, are_held=not settings.judge_uploads
    ) or queries.uploads_under_way(session, competition.id, now=now):
        raise WrongState(
            "Submissions are uploaded or scored. Wait until that has ended, or pause scoring.",
            code=ErrorCode.STILL_JUDGING,
        )


def _mark(session: WriteSession, competition: Competition) -> None:
    competition.deleted_at = database_now(session)
    # No address leads to a slug with a slash, and another competition may have the former one.
    competition.slug = f"{competition.slug}/{competition.id}"
    session.flush()


def remove_deleted(database: Database, *, stopping: Event) -> int:
    """Removes the rows of deleted competitions, until the process has to stop; returns the number
    of competitions that were removed completely."""
    if not deletion.IS_MARKED.passes(database):
        return 0
    with database.read() as session:
        found = deletion.marked(session)
    return sum(_remove(database, competition_id, stopping) for competition_id in found)


def _remove(database: Database, competition_id: str, stopping: Event) -> bool:
    with database.read() as session:
        if leases.has_unfinished(session, competition_id=competition_id):
            # The jobs were cancelled, and their workers end them; one may be about to write.
            return False
    for table in deletion.TABLES[:-1]:
        is_more = True
        while is_more:
            with database.write(is_minor=True) as session:
                is_more = deletion.remove_portion(
                    session, table, competition_id=competition_id, limit=PORTION
                )
            if stopping.wait(PAUSE_SECONDS if is_more else 0):
                return False
    with database.write(is_minor=True) as session:
        competition = deletion.last_locked(session, competition_id=competition_id)
        if competition is None:
            return False
        slug = competition.slug.partition("/")[0]
        deletion.remove_all(session, competition_id=competition_id)
        audit.record(session, None, "competition.remove", competition_id=competition_id, slug=slug)
    _log.info("competition.removed", competition=competition_id, slug=slug)
    return True
