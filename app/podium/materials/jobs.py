"""Work on materials that takes longer than a request, as kinds of jobs. That of a ground truth ends
as a version; what becomes of numbers and files, the request that waits for them decides."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from podium.application import Application
from podium.core.database.engine import WriteSession
from podium.jobs.kinds import SLOW, JobKind, JobOutcome, apart
from podium.jobs.means import Means
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
    """An upload that the server has accepted, whose file is still to be read."""

    upload_id: str


def _read_truth(application: Application, given: UploadToRead, means: Means) -> Read:
    with application.database.read() as session:
        reading = ground_truth_reading.prepare(session, upload_id=given.upload_id)
    return ground_truth_reading.read(reading, means)


def _record_truth(session: WriteSession, outcome: JobOutcome[UploadToRead, Read]) -> None:
    ground_truth_reading.record(
        session,
        actor=outcome.actor(session),
        upload_id=outcome.arguments.upload_id,
        read=outcome.result,
        problem=outcome.problem,
    )


def _probe(application: Application, given: Probes, means: Means) -> list[Check]:
    seconds = application.settings.custom_metric_seconds
    return launch.probe(given.within(seconds), means)


GROUND_TRUTH = JobKind(
    "ground-truth", UploadToRead, Read, work=_read_truth, record=_record_truth, priority=SLOW
)

PUBLISHED_IDS = JobKind(
    "published-ids", ListToRead, List, work=apart(published_ids.read_list), priority=SLOW
)

ITEM_FILE = JobKind(
    "item-file", ItemsToRead, StoredItems, work=apart(item_files.read), priority=SLOW
)

SESSION_FILE = JobKind(
    "session-file", SessionsToRead, StoredSessions, work=apart(session_files.read), priority=SLOW
)

LAUNCH_PROBES = JobKind("launch-probes", Probes, list[Check], work=_probe)

SAMPLE = JobKind(
    "sample",
    SampleToWrite,
    Stored,
    work=apart(published_ids.write_sample),
    file_of=lambda stored: stored,
    kept=SAMPLE_KEPT,
)

KINDS = (GROUND_TRUTH, PUBLISHED_IDS, ITEM_FILE, SESSION_FILE, LAUNCH_PROBES, SAMPLE)
"""Every kind of job of this subject."""
