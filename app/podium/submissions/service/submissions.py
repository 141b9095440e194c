"""From a request to upload to an accepted submission, and finding one. What its team
may choose afterwards is in `selection`, what organizers may rule in `disqualification`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from podium.competitions.service.acceptance import require_accepted
from podium.core import audit, locks, lookups
from podium.core.access import Actor, competition_for_organizer, competition_for_reader, organizes
from podium.core.configuration import settings_of
from podium.core.database.engine import WriteSession, database_now
from podium.core.judging_states import State
from podium.core.models import Competition, Judging, QuotaSlot, Submission, Team
from podium.core.models.teams import BASELINE
from podium.errors import NotAllowed, NotFound, Unavailable, refuse_large_file
from podium.errors.codes import ErrorCode
from podium.queue import Queue
from podium.storage import Stored
from podium.submissions.queries import submissions
from podium.submissions.queries.submissions import Found as Found
from podium.submissions.queries.submissions import SubmissionFilter as SubmissionFilter
from podium.submissions.service import dispatch, idempotency, quota
from podium.submissions.service.dispatch import Trace
from podium.submissions.service.idempotency import Earlier

UNKNOWN = "There is no submission with this id, or you may not see it."


@dataclass(frozen=True, slots=True)
class UploadRules:
    """The installation's limits: uploads at a time, rejected files an hour, lease in seconds."""

    uploads_per_user: int
    rejected_per_hour: int
    lease_seconds: float


@dataclass(frozen=True, slots=True)
class Admission:
    """An upload that may start: its slot is reserved. With `earlier` there is no slot: the body is
    only compared with that of the submission that the key already stands for."""

    max_bytes: int
    slot_id: str = ""
    earlier: Earlier | None = None


def admit(
    session: WriteSession,
    *,
    slug: str,
    actor: Actor,
    rules: UploadRules,
    key: str | None = None,
    announced_bytes: int | None = None,
    team_id: str | None = None,
) -> Admission:
    """Decides whether a body may be read, before its first byte: key, size, team, phase, quota.

    `team_id` is for organizers who submit for a baseline. Raises `NotFound`, `TooLarge`,
    `NotAllowed` (`not-joined`, `team-disqualified`), `WrongState` and `QuotaExhausted`.
    """
    competition = competition_for_reader(session, slug=slug, actor=actor)
    locks.lock_person(session, user_id=actor.user_id)
    max_bytes = settings_of(competition).max_upload_bytes
    if key is not None:
        earlier = idempotency.find_earlier(
            session, user_id=actor.user_id, competition_id=competition.id, key=key
        )
        if earlier is not None:
            return Admission(max_bytes, earlier=earlier)
    refuse_large_file(announced_bytes or 0, max_bytes=max_bytes)
    team = _team_for(session, competition, actor, team_id)
    slot = quota.reserve(
        session,
        competition=competition,
        team=team,
        user_id=actor.user_id,
        uploads_per_user=rules.uploads_per_user,
        rejected_per_hour=rules.rejected_per_hour,
        lease_seconds=rules.lease_seconds,
        is_limited=BASELINE not in team.tags,
    )
    if key is not None:
        idempotency.claim(
            session,
            user_id=actor.user_id,
            competition_id=competition.id,
            key=key,
            slot_id=slot.id,
        )
    return Admission(max_bytes, slot_id=slot.id)


def accept(
    session: WriteSession,
    *,
    queue: Queue,
    actor: Actor,
    slot_id: str,
    stored: Stored,
    filename: str,
    note: str,
    key: str | None = None,
    trace: Trace | None = None,
) -> Submission:
    """Turns a stored file into a submission with its first judging and the engine's job, all in
    the caller's transaction: after its commit the promise of the 202 holds.

    Raises `Unavailable` (`upload-lapsed`) when the slot was given away meanwhile.
    """
    # A retry under the same key comes wholly before or wholly after.
    locks.lock_person(session, user_id=actor.user_id)
    slot = _held_slot(session, slot_id)
    team = session.get_one(Team, slot.team_id)
    competition = locks.lock_acts(session, competition_id=team.competition_id)
    submission = Submission(
        competition_id=competition.id,
        team_id=slot.team_id,
        user_id=actor.user_id,
        filename=filename,
        note=note,
        bytes=stored.size,
        sha256=stored.sha256,
        submitted_at=slot.reserved_at,
        is_late=slot.is_late,
        identical_to=submissions.twin_of(session, team_id=slot.team_id, sha256=stored.sha256),
    )
    session.add(submission)
    session.flush()
    _queue_first_judging(session, queue, competition, submission, trace)
    slot.submission_id, slot.lapses_at = submission.id, None
    if key is not None:
        idempotency.settle(session, key=key, submission=submission)
    audit.record(
        session, actor, "submission.accept", submission, bytes=stored.size, sha256=stored.sha256
    )
    return submission


