"""A client of jobs for these tests: a draft of the administrator's, and a kind of job."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from podium.accounts.service import accounts
from podium.accounts.service.bootstrap import ensure_administrator
from podium.application import Application
from podium.competitions.service import competitions
from podium.core.competition_settings import CompetitionSettings
from podium.core.competition_settings.texts import Texts
from podium.core.leases import WorkState
from podium.core.models import Job
from podium.jobs import leases, starting
from podium.jobs.kinds import JobKind
from podium.jobs.leases import Ending, LeasedJob
from podium.jobs.means import Means
from podium.jobs.starting import Origin
from tests.builders.rows import add_live_worker


@dataclass(frozen=True, slots=True)
class Number:
    """The arguments, and the result, of a kind."""

    value: int


def _double(_: Application, given: Number, __: Means) -> Number:
    return Number(2 * given.value)


DOUBLE = JobKind("double", Number, Number, work=_double)


class JobRequester:
    """The application with a draft."""

    def __init__(self, application: Application, slug: str = "otto") -> None:
        self.application, self.slug = application, slug
        with application.database.write() as session:
            ensure_administrator(session, token="given-to-the-tests-only")
        with application.database.write() as session:
            self.actor = accounts.authenticate(
                session, token="given-to-the-tests-only", address=None
            )
            competition = competitions.create_competition(
                session,
                actor=self.actor,
                texts=Texts(slug=slug, title="A draft"),
                settings=CompetitionSettings(split={"public_fraction": 0.5}),
            )
            self.competition_id = competition.id

    def register_worker(self, worker_id: str = "alive") -> None:
        """A worker that lives, and takes no job."""
        with self.application.database.write() as session:
            add_live_worker(session, worker_id)

    def start(self, number: int = 1, kind: JobKind[Any, Any] = DOUBLE) -> str:
        """Starts or joins a job."""
        with self.application.database.write() as session:
            return starting.start(
                session,
                queue=self.application.queue,
                kind=kind,
                competition_id=self.competition_id,
                arguments=Number(number),
                origin=Origin(self.actor.user_id),
            ).id

    def take(self, job_id: str, *, seconds: float = 60) -> LeasedJob | None:
        """Leases a job as a worker."""
        with self.application.database.write() as session:
            return leases.take(
                session,
                job_id=job_id,
                kinds={DOUBLE.name},
                worker_id="w",
                lease_seconds=seconds,
            )

    def taken(self, job_id: str, *, seconds: float = 60) -> LeasedJob:
        """Leases a job that must be free."""
        leased = self.take(job_id, seconds=seconds)
        assert leased is not None
        return leased

    def end(self, leased: LeasedJob, ending: Ending | None = None) -> bool:
        """Ends a job, with a result where nothing else is said."""
        ending = ending or Ending(WorkState.DONE, result=Number(7))
        with self.application.database.write() as session:
            return leases.end(session, leased=leased, kind=DOUBLE, ending=ending)

    def row(self, job_id: str) -> Job:
        """The job as it is stored now."""
        with self.application.database.read() as session:
            return session.get_one(Job, job_id)

    def change(self, job_id: str, **values: Any) -> None:
        """Sets columns of a job."""
        with self.application.database.write() as session:
            job = session.get_one(Job, job_id)
            for name, value in values.items():
                setattr(job, name, value)
