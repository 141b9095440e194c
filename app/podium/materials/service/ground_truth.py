"""Versions of the ground truth: accepted for reading, listed, found. Reading them has its own file.

An upload has an id at once and a version number when it was read and found good.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy.orm import Session

from podium.core import audit
from podium.core.access import Actor, competition_for_organizer
from podium.core.database.engine import WriteSession, database_now
from podium.core.models import Competition, GroundTruthVersion
from podium.core.versions import (
    AGAIN_SECONDS,
    VersionState,
    being_checked,
    version_named,
    versions_before,
)
from podium.errors import NotFound, WrongState
from podium.errors.codes import ErrorCode
from podium.materials import queries
from podium.materials.service.preparations import Recipe
from podium.storage import Stored

MAX_UPLOAD_BYTES = 8 << 30
"""Whole sessions of a large test set as text stay below this."""


def accept_upload(
    session: WriteSession,
    *,
    actor: Actor,
    slug: str,
    stored: Stored,
    recipe: Recipe | None = None,
) -> tuple[GroundTruthVersion, bool]:
    """Notes an upload that is to be read; answers it and whether it is new.

    The bytes of a stored version are that version again, if they are to be prepared alike, and
    those that are being read are that upload. Raises `NotFound`, and `WrongState`
    (`ground-truth-checking`) while another upload is being read.
    """
    competition = competition_for_organizer(session, slug=slug, actor=actor, for_update=True)
    prepared = None if recipe is None else recipe.stored()
    for row in queries.stored_uploads(session, competition.id, stored.sha256):
        if row.preparation == prepared:
            return row, False
    running = being_checked(session, GroundTruthVersion, competition.id)
    if running is not None:
        if running.upload_sha256 == stored.sha256 and running.preparation == prepared:
            return running, False
        raise _still_read(running)
    row = GroundTruthVersion(
        competition_id=competition.id,
        status=VersionState.CHECKING,
        upload_sha256=stored.sha256,
        upload_bytes=stored.size,
        preparation=prepared,
        created_at=database_now(session),
        created_by=actor.user_id,
    )
    session.add(row)
    session.flush()
    asked: dict[str, Any] = {} if prepared is None else {"preparation": prepared}
    audit.record(
        session, actor, "ground-truth.upload", row, sha256=stored.sha256, bytes=stored.size, **asked
    )
    return row, True


def _still_read(running: GroundTruthVersion) -> WrongState:
    return WrongState(
        "Another ground truth is still being read. Wait until it is checked.",
        code=ErrorCode.GROUND_TRUTH_CHECKING,
        retry_after=AGAIN_SECONDS,
        upload=running.id,
    )


def list_versions(
    session: Session, *, actor: Actor, slug: str, before_id: str | None, limit: int
) -> tuple[Competition, list[GroundTruthVersion]]:
    """The competition and a page of its uploads, newest first; for organizers only."""
    competition = competition_for_organizer(session, slug=slug, actor=actor)
    rows = versions_before(session, GroundTruthVersion, competition.id, before_id, limit=limit)
    return competition, list(rows)


def find_version(
    session: Session, *, actor: Actor, slug: str, name: str
) -> tuple[Competition, GroundTruthVersion]:
    """The competition and its version with this number, or the upload with this id; for
    organizers only. Raises `NotFound`."""
    competition = competition_for_organizer(session, slug=slug, actor=actor)
    row = version_named(session, GroundTruthVersion, competition.id, name)
    if row is None:
        raise NotFound("This competition has no such version of the ground truth.")
    return competition, row
