"""Reserving, keeping and giving back a team's submission slots."""

from __future__ import annotations

import math
from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from podium.core import locks
from podium.core.access import phase_of
from podium.core.competition_settings import CompetitionSettings
from podium.core.configuration import settings_of
from podium.core.database.engine import Database, WriteSession, database_now
from podium.core.models import Competition, QuotaSlot, Team
from podium.core.models.teams import BASELINE, ORGANIZER
from podium.core.phases import Phase, takes_late_submissions, takes_submissions
from podium.errors import NotAllowed, QuotaExhausted, WrongState
from podium.errors.codes import ErrorCode
from podium.logs import get_logger
from podium.standings.service import leaks
from podium.submissions import rules
from podium.submissions.queries import quota

_log = get_logger("submissions")

UPLOADS_RETRY_SECONDS = 10
"""Seconds after which a user with too many uploads under way may look again."""

VERDICT_RETRY_SECONDS = 15
"""Seconds after which a team may look again whose files of today have no verdict yet."""


def reserve(
    session: WriteSession,
    *,
    competition: Competition,
    team: Team,
    user_id: str,
    uploads_per_user: int,
    rejected_per_hour: int,
    lease_seconds: float,
    is_limited: bool = True,
) -> QuotaSlot:
    """Takes a slot for an upload that is about to start; its `reserved_at` becomes `submitted_at`.

    Racing reservations of a team follow each other, so that there is never one too many; an act
    of the organizers comes wholly before or wholly after. With `is_limited=False` (an organizer's
    baseline) only the phase and the switch count. Raises `WrongState` (`competition-not-open`,
    `competition-closed`, `uploads-paused`), `NotAllowed` (`team-disqualified`,
    `leak-limit`) and `QuotaExhausted` (`too-many-uploads`, `too-many-rejections`,
    `quota-exhausted`).
    """
    locks.lock_person(session, user_id=user_id)
    # As it is now: it may have been disqualified meanwhile.
    locks.locked_team(session, team_id=team.id)
    competition = locks.lock_acts(session, competition_id=competition.id)
    settings = settings_of(competition)
    now = database_now(session)
    _release(session, quota.lapsed(session, now=now, user_id=user_id, team_id=team.id))
    is_late = _is_late(phase_of(competition, now), settings)
    _refuse_what_organizers_have_stopped(settings, team)
    day = rules.day_of(now)
    limit: int | None = None
    if is_limited:
        limit = settings.daily_limit
        _refuse_many_uploads(session, user_id=user_id, limit=uploads_per_user)
        _refuse_many_of_team(session, team_id=team.id, limit=settings.concurrent_uploads)
        _refuse_many_rejections(session, team_id=team.id, limit=rejected_per_hour, now=now)
        _refuse_total(session, team_id=team.id, limit=settings.total_limit)
        if not is_late:
            _refuse_leaks(session, competition, team)
    number = rules.free_number(quota.numbers_taken(session, team_id=team.id, day=day), limit)
    if number is None:
        raise _used_up(session, team_id=team.id, limit=limit, now=now)
    slot = QuotaSlot(
        team_id=team.id,
        user_id=user_id,
        day=day,
        number=number,
        reserved_at=now,
        lapses_at=now + timedelta(seconds=lease_seconds),
        is_late=is_late,
    )
    session.add(slot)
    session.flush()
    return slot


def renew_slot(session: WriteSession, *, slot_id: str, lease_seconds: float) -> bool:
    """Says that the upload is still alive; False when its slot was given away meanwhile."""
    until = database_now(session) + timedelta(seconds=lease_seconds)
    return quota.renew(session, slot_id=slot_id, lapses_at=until)


def release_slot(session: WriteSession, *, slot_id: str) -> None:
    """Gives back the slot of an upload that was refused or cut; harmless when it was used."""
    quota.delete_unused(session, slot_id=slot_id)


def return_slot(session: WriteSession, *, submission_id: str) -> bool:
    """Gives back the slot of a submission that is not charged; called with its verdict. Answers
    False where it used none."""
    return quota.delete_of_submission(session, submission_id=submission_id)


def is_uploading(database: Database) -> bool:
    """True if an upload holds a slot, whether or not its process lives."""
    return quota.IS_UPLOADING.passes(database)


def release_lapsed(session: WriteSession) -> int:
    """Gives back the slots of uploads whose process died; answers how many."""
    return _release(session, quota.lapsed(session, now=database_now(session)))


def allowance_of(
    session: Session, *, competition: Competition, team: Team, rejected_per_hour: int
) -> rules.Allowance:
    """The files that the team may still send today, and the limit that decides it."""
    now = database_now(session)
    settings = settings_of(competition)
    since = now - rules.REJECTIONS_WINDOW
    rejections = quota.rejections_since(session, team_id=team.id, since=since)
    phase = phase_of(competition, now)
    is_time = takes_submissions(phase) or (
        settings.late_submissions and takes_late_submissions(phase)
    )
    used = quota.numbers_taken(session, team_id=team.id, day=rules.day_of(now))
    is_late = not takes_submissions(phase)
    return rules.allowance(
        daily_limit=settings.daily_limit,
        total_limit=settings.total_limit,
        used_today=len(used),
        used_in_all=quota.slots_in_all(session, team_id=team.id),
        may_submit=is_time and team.disqualified_at is None,
        accepts_uploads=settings.accept_uploads,
        waits_until=rules.rejections_lapse_at(rejections, rejected_per_hour),
        leak=None if is_late else leak_budget(session, competition=competition, team=team),
        now=now,
    )


