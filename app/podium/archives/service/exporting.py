"""Exports a competition: as an archive, or as a site that needs no server. Both read one view of
the database; the caller renders the boards."""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Callable, Iterator
from typing import IO, Any

from sqlalchemy.orm import Session

from podium.application import Application
from podium.archives import queries
from podium.archives.service.collecting import collect
from podium.archives.service.packing import PIECE, zip_pieces
from podium.core import audit
from podium.core.access import Actor, competition_for_organizer
from podium.core.database.engine import database_now
from podium.core.models import Competition
from podium.errors import NotAllowed, WrongState
from podium.errors.codes import ErrorCode
from podium.submissions.service import receipt_keys

Render = Callable[[Session, Competition], Iterator[tuple[str, bytes]]]
"""Yields name and content of files that show a competition."""


def export_pieces(
    application: Application, *, actor: Actor, slug: str, with_secrets: bool, documents: Render
) -> Iterator[bytes]:
    """Yields the archive of a competition in pieces. All errors are raised before the first piece:
    `NotFound`, `NotAllowed` if a user other than the administrator asks for secrets, and
    `StoredFileCorrupt`."""
    _let_in(application, actor, slug, with_secrets=with_secrets)
    spool = _spool(application)
    try:
        with application.database.read() as session:
            queries.one_view(session)
            competition = competition_for_organizer(session, slug=slug, actor=actor)
            collected = collect(
                session,
                competition=competition,
                storage=application.storage,
                spool=spool,
                documents=documents(session, competition),
                with_secrets=with_secrets,
                now=database_now(session),
            )
        _record(application, actor, competition, "competition.export", full=with_secrets)
    except BaseException:
        spool.close()
        raise
    return zip_pieces(collected, storage=application.storage)


def _let_in(application: Application, actor: Actor, slug: str, *, with_secrets: bool) -> None:
    """Checks the caller's rights, and ensures that there is a key for the receipts."""
    with application.database.read() as session:
        competition_for_organizer(session, slug=slug, actor=actor)
        if with_secrets and not actor.is_administrator:
            raise NotAllowed("Only the administrator may take the ground truth out.")
        has_key = receipt_keys.has_key(session)
    if not has_key:
        with application.database.write() as writing:
            receipt_keys.ensure_key(writing)


def site_pieces(
    application: Application, *, actor: Actor, slug: str, files: Render
) -> Iterator[bytes]:
    """Yields the site of a finished competition as a ZIP file in pieces. Raises the errors of
    `site_of`, all before the first piece."""
    spool = _spool(application)
    try:
        with zipfile.ZipFile(spool, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in site_of(application, actor=actor, slug=slug, files=files):
                archive.writestr(zipfile.ZipInfo(f"{slug}/{name}"), content, zipfile.ZIP_DEFLATED)
    except BaseException:
        spool.close()
        raise
    return _pieces_of(spool)


def site_of(
    application: Application, *, actor: Actor, slug: str, files: Render
) -> Iterator[tuple[str, bytes]]:
    """Yields name and content of all files of the site. Raises `NotFound`, and `WrongState`
    (`not-revealed`) before the reveal: a static site of a board that still changes would soon be
    outdated."""
    with application.database.read() as session:
        queries.one_view(session)
        competition = competition_for_organizer(session, slug=slug, actor=actor)
        if competition.revealed_at is None:
            raise WrongState(
                "A static archive is made of a finished competition. Reveal it first.",
                code=ErrorCode.NOT_REVEALED,
            )
        yield from files(session, competition)
    _record(application, actor, competition, "competition.archive")


def _record(
    application: Application, actor: Actor, competition: Competition, action: str, **facts: Any
) -> None:
    with application.database.write() as session:
        audit.record(session, actor, action, competition, **facts)


def _pieces_of(spool: IO[bytes]) -> Iterator[bytes]:
    with spool:
        spool.seek(0)
        while piece := spool.read(PIECE):
            yield piece


def _spool(application: Application) -> IO[bytes]:
    """Opens a temporary file without a name, on the disk of the data, because it may hold as much
    as the rows do."""
    folder = application.settings.data_dir.absolute() / "scratch"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return tempfile.TemporaryFile(dir=folder)
