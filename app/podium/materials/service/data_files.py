"""Files that participants download. They are stored by hash; a name can get new bytes."""

from __future__ import annotations

import re

from sqlalchemy.orm import Session

from podium.core import audit
from podium.core.access import Actor, competition_for_organizer, competition_for_reader
from podium.core.database.engine import WriteSession, database_now
from podium.core.models import Competition, DataFile
from podium.errors import InvalidInput, NotFound
from podium.errors.codes import ErrorCode
from podium.materials import queries
from podium.materials.rules import pictures
from podium.storage import Stored

FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")

UNKNOWN_FILE = "This competition has no file of this name."

MAX_FILE_BYTES = 64 << 30
"""More than any data set that people download over HTTP; the disk's reserve is the real limit."""


def check_file_name(name: str) -> None:
    """Raises `InvalidInput` (`bad-file-name`) for names that some file system takes ill."""
    if FILE_NAME.fullmatch(name) is None:
        raise InvalidInput(
            "A file name has 1 to 128 ASCII letters, digits, dots, hyphens and underscores, and"
            " starts with a letter or digit.",
            code=ErrorCode.BAD_FILE_NAME,
        )


def check_picture(name: str, head: bytes) -> None:
    """Raises `InvalidInput` (`bad-file-name`) for a name that promises a picture, on bytes of which
    no browser makes one."""
    if pictures.is_promised(name) and not pictures.is_picture(head):
        raise InvalidInput(
            f"The bytes of “{name}” are not a picture. {pictures.KINDS}",
            code=ErrorCode.BAD_FILE_NAME,
        )


def put_file(
    session: WriteSession, *, actor: Actor, slug: str, name: str, stored: Stored
) -> tuple[DataFile, bool]:
    """Gives stored bytes a name; answers the file and whether the name is new."""
    competition = competition_for_organizer(session, slug=slug, actor=actor, for_update=True)
    check_file_name(name)
    return put_known(session, actor=actor, competition=competition, name=name, stored=stored)


def put_known(
    session: WriteSession,
    *,
    actor: Actor | None,
    competition: Competition,
    name: str,
    stored: Stored,
) -> tuple[DataFile, bool]:
    """The same for a locked competition and a name that are known to be allowed. Raises
    `InvalidInput` (`file-is-ground-truth`) before the reveal."""
    is_secret = competition.revealed_at is None
    if is_secret and queries.is_ground_truth(session, competition.id, [stored.sha256]):
        raise InvalidInput(
            f"“{name}” is the ground truth itself. Participants could download it.",
            code=ErrorCode.FILE_IS_GROUND_TRUTH,
        )
    now = database_now(session)
    known = queries.file_named(session, competition.id, name)
    row = known or DataFile(competition_id=competition.id, name=name)
    session.add(row)
    row.bytes, row.sha256, row.created_at = stored.size, stored.sha256, now
    session.flush()
    audit.record(
        session, actor, "file.put", row, name=name, sha256=stored.sha256, bytes=stored.size
    )
    return row, known is None


def remove_file(session: WriteSession, *, actor: Actor, slug: str, name: str) -> None:
    """Takes a file away from participants; its bytes go once nothing else refers to them. Raises
    `NotFound`."""
    competition = competition_for_organizer(session, slug=slug, actor=actor, for_update=True)
    row = queries.file_named(session, competition.id, name)
    if row is None:
        raise NotFound(UNKNOWN_FILE)
    remove_known(session, actor=actor, competition=competition, row=row)


def remove_known(
    session: WriteSession, *, actor: Actor | None, competition: Competition, row: DataFile
) -> None:
    """The same for a locked competition and a file of it."""
    session.delete(row)
    audit.record(session, actor, "file.delete", row, name=row.name, sha256=row.sha256)


def list_files(
    session: Session, *, actor: Actor | None, slug: str, after_name: str | None, limit: int
) -> list[DataFile]:
    """A page of a competition's files, by name."""
    competition = competition_for_reader(session, slug=slug, actor=actor)
    return files_of(session, competition_id=competition.id, after_name=after_name, limit=limit)


def files_of(
    session: Session, *, competition_id: str, after_name: str | None, limit: int
) -> list[DataFile]:
    """The same of a competition that the caller is known to be allowed to see."""
    return list(queries.files_after(session, competition_id, after_name, limit=limit))


def find_file(session: Session, *, actor: Actor | None, slug: str, name: str) -> DataFile:
    """The file of this name, or `NotFound`."""
    competition = competition_for_reader(session, slug=slug, actor=actor)
    row = queries.file_named(session, competition.id, name)
    if row is None:
        raise NotFound(UNKNOWN_FILE)
    return row
