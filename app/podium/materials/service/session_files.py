"""Session files: facts about sessions, to take scores apart by. Read by the sandbox between two
transactions; no verdict depends on it, so that it may change at any time."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlalchemy.orm import Session

from podium.core import audit
from podium.core.access import Actor, competition_for_organizer
from podium.core.configuration import settings_of, task_of
from podium.core.database.engine import WriteSession, database_now
from podium.core.models import PublishedIdList, StoredSessionFile
from podium.errors import NotFound, WrongState
from podium.errors.codes import ErrorCode
from podium.jobs.means import Means
from podium.materials.service.ground_truth_reading import PUBLISHED_AREA
from podium.sandbox.answers import good_answer, left
from podium.sandbox.definitions.materials import COLUMNS, ReadSessions
from podium.scoring.kinds import TaskKind, kind_of
from podium.scoring.task import Task
from podium.storage import Area, Stored

SESSIONS_AREA = Area.GROUND_TRUTH
"""Facts about sessions are the organizer's: no route serves this area."""

MAX_UPLOAD_BYTES = 1 << 30
MAX_EXPANDED_BYTES = 4 << 30


@dataclass(frozen=True, slots=True)
class Expected:
    """The ids that a session file is checked against."""

    competition_id: str
    task: Task
    published_sha256: str


@dataclass(frozen=True, slots=True)
class SessionsToRead:
    """An uploaded file about sessions, and what it is read for."""

    expected: Expected
    uploaded: Stored


@dataclass(frozen=True, slots=True)
class StoredSessions:
    """A good file in canonical form, and what came."""

    uploaded: Stored
    stored: Stored
    columns: list[str]
    sessions: int


def prepare(session: Session, *, actor: Actor, slug: str) -> Expected:
    """Raises `NotFound`, and `WrongState` before there are published ids (`no-published-ids`) and
    for tasks that have no segments (`not-segmented`)."""
    competition = competition_for_organizer(session, slug=slug, actor=actor)
    task = task_of(settings_of(competition))
    require_segments(task.kind)
    published = session.get(PublishedIdList, competition.id)
    if published is None:
        raise WrongState(
            "Publish the ids, or upload a ground truth, before the sessions.",
            code=ErrorCode.NO_PUBLISHED_IDS,
        )
    whole = replace(task, max_expanded_bytes=MAX_EXPANDED_BYTES)
    return Expected(competition.id, whole, published.sha256)


def require_segments(task: TaskKind) -> None:
    """Raises `WrongState` (`not-segmented`) for tasks that have no segments."""
    kind = kind_of(task)
    if not kind.has_lists:
        words = f"Scores of {kind.plural} are not taken apart."
        raise WrongState(words, code=ErrorCode.NOT_SEGMENTED)


def read(given: SessionsToRead, means: Means) -> StoredSessions:
    """Has a child read the upload. Raises `NoAnswer` with what is wrong with it."""
    with (
        means.storage.local(SESSIONS_AREA, given.uploaded.sha256) as file,
        means.storage.local(PUBLISHED_AREA, given.expected.published_sha256) as ids,
    ):
        wanted = ReadSessions(file=file, task=given.expected.task, published=ids)
        result = means.run(wanted)
    answer = good_answer(result)
    stored = means.storage.add(SESSIONS_AREA, left(result, COLUMNS))
    return StoredSessions(given.uploaded, stored, list(answer.columns), answer.sessions)


def put(
    session: WriteSession, *, actor: Actor, slug: str, expected: Expected, given: StoredSessions
) -> tuple[StoredSessionFile, bool]:
    """Makes this the file about sessions; answers also whether there was none. Raises `NotFound`,
    and `WrongState` (`changed-meanwhile`)."""
    competition = competition_for_organizer(session, slug=slug, actor=actor, for_update=True)
    if prepare(session, actor=actor, slug=slug) != expected:
        raise WrongState(
            "The settings or the published ids were changed while this was read. Upload it again.",
            code=ErrorCode.CHANGED_MEANWHILE,
        )
    now = database_now(session)
    known = session.get(StoredSessionFile, competition.id)
    row = known or StoredSessionFile(competition_id=competition.id)
    session.add(row)
    row.sha256, row.columns, row.sessions = given.stored.sha256, given.columns, given.sessions
    row.upload_sha256, row.upload_bytes = given.uploaded.sha256, given.uploaded.size
    row.created_at, row.created_by = now, actor.user_id
    session.flush()
    audit.record(
        session,
        actor,
        "session-file.put",
        competition,
        sha256=given.uploaded.sha256,
        columns=given.columns,
    )
    return row, known is None


def find(session: Session, *, actor: Actor, slug: str) -> StoredSessionFile:
    """The session file, for organizers. Raises `NotFound`."""
    competition = competition_for_organizer(session, slug=slug, actor=actor)
    row = session.get(StoredSessionFile, competition.id)
    if row is None:
        raise NotFound("Nothing is known about the sessions of this competition.")
    return row


def remove(session: WriteSession, *, actor: Actor, slug: str) -> None:
    """Forgets what is known about sessions. Raises `NotFound`."""
    competition = competition_for_organizer(session, slug=slug, actor=actor, for_update=True)
    row = find(session, actor=actor, slug=slug)
    session.delete(row)
    session.flush()
    audit.record(session, actor, "session-file.remove", competition, sha256=row.upload_sha256)
