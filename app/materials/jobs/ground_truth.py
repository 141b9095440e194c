"""Reading an uploaded ground truth, or raw sessions, as a job whose outcome becomes a version."""

from __future__ import annotations

from dataclasses import dataclass

from podium.application import Application
from podium.core.access import Actor
from podium.core.database.engine import WriteSession
from podium.core.models import User
from podium.jobs.kinds import SLOW, JobKind, JobOutcome, Means
from podium.materials.service import ground_truth_reading
from podium.materials.service.ground_truth_reading import Read


@dataclass(frozen=True, slots=True)
class UploadToRead:
    """An accepted upload."""

    upload_id: str


def _read(application: Application, given: UploadToRead, means: Means) -> Read:
    with application.database.read() as session:
        reading = ground_truth_reading.prepare(session, upload_id=given.upload_id)
    return ground_truth_reading.read(reading, **means)


def _record(session: WriteSession, outcome: JobOutcome[UploadToRead, Read]) -> None:
    given = outcome.arguments
    user = None if outcome.created_by is None else session.get(User, outcome.created_by)
    ground_truth_reading.record(
        session,
        actor=None if user is None else Actor(user.id, user.name, address=outcome.address),
        upload_id=given.upload_id,
        read=outcome.result,
        problem=outcome.problem,
    )


GROUND_TRUTH = JobKind(
    "ground-truth", UploadToRead, Read, work=_read, record=_record, priority=SLOW
)
