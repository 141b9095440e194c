"""The numbers of the whole installation that Prometheus asks for: nothing of any one person, file
or ground truth, and few enough series for years.

They are counted over rows at the scrape, so all replicas agree and workers need no port; only
requests are counted by each process for itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from podium.db.engine import database_now
from podium.db.queries import measures
from podium.db.queries.measures import Durations
from podium.domain.judging import State
from podium.services import progress as services_progress
from podium.services.progress import Progress

BOUNDS = (0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0, 600.0)
"""Seconds of a judging that are told apart."""

MOST_HOSTS = 200
"""Containers have a new name with every start; those of a day, or so many, are told."""


@dataclass(frozen=True, slots=True)
class Queued:
    """Judgings of one class and state without a verdict, and how long the oldest has waited."""

    kind: str
    state: State
    judgings: int
    oldest_seconds: float


@dataclass(frozen=True, slots=True)
class Measures:
    """Everything that is counted over rows; ages in seconds of the database's clock."""

    progress: Progress
    queued: Sequence[Queued]
    durations: Mapping[str, Durations]
    rejected: Mapping[str, int]
    submissions: int
    submission_bytes: int
    heartbeat_ages: Mapping[str, float]


def measure(session: Session) -> Measures:
    """Counts; some queries read a row of each judging, so once in a few seconds is enough."""
    now = database_now(session)
    submissions, size = measures.accepted(session)
    return Measures(
        progress=services_progress.look(session),
        queued=[
            Queued(
                _kind(each.is_rejudging),
                each.state,
                each.judgings,
                max(0.0, (now - each.oldest).total_seconds()),
            )
            for each in measures.waiting(session)
        ],
        durations={
            _kind(each.is_rejudging): each for each in measures.durations(session, bounds=BOUNDS)
        },
        rejected=measures.rejected_by_code(session),
        submissions=submissions,
        submission_bytes=size,
        heartbeat_ages={
            host: max(0.0, (now - at).total_seconds())
            for host, at in measures.heartbeats(session, limit=MOST_HOSTS).items()
        },
    )


def _kind(is_rejudging: bool) -> str:
    return "rejudging" if is_rejudging else "upload"
