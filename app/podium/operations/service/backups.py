"""Backups: taken while the server runs, checked, restored, and pruned."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy.orm import InstrumentedAttribute, Session

from podium import __version__
from podium.core.database.engine import Database, database_now
from podium.core.database.schema import known_steps
from podium.core.database.snapshot_rows import steps_in
from podium.core.database.snapshots import snapshot
from podium.core.models import (
    DataFile,
    GroundTruthVersion,
    Judging,
    MetricVersion,
    PublishedIdList,
    Run,
    StoredItemFile,
    StoredSessionFile,
    Submission,
)
from podium.errors import NotConfigured, NotFound, StoredFileCorrupt, WrongState
from podium.logs import get_logger
from podium.operations import queries
from podium.operations.service.transfers import require_same_version
from podium.storage import Area, Storage
from podium.storage.shelf import Shelf

FORMAT = 1

LIST, DATABASE = "backup.json", "database"

SQLITE, POSTGRESQL = "sqlite", "postgresql"
"""The kinds of databases, as backups store them."""

_MOMENT = "%Y%m%dT%H%M%S.%fZ"

FILES: tuple[tuple[Area, InstrumentedAttribute[Any]], ...] = (
    (Area.FILES, DataFile.sha256),
    (Area.FILES, PublishedIdList.sha256),
    (Area.GROUND_TRUTH, GroundTruthVersion.sha256),
    (Area.GROUND_TRUTH, GroundTruthVersion.upload_sha256),
    (Area.GROUND_TRUTH, GroundTruthVersion.parts),
    (Area.GROUND_TRUTH, StoredItemFile.sha256),
    (Area.GROUND_TRUTH, StoredItemFile.upload_sha256),
    (Area.GROUND_TRUTH, StoredSessionFile.sha256),
    (Area.GROUND_TRUTH, StoredSessionFile.upload_sha256),
    (Area.SUBMISSIONS, Submission.sha256),
    (Area.HITS, Judging.hits_sha256),
    (Area.HITS, Run.hits_sha256),
    (Area.METRICS, MetricVersion.sha256),
)
"""Every column that refers to stored files, except for those of uploads without a submission and
results of jobs: a restored installation begins without either."""

_log = get_logger("operations")


@dataclass(frozen=True, slots=True)
class Backup:
    """The contents of a backup: its moment is the name, `files` are pairs of area and hash, and
    `lacking` those that could not be read, which were lost before the backup was taken."""

    name: str
    made_at: str
    version: str
    database: str
    database_sha256: str
    files: Sequence[tuple[str, str]]
    lacking: Sequence[tuple[str, str]]
    format: int = FORMAT

    @property
    def is_sqlite(self) -> bool:
        """True if its database is SQLite's, else it is PostgreSQL's."""
        return self.database == SQLITE


@dataclass(frozen=True, slots=True)
class Made:
    """A backup, with the count and bytes of files that were new in it."""

    backup: Backup
    new_files: int
    new_bytes: int


def back_up(database: Database, storage: Storage, *, shelf: Shelf, scratch: Path) -> Made:
    """Takes a backup. `scratch` is an empty folder with room for the database.

    Files that are missing or have changed are left out and listed. Raises `Unavailable`, and
    `NotConfigured` also for a place whose latest backup shows that this is a former database.
    """
    if database.is_sqlite:
        _refuse_former_database(shelf)
    rows = scratch / "database"
    with snapshot(database, to=rows) as session:
        made_at = database_now(session)
        named = _named_files(session)
    name = made_at.strftime(_MOMENT)
    with rows.open("rb") as stream:
        rows_sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
    shelf.put(f"{name}/{DATABASE}", rows)
    there = shelf.names("files")
    files, lacking, new_files, new_bytes = [], [], 0, 0
    for area, sha256 in named:
        if place_of(area, sha256) not in there:
            try:
                new_bytes += _copy(storage, area, sha256, shelf=shelf, by_way_of=scratch / "file")
            except StoredFileCorrupt as error:
                _log.error("file.lost", area=area.value, sha256=sha256, error=error.detail)
                lacking.append((area.value, sha256))
                continue
            new_files += 1
        files.append((area.value, sha256))
    kind = SQLITE if database.is_sqlite else POSTGRESQL
    backup = Backup(name, made_at.isoformat(), __version__, kind, rows_sha256, files, lacking)
    shelf.settle()
    list_file = scratch / LIST
    list_file.write_text(json.dumps(asdict(backup)))
    shelf.put(f"{name}/{LIST}", list_file)
    shelf.settle()
    return Made(backup, new_files, new_bytes)


def _refuse_former_database(shelf: Shelf) -> None:
    """Refuses SQLite after PostgreSQL: where the database's URL is not set, the file that an
    installation has left behind would be backed up night after night in its place."""
    try:
        latest = find_backup(shelf, name=None)
    except (NotFound, WrongState, StoredFileCorrupt):
        return
    if not latest.is_sqlite:
        raise NotConfigured(
            f"The latest backup in {shelf.place} is of PostgreSQL, and this database is SQLite. Set"
            " PODIUM_DATABASE_URL, or name another place if the installation has moved to SQLite."
        )


def known_backups(shelf: Shelf) -> list[str]:
    """Lists the names of all complete backups, oldest first."""
    found = (name.split("/") for name in shelf.names(""))
    return sorted(parts[0] for parts in found if len(parts) == 2 and parts[1] == LIST)


def find_backup(shelf: Shelf, *, name: str | None) -> Backup:
    """Finds the backup of this name, or the latest. Raises `NotFound`, `WrongState`, and
    `StoredFileCorrupt` for one whose list is damaged."""
    known = known_backups(shelf)
    if not known:
        raise NotFound(f"There is no backup in {shelf.place}.")
    if name is not None and name not in known:
        others = ", ".join(known)
        raise NotFound(f"There is no backup {name} in {shelf.place}. There are: {others}.")
    place = f"{name or known[-1]}/{LIST}"
    try:
        document: dict[str, Any] = json.loads(b"".join(shelf.get(place)))
    except ValueError as error:
        raise _damaged(shelf, place, known) from error
    if document.get("format") != FORMAT:
        raise WrongState(
            f"This backup was made by Podium {document.get('version')}, which this one cannot read."
        )
    return Backup(**document)


def _damaged(shelf: Shelf, place: str, known: Sequence[str]) -> StoredFileCorrupt:
    """Builds the refusal of a backup that cannot be restored at all, with the other ones to choose
    from."""
    others = [name for name in known if name != place.split("/")[0]]
    remedy = (
        f"Choose another one with --at: {', '.join(others)}." if others else "It is the only one."
    )
    return StoredFileCorrupt(f"{shelf.place}/{place} is damaged or lost. {remedy}")


def unusable_files(shelf: Shelf, backup: Backup) -> tuple[list[str], list[str]]:
    """Reads all files of a backup; returns the places of damaged and of missing ones."""
    damaged, missing = [], []
    for area, sha256 in backup.files:
        place = place_of(Area(area), sha256)
        try:
            for _ in _hashed(shelf.get(place), sha256):
                pass
        except StoredFileCorrupt:
            damaged.append(f"{shelf.place}/{place}")
        except NotFound:
            missing.append(f"{shelf.place}/{place}")
    return damaged, missing


@dataclass(frozen=True, slots=True)
class RestoredFiles:
    """The number of files that were not there before, and those of the backup that are `damaged` or
    lost."""

    new_files: int
    damaged: Sequence[str]


def restore_files(
    storage: Storage, *, shelf: Shelf, backup: Backup, without_damaged: bool = False
) -> RestoredFiles:
    """Copies every file of a backup to the storage. Raises `StoredFileCorrupt` where the backup's
    own copy has changed or is missing, unless those are left out; and `Unavailable`."""
    new, damaged = 0, []
    for area_name, sha256 in backup.files:
        area = Area(area_name)
        if storage.size(area, sha256) is not None:
            continue
        try:
            _restore_file(storage, shelf, area, sha256)
            new += 1
        except (StoredFileCorrupt, NotFound) as error:
            place = f"{shelf.place}/{place_of(area, sha256)}"
            if not without_damaged:
                raise StoredFileCorrupt(
                    f"{place} is damaged or lost. Restore an earlier backup with --at, or"
                    " everything else with --without-damaged."
                ) from error
            damaged.append(place)
    return RestoredFiles(new, damaged)


def missing_bytes(storage: Storage, *, shelf: Shelf, backup: Backup) -> int:
    """Sums up the bytes of a backup's database, and of its files that the storage lacks."""
    sizes = shelf.sizes("files") | shelf.sizes(backup.name)
    return sizes.get(f"{backup.name}/{DATABASE}", 0) + sum(
        sizes.get(place_of(Area(area), sha256), 0)
        for area, sha256 in backup.files
        if storage.size(Area(area), sha256) is None
    )