def leak_budget(
    session: Session, *, competition: Competition, team: Team
) -> rules.LeakBudget | None:
    """The bits that public scores may reveal to a team, and have revealed; None without a limit,
    and for those who see everything anyway."""
    settings = settings_of(competition)
    if settings.leak_limit is None or not {ORGANIZER, BASELINE}.isdisjoint(team.tags):
        return None
    revealed = leaks.bits_of_team(session, competition_id=competition.id, team_id=team.id)
    files = quota.slots_to_be_judged(session, team_id=team.id)
    most = files * leaks.most_of_next(session, competition=competition)
    return rules.LeakBudget(settings.leak_limit, revealed, math.ceil(most))


def _release(session: WriteSession, slot_ids: list[str]) -> int:
    gone = [slot_id for slot_id in slot_ids if quota.delete_unused(session, slot_id=slot_id)]
    if gone:
        _log.info("slots.lapsed", slots=len(gone))
    return len(gone)


def _is_late(phase: Phase, settings: CompetitionSettings) -> bool:
    if takes_submissions(phase):
        return False
    if not takes_late_submissions(phase):
        if phase is Phase.DRAFT:
            raise WrongState(
                "The competition is a draft. Launch it first.", code=ErrorCode.COMPETITION_NOT_OPEN
            )
        raise WrongState("The competition is not open yet.", code=ErrorCode.COMPETITION_NOT_OPEN)
    if not settings.late_submissions:
        raise WrongState("The competition is closed.", code=ErrorCode.COMPETITION_CLOSED)
    return True


def _refuse_what_organizers_have_stopped(settings: CompetitionSettings, team: Team) -> None:
    if team.disqualified_at is not None:
        raise NotAllowed("Your team is disqualified.", code=ErrorCode.TEAM_DISQUALIFIED)
    if not settings.accept_uploads:
        raise WrongState(
            "The organizers take no uploads for the moment. What was accepted stays.",
            code=ErrorCode.UPLOADS_PAUSED,
        )


def _refuse_many_uploads(session: WriteSession, *, user_id: str, limit: int) -> None:
    if quota.uploads_under_way(session, user_id=user_id) >= limit:
        raise QuotaExhausted(
            f"You have {limit} uploads under way. Wait until one of them has ended.",
            code=ErrorCode.TOO_MANY_UPLOADS,
            retry_after=UPLOADS_RETRY_SECONDS,
            limited_by=str(rules.LimitedBy.UPLOADS_PER_USER),
        )


def _refuse_many_of_team(session: WriteSession, *, team_id: str, limit: int) -> None:
    if quota.uploads_of_team(session, team_id=team_id) >= limit:
        raise QuotaExhausted(
            f"Your team has {limit} uploads under way. Wait until one of them has ended.",
            code=ErrorCode.TOO_MANY_UPLOADS,
            retry_after=UPLOADS_RETRY_SECONDS,
            limited_by=str(rules.LimitedBy.CONCURRENT_UPLOADS),
        )


def _refuse_many_rejections(
    session: WriteSession, *, team_id: str, limit: int, now: datetime
) -> None:
    since = now - rules.REJECTIONS_WINDOW
    found = quota.rejections_since(session, team_id=team_id, since=since)
    lapse_at = rules.rejections_lapse_at(found, limit)
    if lapse_at is not None:
        raise QuotaExhausted(
            f"{len(found)} files of your team were rejected or cancelled within an hour. The next"
            f" one is accepted from {rules.clock_of(lapse_at)}; check it with `podium validate`.",
            code=ErrorCode.TOO_MANY_REJECTIONS,
            retry_after=rules.seconds_until(lapse_at, now),
            limited_by=str(rules.LimitedBy.REJECTED_PER_HOUR),
        )


def _refuse_total(session: WriteSession, *, team_id: str, limit: int | None) -> None:
    if limit is not None and quota.slots_in_all(session, team_id=team_id) >= limit:
        raise QuotaExhausted(
            f"Your team has used all submissions of this competition, {limit} in all.",
            retry_after=24 * 3600,
            limited_by=str(rules.LimitedBy.TOTAL_LIMIT),
        )


def _refuse_leaks(session: WriteSession, competition: Competition, team: Team) -> None:
    budget = leak_budget(session, competition=competition, team=team)
    if budget is not None and budget.is_used_up:
        raise NotAllowed(budget.refusal, code=ErrorCode.LEAK_LIMIT)


def _used_up(session: Session, *, team_id: str, limit: int | None, now: datetime) -> QuotaExhausted:
    """The refusal of a team that has used its day; it may look again soon while a file of the day
    has no verdict yet, because a rejected one is given back."""
    detail = f"Your team has used all submissions of today (UTC), {limit} in all."
    wait = rules.seconds_until(rules.next_day(now), now)
    if undecided := quota.slots_undecided(session, team_id=team_id, day=rules.day_of(now)):
        are = "is" if undecided == 1 else "are"
        detail += f" {undecided} of them {are} not judged yet: a rejected file does not count."
        wait = min(wait, VERDICT_RETRY_SECONDS)
    limited_by = str(rules.LimitedBy.DAILY_LIMIT)
    return QuotaExhausted(detail, retry_after=wait, limited_by=limited_by)


def used_in_all(session: Session, *, team_id: str) -> int:
    """The number of slots that a team uses over the whole competition."""
    return quota.slots_in_all(session, team_id=team_id)