def find_submission(session: Session, *, submission_id: str, actor: Actor) -> tuple[Found, bool]:
    """A submission that the actor may see, and whether as an organizer.

    Raises `NotFound` with the same text for strangers and for ids that do not exist.
    """
    found = submissions.find(session, submission_id=submission_id)
    if found is not None:
        if organizes(session, found.competition, actor):
            return found, True
        if actor.user_id in lookups.member_ids(session, team_id=found.team.id):
            return found, False
    raise NotFound(UNKNOWN)


def own_submissions(
    session: Session, *, slug: str, actor: Actor, before: int | None, limit: int
) -> tuple[Sequence[Found], bool]:
    """The actor's team's submissions, newest first, none without a team; and whether the actor
    sees them as an organizer."""
    competition = competition_for_reader(session, slug=slug, actor=actor)
    is_organizer = organizes(session, competition, actor)
    team = lookups.team_of(session, competition_id=competition.id, user_id=actor.user_id)
    if team is None:
        return [], is_organizer
    return submissions.of_team(session, team_id=team.id, before=before, limit=limit), is_organizer


def all_submissions(
    session: Session,
    *,
    slug: str,
    actor: Actor,
    wanted: SubmissionFilter,
    before: int | None,
    limit: int,
) -> Sequence[Found]:
    """Every team's submissions, for organizers."""
    competition = competition_for_organizer(session, slug=slug, actor=actor)
    return submissions.of_competition(
        session,
        competition_id=competition.id,
        wanted=wanted,
        before=before,
        limit=limit,
    )


def _held_slot(session: WriteSession, slot_id: str) -> QuotaSlot:
    slot = session.get(QuotaSlot, slot_id, with_for_update=True)
    if slot is None or slot.submission_id is not None:
        raise Unavailable(
            "The upload was silent for too long and lost its place. Send it again.",
            code=ErrorCode.UPLOAD_LAPSED,
            retry_after=1,
        )
    return slot


def _team_for(
    session: WriteSession, competition: Competition, actor: Actor, team_id: str | None
) -> Team:
    if team_id is None:
        own = lookups.team_of(session, competition_id=competition.id, user_id=actor.user_id)
        if own is None:
            raise NotAllowed(
                "Enter the competition with a team first.",
                code=ErrorCode.NOT_JOINED,
                address=f"/api/v1/competitions/{competition.slug}/teams",
            )
        require_accepted(session, competition=competition, actor=actor)
        return own
    team = lookups.team_in(session, competition_id=competition.id, team_id=team_id)
    if team is None or BASELINE not in team.tags or not organizes(session, competition, actor):
        raise NotAllowed(
            "Only organizers may submit, and only for baselines.", code=ErrorCode.NOT_JOINED
        )
    return team


def _queue_first_judging(
    session: WriteSession,
    queue: Queue,
    competition: Competition,
    submission: Submission,
    trace: Trace | None,
) -> None:
    if competition.active_ground_truth is None:
        raise Unavailable("The competition has no ground truth.", code=ErrorCode.NO_GROUND_TRUTH)
    first = Judging(
        submission_id=submission.id,
        competition_id=competition.id,
        ground_truth_version=competition.active_ground_truth,
        state=State.QUEUED,
        created_at=database_now(session),
    )
    session.add(first)
    session.flush()
    submission.judging_id = first.id
    session.flush()
    dispatch.begin(session, queue, first, trace=trace)


def known_submission(session: Session, *, submission_id: str) -> Found | None:
    """A submission with what is shown beside it; the caller knows who may see it."""
    return submissions.find(session, submission_id=submission_id)


def known_submissions(session: Session, *, submission_ids: Collection[str]) -> list[Found]:
    """Submissions with what is shown beside them; the caller knows who may see them."""
    return submissions.find_all(session, submission_ids=submission_ids)


def find_organized_submission(session: WriteSession, submission_id: str, actor: Actor) -> Found:
    """A submission of a competition that the actor organizes. Raises `NotFound`."""
    found, is_organizer = find_submission(session, submission_id=submission_id, actor=actor)
    if not is_organizer:
        raise NotFound(UNKNOWN)
    return found
