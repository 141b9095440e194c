"""The published ids: given as a list before the launch; the sample submission made from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sqlalchemy.orm import Session

from podium.competitions.service.competitions import FROM_LIST, outdate_ground_truth
from podium.core import audit
from podium.core.access import Actor, competition_for_organizer, competition_for_reader
from podium.core.configuration import settings_of, task_of
from podium.core.database.engine import ReadSession, WriteSession, database_now
from podium.core.models import Competition, PublishedIdList
from podium.errors import NotFound, WrongState
from podium.errors.codes import ErrorCode
from podium.materials.service.ground_truth_reading import MAX_EXPANDED_BYTES, PUBLISHED_AREA
from podium.sandbox import Limits, Order, Sandbox
from podium.sandbox.answers import document_of, left
from podium.storage import Area, Storage, Stored

MAX_UPLOAD_BYTES = 4 << 30

UPLOAD_AREA = Area.FILES
"""Where the list waits to be read."""


LEAVES = "published.parquet"
"""The file that the child of a reading leaves."""

SAMPLE = "sample.csv"
"""The file that the child of a sample leaves."""


@dataclass(frozen=True, slots=True)
class ListToRead:
    """An uploaded list of ids, and the task that it is read for."""

    task: Mapping[str, Any]
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
    """What the sample submission is made from."""

    task: Mapping[str, Any]
    published_sha256: str


@dataclass(frozen=True, slots=True)
class Sample:
    """The sample submission of a competition; `etag` changes whenever its bytes would."""

    competition_id: str
    made_from: SampleToWrite
    etag: str


def prepare_list(session: ReadSession, *, actor: Actor, slug: str) -> tuple[str, Mapping[str, Any]]:
    """The competition's id, and the task that a list is read for. Raises `NotFound`, and
    `WrongState` after the launch."""
    competition = competition_for_organizer(session, slug=slug, actor=actor)
    _require_draft(competition)
    task = task_of(settings_of(competition))
    return competition.id, replace(task, max_expanded_bytes=MAX_EXPANDED_BYTES).to_dict()


def read_list(
    given: ListToRead, *, storage: Storage, sandbox: Sandbox, limits: Limits, scratch: Path
) -> List:
    """Has a child read the upload. Raises `NoDocument` with what is wrong with it."""
    published_to = scratch / LEAVES
    with storage.local(UPLOAD_AREA, given.uploaded.sha256) as file:
        arguments = {"file": str(file), "task": dict(given.task), "published_to": str(published_to)}
        order = Order("read-published-ids", arguments, leaves=(LEAVES,))
        ending = sandbox.run(order, limits=limits, scratch=scratch)
    answer = document_of(ending)
    return List(storage.add(PUBLISHED_AREA, left(ending, LEAVES)), answer["sessions"])


def publish_list(session: WriteSession, *, actor: Actor, slug: str, given: List) -> Published:
    """Makes a list the published ids. Raises `WrongState` after the launch."""
    competition = competition_for_organizer(session, slug=slug, actor=actor, for_update=True)
    _require_draft(competition)
    row = session.get(PublishedIdList, competition.id)
    is_other = row is None or row.sha256 != given.stored.sha256
    outdated = is_other and outdate_ground_truth(session, competition=competition)
    session.flush()
    now = database_now(session)
    row = session.get(PublishedIdList, competition.id)
    if row is None:
        row = PublishedIdList(competition_id=competition.id)
        session.add(row)
    row.sha256, row.sessions = given.stored.sha256, given.sessions
    row.source, row.created_at = FROM_LIST, now
    session.flush()
    audit.record(
        session,
        actor=actor,
        action="published-ids.put",
        competition_id=competition.id,
        sessions=row.sessions,
        sha256=row.sha256,
        ground_truth_outdated=outdated,
    )
    return Published(competition, row, is_other=is_other, outdated=outdated)


def find_sample(session: Session, *, actor: Actor | None, slug: str) -> Sample:
    """What to make the sample submission from. Raises `NotFound`, also without published ids."""
    competition = competition_for_reader(session, slug=slug, actor=actor)
    row = session.get(PublishedIdList, competition.id)
    if row is None:
        raise NotFound("This competition has not published its ids yet.")
    task = task_of(settings_of(competition))
    shape = "-".join((*task.columns, *task.names))
    return Sample(
        competition_id=competition.id,
        made_from=SampleToWrite(task.to_dict(), row.sha256),
        etag=f'"{row.sha256}-{shape}"',
    )


def write_sample(
    given: SampleToWrite, *, storage: Storage, sandbox: Sandbox, limits: Limits, scratch: Path
) -> Stored:
    """Has a child write the sample submission, and stores it: every published id, in published
    order. Raises `NoDocument` where it could not."""
    with storage.local(PUBLISHED_AREA, given.published_sha256) as path:
        arguments = {
            "task": dict(given.task),
            "published": str(path),
            "sample_to": str(scratch / SAMPLE),
        }
        order = Order("write-sample", arguments, leaves=(SAMPLE,))
        ending = sandbox.run(order, limits=limits, scratch=scratch)
    document_of(ending)
    return storage.add(PUBLISHED_AREA, left(ending, SAMPLE))


def _require_draft(competition: Competition) -> None:
    if competition.launched_at is not None:
        raise WrongState(
            "The published ids are frozen since the launch.", code=ErrorCode.FIXED_AT_LAUNCH
        )
