"""Versions of a custom metric: accepts uploads, lists and finds versions, and reads their sources.

An upload has an id at once, and gets a version number once its check has passed. Its bytes are
stored unchanged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from podium.core import audit, lookups
from podium.core.access import (
    Actor,
    competition_for_organizer,
    competition_for_reader,
    organizes,
)
from podium.core.competition_settings import CompetitionSettings
from podium.core.configuration import settings_of
from podium.core.database.engine import WriteSession, database_now
from podium.core.models import Competition, MetricVersion, User
from podium.core.versions import (
    AGAIN_SECONDS,
    VersionState,
    being_checked,
    version_named,
    versions_before,
)
from podium.custom_metrics import queries
from podium.errors import NotFound, WrongState
from podium.errors.codes import ErrorCode
from podium.scoring.kinds import kind_of
from podium.storage import Area, Storage, Stored

AREA = Area.METRICS
"""Custom metrics belong to the organizers: public ones are served by a route of their own only."""

MAX_UPLOAD_BYTES = 5 << 20

NO_SUCH_VERSION = "This competition has no such version of its metric."


@dataclass(frozen=True, slots=True)
class FoundVersions:
    """Versions of a competition's metric, with the people who uploaded them."""

    competition: Competition
    rows: Sequence[MetricVersion]
    authors: dict[str, User]


def require_table(session: Session, *, actor: Actor, slug: str) -> Competition:
    """Returns the competition, if the caller organizes it and its submissions are tables. Raises
    `NotFound` and `WrongState` (`not-a-table`)."""
    competition = competition_for_organizer(session, slug=slug, actor=actor)
    _require_table(competition)
    return competition


def accept(
    session: WriteSession, *, actor: Actor, slug: str, stored: Stored, file_name: str, note: str
) -> MetricVersion:
    """Stores an upload to check.

    The bytes of a stored version are that version again, and those of an upload that is being
    checked are that upload. Raises `NotFound`, and `WrongState` (`not-a-table`; `metric-checking`
    while another upload is being checked).
    """
    competition = competition_for_organizer(session, slug=slug, actor=actor, for_update=True)
    _require_table(competition)
    if (known := queries.same_file(session, competition.id, stored.sha256)) is not None:
        return known
    running = being_checked(session, MetricVersion, competition.id)
    if running is not None:
        if running.sha256 == stored.sha256:
            return running
        raise _still_checked(running)
    row = MetricVersion(
        competition_id=competition.id,
        status=VersionState.CHECKING,
        file_name=file_name,
        sha256=stored.sha256,
        bytes=stored.size,
        note=note,
        created_at=database_now(session),
        created_by=actor.user_id,
    )
    session.add(row)
    session.flush()
    audit.record(
        session,
        actor,
        "metric-file.upload",
        row,
        sha256=stored.sha256,
        bytes=stored.size,
        note=note,
    )
    return row


def list_versions(
    session: Session, *, actor: Actor, slug: str, before_id: str | None, limit: int
) -> FoundVersions:
    """Returns a page of a competition's uploads, newest first; for its organizers."""
    competition = competition_for_organizer(session, slug=slug, actor=actor)
    rows = versions_before(session, MetricVersion, competition.id, before_id, limit=limit)
    return FoundVersions(competition, rows, queries.authors(session, rows))


def find_version(session: Session, *, actor: Actor, slug: str, name: str) -> FoundVersions:
    """Returns the version with this number, or the upload with this id; for organizers. Raises
    `NotFound`."""
    competition = competition_for_organizer(session, slug=slug, actor=actor)
    row = _named(session, competition, name)
    return FoundVersions(competition, [row], queries.authors(session, [row]))


def in_force(
    session: Session, *, actor: Actor | None, slug: str
) -> tuple[MetricVersion, CompetitionSettings]:
    """Returns the version that scores a competition, for everyone who may see that. Raises
    `NotFound`."""
    competition = competition_for_reader(session, slug=slug, actor=actor)
    settings = settings_of(competition)
    row = lookups.metric_in_force(session, competition.id, settings)
    if row is None:
        raise NotFound("No custom metric scores this competition.")
    return row, settings


def readable(session: Session, *, actor: Actor | None, slug: str, name: str) -> MetricVersion:
    """Returns a version whose source the caller may read: organizers any, others the one that
    scores if its source is public. Raises `NotFound`."""
    competition = competition_for_reader(session, slug=slug, actor=actor)
    if organizes(session, competition, actor):
        return _named(session, competition, name)
    settings = settings_of(competition)
    row = version_named(session, MetricVersion, competition.id, name)
    if row is None or not (settings.metric_source_is_public and lookups.is_in_force(settings, row)):
        raise NotFound(NO_SUCH_VERSION)
    return row


def pair(
    session: Session, *, actor: Actor, slug: str, name: str, other: str
) -> tuple[MetricVersion, MetricVersion]:
    """Returns two versions to compare, the `other` one first; for organizers. Raises `NotFound`."""
    competition = competition_for_organizer(session, slug=slug, actor=actor)
    return _named(session, competition, other), _named(session, competition, name)


def content_of(storage: Storage, row: MetricVersion) -> bytes:
    """Reads the bytes of a version. Raises `StoredFileCorrupt`."""
    return b"".join(storage.read(AREA, row.sha256))


def _named(session: Session, competition: Competition, name: str) -> MetricVersion:
    row = version_named(session, MetricVersion, competition.id, name)
    if row is None:
        raise NotFound(NO_SUCH_VERSION)
    return row


def _require_table(competition: Competition) -> None:
    if not kind_of(settings_of(competition).task).has_table:
        raise WrongState(
            "Only competitions of tables and of label sets are scored by a custom metric.",
            code=ErrorCode.NOT_A_TABLE,
        )


def _still_checked(running: MetricVersion) -> WrongState:
    return WrongState(
        "Another custom metric is still being checked. Wait until that has ended.",
        code=ErrorCode.METRIC_CHECKING,
        retry_after=AGAIN_SECONDS,
        upload=running.id,
    )
