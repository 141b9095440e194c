"""Work on materials that takes longer than a request, as kinds of jobs. That of a ground truth ends
as a version; what becomes of numbers and files, the request that waits for them decides."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from podium.application import Application
from podium.core.access import Actor
from podium.core.database.engine import WriteSession
from podium.core.models import User
from podium.jobs.kinds import SLOW, JobKind, JobOutcome, Means
from podium.materials.rules.checks import Check
from podium.materials.service import (
    ground_truth_reading,
    item_files,
    launch,
    published_ids,
    session_files,
)
from podium.materials.service.ground_truth_reading import Read
from podium.materials.service.item_files import ItemsToRead, StoredItems
from podium.materials.service.launch import Probes
from podium.materials.service.published_ids import List, ListToRead, SampleToWrite
from podium.materials.service.session_files import SessionsToRead, StoredSessions
from podium.storage import Stored

SAMPLE_KEPT = timedelta(days=7)
"""A sample is asked for as long as a competition runs; a small child makes it anew each week."""


@dataclass(frozen=True, slots=True)
class UploadToRead:
    """An accepted upload."""

    upload_id: str


def _read_truth(application: Application, given: UploadToRead, means: Means) -> Read:
    with application.database.read() as session:
        reading = ground_truth_reading.prepare(session, upload_id=given.upload_id)
    return ground_truth_reading.read(reading, **means)


def _record_truth(session: WriteSession, outcome: JobOutcome[UploadToRead, Read]) -> None:
    given = outcome.arguments
    user = None if outcome.created_by is None else session.get(User, outcome.created_by)
    ground_truth_reading.record(
        session,
        actor=None if user is None else Actor(user.id, user.name, address=outcome.address),
        upload_id=given.upload_id,
        read=outcome.result,
        problem=outcome.problem,
    )


def _read_list(_: Application, given: ListToRead, means: Means) -> List:
    return published_ids.read_list(given, **means)


def _read_items(_: Application, given: ItemsToRead, means: Means) -> StoredItems:
    return item_files.read(given, **means)


def _read_sessions(_: Application, given: SessionsToRead, means: Means) -> StoredSessions:
    return session_files.read(given, **means)


def _probe(application: Application, given: Probes, means: Means) -> list[Check]:
    seconds = application.settings.custom_metric_seconds
    return launch.probe(given.within(seconds), **means)


def _write_sample(_: Application, given: SampleToWrite, means: Means) -> Stored:
    return published_ids.write_sample(given, **means)


GROUND_TRUTH = JobKind(
    "ground-truth", UploadToRead, Read, work=_read_truth, record=_record_truth, priority=SLOW
)

PUBLISHED_IDS = JobKind("published-ids", ListToRead, List, work=_read_list, priority=SLOW)

ITEM_FILE = JobKind("item-file", ItemsToRead, StoredItems, work=_read_items, priority=SLOW)

SESSION_FILE = JobKind(
    "session-file", SessionsToRead, StoredSessions, work=_read_sessions, priority=SLOW
)

LAUNCH_PROBES = JobKind("launch-probes", Probes, list[Check], work=_probe)

SAMPLE = JobKind(
    "sample",
    SampleToWrite,
    Stored,
    work=_write_sample,
    file_of=lambda stored: stored,
    kept=SAMPLE_KEPT,
)

KINDS = (GROUND_TRUTH, PUBLISHED_IDS, ITEM_FILE, SESSION_FILE, LAUNCH_PROBES, SAMPLE)
"""Every kind of job of this subject."""
