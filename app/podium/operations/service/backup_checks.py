"""Checks whether a backup can be restored, without restoring it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from podium.core.database.schema import known_steps
from podium.core.database.snapshot_rows import require_integrity, rows_in, steps_in
from podium.core.database.types import hashes_of
from podium.core.models import Submission
from podium.errors import NotConfigured, StoredFileCorrupt
from podium.operations.service import backups
from podium.operations.service.backups import DATABASE, FILES, Backup
from podium.storage import Area
from podium.storage.shelf import Shelf

SHOWN = 20
"""Files that are listed one by one; a place that lacks a folder lacks thousands."""


def flaws_of(shelf: Shelf, backup: Backup, *, scratch: Path) -> list[str]:
    """Describes the flaws of a backup: files that are damaged or missing, a database that cannot be
    read or is of a newer version, files that it refers to and the backup lacks. Changes nothing in
    the backup. `scratch` is an empty folder with room for the database."""
    damaged, missing = backups.unusable_files(shelf, backup)
    return [
        *_shown(
            f"Damaged in the backup: {place}. Remove it, and the next backup writes it anew."
            for place in damaged
        ),
        *_shown(
            f"Missing in the backup: {place}. Bring it back, or make a new backup."
            for place in missing
        ),
        *lost_before(backup),
        *_flaws_of_rows(shelf, backup, scratch),
    ]


def lost_before(backup: Backup) -> list[str]:
    """Describes the files that the installation had lost when the backup was taken."""
    return _shown([f"Lost before this backup: {a}/{sha256}." for a, sha256 in backup.lacking])


def _flaws_of_rows(shelf: Shelf, backup: Backup, scratch: Path) -> list[str]:
    place = f"{shelf.place}/{backup.name}/{DATABASE}"
    is_sqlite = backup.is_sqlite
    try:
        rows = backups.fetch_rows(shelf, backup, scratch=scratch)
    except StoredFileCorrupt as error:
        return [error.detail]
    try:
        require_integrity(rows, is_sqlite=is_sqlite)
        if steps_in(rows, is_sqlite=is_sqlite) - known_steps():
            return [backups.of_newer_version(backup)]
        known = {f"{area}/{sha256}" for area, sha256 in (*backup.files, *backup.lacking)}
        lacking = sorted(_named_in(rows, is_sqlite) - known)
    except NotConfigured as error:
        return [f"{place} was not looked into: {error.detail}"]
    except StoredFileCorrupt as error:
        detail = error.detail.rstrip(".")
        return [f"{place} is damaged ({detail}) and cannot be restored. Make a new backup."]
    return _shown([f"Named by the backup's database, and not in it: {it}." for it in lacking])


def _named_in(rows: Path, is_sqlite: bool) -> set[str]:
    """Collects area/SHA-256 of every file that a row of a snapshot refers to."""
    removed = Submission.file_removed_at.key
    areas: dict[str, dict[str, Area]] = {}
    for area, column in FILES:
        areas.setdefault(column.class_.__tablename__, {})[column.key] = area
    tables = {table: [*columns, removed] for table, columns in areas.items()}
    return {
        f"{area}/{sha256}"
        for table, row in rows_in(rows, tables, is_sqlite=is_sqlite)
        if not row.get(removed)
        for column, area in areas[table].items()
        for sha256 in hashes_of(row.get(column))
    }


def _shown(found: Iterable[str]) -> list[str]:
    sentences = list(found)
    more = len(sentences) - SHOWN
    return sentences if more <= 0 else [*sentences[:SHOWN], f"And {more} more of these."]