def _restore_file(storage: Storage, shelf: Shelf, area: Area, sha256: str) -> None:
    writer = storage.writer(area)
    try:
        for piece in _hashed(shelf.get(place_of(area, sha256)), sha256):
            writer.write(piece)
        writer.finish()
    finally:
        writer.abort()


def fetch_rows(shelf: Shelf, backup: Backup, *, scratch: Path) -> Path:
    """Copies the database of a backup to the folder, as one file. Raises `StoredFileCorrupt`."""
    rows, place = scratch / DATABASE, f"{backup.name}/{DATABASE}"
    try:
        _write(rows, _hashed(shelf.get(place), backup.database_sha256))
    except (StoredFileCorrupt, NotFound) as error:
        raise _damaged(shelf, place, known_backups(shelf)) from error
    return rows


def require_fitting(rows: Path, backup: Backup, *, is_sqlite: bool) -> None:
    """Raises `NotConfigured` for the rows of a backup that a database of this kind, or this version
    of Podium, cannot take."""
    steps = steps_in(rows, is_sqlite=backup.is_sqlite)
    if steps - known_steps():
        raise NotConfigured(of_newer_version(backup))
    if is_sqlite and not backup.is_sqlite:
        require_same_version(steps)


def of_newer_version(backup: Backup) -> str:
    """Words the refusal of a backup that only a newer version can restore."""
    return (
        f"The backup {backup.name} was made by Podium {backup.version}, and this version cannot"
        " read its database. Restore it with that version, or a newer one."
    )


