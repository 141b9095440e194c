"""The published ids: given as a list before the launch; the sample submission made from them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256

from sqlalchemy.orm import Session

from podium.competitions.service.competitions import FROM_LIST, outdate_ground_truth
from podium.core import audit
from podium.core.access import Actor, competition_for_organizer, competition_for_reader
from podium.core.configuration import settings_of, task_of
from podium.core.database.engine import ReadSession, WriteSession, database_now
from podium.core.models import Competition, PublishedIdList
from podium.errors import NotFound, WrongState
from podium.errors.codes import ErrorCode
from podium.jobs.means import Means
from podium.materials.service.ground_truth_reading import MAX_EXPANDED_BYTES, PUBLISHED_AREA
from podium.sandbox.answers import good_answer, left
from podium.sandbox.definitions.materials import PUBLISHED, SAMPLE, ReadIds, WriteSample
from podium.scoring.task import Task
from podium.storage import Area, Stored

MAX_UPLOAD_BYTES = 4 << 30

UPLOAD_AREA = Area.FILES
"""The area where the list waits to be read."""


@dataclass(frozen=True, slots=True)
class ListToRead:
    """An uploaded list of ids, and the task that it is read for."""

    task: Task
    uploaded: Stored


@dataclass(frozen=True, slots=True)
class List:
    """A good list in canonical form."""

    stored: Stored
    sessions: int


@dataclass(frozen=True, slots=True)
class Published:
    """The published ids of a competition. `is_other`: they are not those of before. `outdated`:
    stored ground truth went out of use, because it is numbered by those."""

    competition: Competition
    row: PublishedIdList
    is_other: bool
    outdated: bool


@dataclass(frozen=True, slots=True)
class SampleToWrite:
    """The inputs of the sample submission."""

    task: Task
    published_sha256: str


@dataclass(frozen=True, slots=True)
class Sample:
    """The sample submission of a competition; `etag` changes whenever its bytes would."""

    competition_id: str
    made_from: SampleToWrite
    etag: str


def prepare_list(session: ReadSession, *, actor: Actor, slug: str) -> tuple[str, Task]:
    """The competition's id, and the task that a list is read for. Raises `NotFound`, and
    `WrongState` after the launch."""
    competition = competition_for_organizer(session, slug=slug, actor=actor)
    _require_draft(competition)
    task = task_of(settings_of(competition))
    return competition.id, replace(task, max_expanded_bytes=MAX_EXPANDED_BYTES)


def read_list(given: ListToRead, means: Means) -> List:
    """Has a child read the upload. Raises `NoAnswer` with what is wrong with it."""
    with means.storage.local(UPLOAD_AREA, given.uploaded.sha256) as file:
        result = means.run(ReadIds(file=file, task=given.task))
    answer = good_answer(result)
    return List(means.storage.add(PUBLISHED_AREA, left(result, PUBLISHED)), answer.sessions)


def publish_list(session: WriteSession, *, actor: Actor, slug: str, given: List) -> Published:
    """Makes a list the published ids. Raises `WrongState` after the launch."""
    competition = competition_for_organizer(session, slug=slug, actor=actor, for_update=True)
    _require_draft(competition)
    known = session.get(PublishedIdList, competition.id)
    is_other = known is None or known.sha256 != given.stored.sha256
    outdated = is_other and outdate_ground_truth(session, competition=competition)
    session.flush()
    now = database_now(session)
    known = session.get(PublishedIdList, competition.id)
    row = known or PublishedIdList(competition_id=competition.id)
    session.add(row)
    row.sha256, row.sessions = given.stored.sha256, given.sessions
    row.source, row.created_at = FROM_LIST, now
    session.flush()
    audit.record(
        session,
        actor,
        "published-ids.put",
        competition,
        sessions=row.sessions,
        sha256=row.sha256,
        ground_truth_outdated=outdated,
    )
    return Published(competition, row, is_other=is_other, outdated=outdated)


def find_sample(session: Session, *, actor: Actor | None, slug: str) -> Sample:
    """The sample submission, if it is written already, or its inputs. Raises `NotFound`, also
    without published ids."""
    competition = competition_for_reader(session, slug=slug, actor=actor)
    row = session.get(PublishedIdList, competition.id)
    if row is None:
        raise NotFound("This competition has not published its ids yet.")
    task = task_of(settings_of(competition))
    shape = sha256(repr((task.columns, task.names)).encode()).hexdigest()[:16]
    return Sample(
        competition_id=competition.id,
        made_from=SampleToWrite(task, row.sha256),
        etag=f'"{row.sha256}-{shape}"',
    )


def write_sample(given: SampleToWrite, means: Means) -> Stored:
    """Has a child write the sample submission, and stores it: every published id, in published
    order. Raises `NoAnswer` where it could not."""
    with means.storage.local(PUBLISHED_AREA, given.published_sha256) as path:
        result = means.run(WriteSample(task=given.task, published=path))
    good_answer(result)
    return means.storage.add(PUBLISHED_AREA, left(result, SAMPLE))


def _require_draft(competition: Competition) -> None:
    if competition.launched_at is not None:
        raise WrongState(
            "The published ids are frozen since the launch.", code=ErrorCode.FIXED_AT_LAUNCH
        )
