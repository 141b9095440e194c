"""Checks an uploaded custom metric: its code is loaded in the sandbox, never here; the outcome is
recorded in another transaction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from podium.competitions.service.competitions import fit_settings
from podium.competitions.service.custom_metric import problems_of
from podium.core import audit
from podium.core.access import Actor
from podium.core.competition_settings import with_changes
from podium.core.configuration import settings_of
from podium.core.database.engine import ReadSession, WriteSession
from podium.core.lookups import METRIC_RULES
from podium.core.models import Competition, MetricVersion
from podium.core.versions import VersionState, latest_version, locked_upload
from podium.custom_metrics.rules.findings import problem_of
from podium.custom_metrics.service.versions import AREA
from podium.jobs.means import Means
from podium.sandbox import Limits
from podium.sandbox.answers import good_answer
from podium.sandbox.definitions.custom_metrics import CheckMetric, MetricChecked
from podium.sandbox.metric_answers import OF_THE_MACHINE, check_of
from podium.sandbox.serialization import encoded

CHECK_SECONDS = 30
"""The maximum time for loading a file and running its doctests: meanwhile the worker runs no other
job."""

CHECK_BYTES = 4 << 30
"""The maximum memory of a check."""

FILE_BYTES = 1 << 30
"""The maximum bytes that an organizer's code may write into its folder."""


@dataclass(frozen=True, slots=True)
class FileToCheck:
    """An upload of a metric that the server has accepted and is still to check."""

    upload_id: str


def prepare(session: ReadSession, *, upload_id: str) -> str:
    """Returns the SHA-256 of the file to check."""
    return session.get_one(MetricVersion, upload_id).sha256


def check(sha256: str, means: Means) -> MetricChecked:
    """Loads the file in a child. Raises `NoAnswer`."""
    seconds = min(CHECK_SECONDS, means.limits.wall_seconds)
    child = for_code(means.in_folder("child"), seconds=seconds, memory_bytes=CHECK_BYTES)
    with means.storage.local(AREA, sha256) as file:
        result = child.run(CheckMetric(metric=file))
    if result.failure in OF_THE_MACHINE:
        return good_answer(result)
    return check_of(result)


def for_code(means: Means, *, seconds: float, memory_bytes: int) -> Means:
    """Returns the means of a child with an organizer's code: never more memory than any other child
    has, and no second one with more."""
    limits = Limits(
        memory_bytes=min(memory_bytes, means.limits.memory_bytes),
        wall_seconds=seconds,
        file_bytes=FILE_BYTES,
    )
    return replace(means, limits=limits, retry_memory_bytes=0)


def record(
    session: WriteSession,
    *,
    actor: Actor | None,
    upload_id: str,
    checked: MetricChecked | None,
    problem: Mapping[str, Any] | None = None,
) -> MetricVersion:
    """Records the outcome of a check: the next version, or the problems for which there is none. An
    upload that no longer waits stays as it is."""
    row, competition = locked_upload(session, MetricVersion, upload_id)
    if row.status != VersionState.CHECKING:
        return row
    if checked is not None and checked.problems:
        problem = problem_of(checked.problems)
    if checked is None or problem is not None:
        row.status, row.problem = VersionState.REJECTED, dict(problem or {})
    else:
        row.status = VersionState.STORED
        row.checked = encoded(checked) | {"rules": METRIC_RULES}
        row.version = (latest_version(session, MetricVersion, competition.id) or 0) + 1
    session.flush()
    audit.record(
        session,
        actor,
        f"metric-file.{'store' if row.status == VersionState.STORED else 'reject'}",
        row,
        version=row.version,
        sha256=row.sha256,
        code=(row.problem or {}).get("code"),
    )
    if row.status == VersionState.STORED:
        _use_first(session, actor, competition, row)
    return row


def _use_first(
    session: WriteSession, actor: Actor | None, competition: Competition, row: MetricVersion
) -> None:
    """Makes the first version of a draft the one that scores, unless its function needs arguments
    that have no values yet."""
    settings = settings_of(competition)
    if competition.launched_at is not None or settings.own_metric is not None:
        return
    changes = {"own_metric": {"version": row.version}}
    after = with_changes(settings, changes)
    if not list(problems_of(session, competition_id=competition.id, settings=after)):
        fit_settings(session, actor=actor, competition=competition, changes=changes)