def begin_anew(database: Database) -> None:
    """Resets work in progress in a restored installation before its first use."""
    with database.write() as session:
        queries.forget_what_was_under_way(session)


def _named_files(session: Session) -> list[tuple[Area, str]]:
    """Lists area and hash of every file that a row refers to."""
    return sorted(
        {(area, name) for area, column in FILES for name in queries.hashes_in(session, column)}
    )


def _copy(storage: Storage, area: Area, sha256: str, *, shelf: Shelf, by_way_of: Path) -> int:
    """Copies a file to the shelf, and returns its bytes. Through a temporary file of our own: an
    incomplete file must never appear there, and bytes from a bucket cannot go straight to
    another."""
    _write(by_way_of, _hashed(storage.read(area, sha256), sha256))
    shelf.put(place_of(area, sha256), by_way_of)
    return by_way_of.stat().st_size


def _hashed(pieces: Iterator[bytes], sha256: str) -> Iterator[bytes]:
    """Passes the pieces on, and raises an error at their end if their hash differs."""
    found = hashlib.sha256()
    for piece in pieces:
        found.update(piece)
        yield piece
    if found.hexdigest() != sha256:
        raise StoredFileCorrupt(
            f"A stored file is damaged: its bytes have not the SHA-256 {sha256}."
        )


def _write(path: Path, pieces: Iterator[bytes]) -> None:
    with path.open("wb") as sink:
        for piece in pieces:
            sink.write(piece)


def place_of(area: Area, sha256: str) -> str:
    """Builds the path of a file on a shelf."""
    return f"files/{area}/{sha256}"


def moment_of(name: str) -> datetime | None:
    """Parses the time at which a backup was begun from its name; None for other names."""
    try:
        return datetime.strptime(name, _MOMENT).replace(tzinfo=UTC)
    except ValueError:
        return None


LONGEST_BACKUP = timedelta(days=1)
"""The age from which a backup without a list counts as broken off."""


@dataclass(frozen=True, slots=True)
class Pruned:
    """The backups that were removed, and the number of files. With `other`, a backup in progress,
    no file is removed: it may rely on any of them."""

    backups: list[str]
    files: int
    other: str | None


def prune(shelf: Shelf, *, keep: int, now: datetime) -> Pruned:
    """Removes all but the latest `keep` complete backups of a place, those that were broken off
    more than a day ago, and then every file that no remaining backup refers to.

    A backup loses its list first, and so does not count as one any more, whenever this is
    interrupted. Raises `WrongState` before any file is removed where a list cannot be read, and
    `Unavailable`.
    """
    old = known_backups(shelf)[:-keep]
    for name in old:
        shelf.remove(f"{name}/{LIST}")
    left = set(known_backups(shelf))
    # Other files there do not belong to backups.
    begun = {path.partition("/")[0] for path in shelf.names("") if path.endswith(f"/{DATABASE}")}
    begun = {name for name in begun - left if moment_of(name) is not None}
    running = {name for name in begun - set(old) if _is_young(name, now)}
    for name in begun - running:
        shelf.remove(f"{name}/{DATABASE}")
    if running:
        return Pruned(old, 0, max(running))
    named = {
        place_of(Area(area), sha256)
        for name in left
        for area, sha256 in find_backup(shelf, name=name).files
    }
    unnamed = shelf.names("files") - named
    for path in sorted(unnamed):
        shelf.remove(path)
    return Pruned(old, len(unnamed), None)


def _is_young(name: str, now: datetime) -> bool:
    moment = moment_of(name)
    return moment is not None and moment > now - LONGEST_BACKUP
