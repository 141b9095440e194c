"""Archives and static sites as they go out: built file by file, within the limits of a download."""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Any

from sqlalchemy.orm import Session

from podium.application import Application
from podium.archives import queries
from podium.archives.service import unpacking
from podium.archives.service.collecting import collect
from podium.archives.service.packing import zip_pieces
from podium.archives.service.people import People
from podium.archives.service.restoring import Restored, restore, store_files
from podium.boards.pages.rows import Row, shown_rows
from podium.boards.schemas import whole_csv, whole_json
from podium.boards.service.parts import BoardQuery, read_part
from podium.competitions.pages.evaluation import metric_line
from podium.competitions.service import competitions
from podium.competitions.service.announcements import announcements_of
from podium.competitions.service.competitions import CompetitionView
from podium.core import audit
from podium.core.access import Actor, competition_for_organizer
from podium.core.database.engine import database_now
from podium.core.models import Competition
from podium.core.visibility import Board
from podium.errors import NotAllowed, WrongState
from podium.errors.codes import ErrorCode
from podium.http.html.rendering import STATIC, templates
from podium.materials.service.data_files import files_of

MOST_ROWS = 1_000_000
"""A page of the archive holds a whole board, or list."""

BOARDS: tuple[Board, ...] = ("public", "private")

STATIC_FILES = ("podium.css", "board.css", "podium.svg")


@dataclass(frozen=True, slots=True)
class ArchivedBoard:
    """A whole board of a finished competition."""

    title: str
    phase: str
    metric: str
    split: Board
    rows: list[Row]


def site_files(
    session: Session, *, competition: Competition, now: datetime
) -> Iterator[tuple[str, bytes]]:
    """Name and content of every file. Raises `WrongState` (`not-revealed`) at the first before
    the reveal: an archive of a board that goes on would only be an old one."""
    if competition.revealed_at is None:
        raise WrongState(
            "A static archive is made of a finished competition. Reveal it first.",
            code=ErrorCode.NOT_REVEALED,
        )
    described = competitions.describe_found(session, actor=None, competition=competition)
    boards = {split: _board(session, described, split) for split in BOARDS}
    shared: dict[str, Any] = {"made_at": now, "competition": competition}
    yield (
        "index.html",
        _page(
            "archives/site_index.html",
            **shared,
            board=boards["private"],
            description=competition.description,
            counts=described.counts,
            announcements=announcements_of(
                session, competition_id=competition.id, before_id=None, limit=MOST_ROWS
            ),
        ),
    )
    for split, board in boards.items():
        yield f"{split}.html", _page("archives/site_board.html", **shared, board=board)
        yield f"boards/{split}.json", whole_json(session, competition, split)
        yield f"boards/{split}.csv", whole_csv(session, competition, split)
    files = files_of(session, competition_id=competition.id, after_name=None, limit=MOST_ROWS)
    yield (
        "files.html",
        _page("archives/site_files.html", **shared, board=boards["private"], files=files),
    )
    for name in STATIC_FILES:
        yield name, STATIC[name].read_bytes()


def _board(session: Session, described: CompetitionView, split: Board) -> ArchivedBoard:
    question = BoardQuery(split, limit=MOST_ROWS)
    part = read_part(session, competition=described.competition, question=question)
    return ArchivedBoard(
        title=described.competition.title,
        phase=described.phase.value,
        metric=metric_line(described.settings),
        split=split,
        rows=shown_rows(part, is_final=split == "private"),
    )


def _page(template: str, **context: Any) -> bytes:
    return templates.get_template(template).render(context).encode()


def export_pieces(
    application: Application, *, actor: Actor, slug: str, with_secrets: bool
) -> Iterator[bytes]:
    """The archive of a competition in pieces. All errors are raised before the first: `NotFound`,
    `NotAllowed` where another user than the administrator asks for secrets, and
    `StoredFileCorrupt`."""
    spool = _spool(application)
    try:
        with application.database.read() as session:
            queries.one_view(session)
            competition = competition_for_organizer(session, slug=slug, actor=actor)
            if with_secrets and not actor.is_administrator:
                raise NotAllowed("Only the administrator may take the ground truth out.")
            collected = collect(
                session,
                competition=competition,
                storage=application.storage,
                spool=spool,
                documents=board_documents(session, competition),
                with_secrets=with_secrets,
                now=database_now(session),
            )
        _record(application, actor, competition, "competition.export", full=with_secrets)
    except BaseException:
        spool.close()
        raise
    return zip_pieces(collected, storage=application.storage)


def site_pieces(application: Application, *, actor: Actor, slug: str) -> Iterator[bytes]:
    """The pages of a finished competition as a ZIP file in pieces. Raises `NotFound` and
    `WrongState` before the first."""
    pages = site_of(application, actor=actor, slug=slug)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in pages:
            archive.writestr(zipfile.ZipInfo(f"{slug}/{name}"), content, zipfile.ZIP_DEFLATED)
    return iter([packed.getvalue()])


def site_of(application: Application, *, actor: Actor, slug: str) -> list[tuple[str, bytes]]:
    """Name and content of all files of the static archive, which is as large as its boards."""
    with application.database.read() as session:
        queries.one_view(session)
        competition = competition_for_organizer(session, slug=slug, actor=actor)
        found = list(site_files(session, competition=competition, now=database_now(session)))
    _record(application, actor, competition, "competition.archive")
    return found


def import_archive(
    application: Application,
    *,
    actor: Actor,
    path: Path,
    slug: str | None,
    people: People,
) -> Restored:
    """Takes a full archive in. Raises what `unpacking` and `restoring` raise; nothing but files
    that no row names remains of an archive that was refused."""
    with unpacking.opened(path) as archive:
        store_files(archive, storage=application.storage)
        with application.database.write() as session:
            return restore(session, actor=actor, archive=archive, slug=slug, people=people)


def board_documents(session: Session, competition: Competition) -> dict[str, bytes]:
    """The whole boards as they are served, by their names in an archive; the private one exists
    after the reveal."""
    boards: list[Board] = ["public"]
    if competition.revealed_at is not None:
        boards.append("private")
    documents = {}
    for board in boards:
        documents[f"boards/{board}.json"] = whole_json(session, competition, board)
        documents[f"boards/{board}.csv"] = whole_csv(session, competition, board)
    return documents


def _record(
    application: Application, actor: Actor, competition: Competition, action: str, **facts: Any
) -> None:
    with application.database.write() as session:
        audit.record(session, actor=actor, action=action, competition_id=competition.id, **facts)


def _spool(application: Application) -> IO[bytes]:
    """A file without a name, gone with its last user: on the disk of the data, because it may hold
    as much as the rows do."""
    folder = application.settings.data_dir.absolute() / "scratch"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return tempfile.TemporaryFile(dir=folder)
