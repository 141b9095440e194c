"""The remains of a failed restore: files that help the next attempt are reported, the rest is
deleted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from podium.cli.operator.private_files import database_files
from podium.cli.outcome import complain

if TYPE_CHECKING:
    from podium.settings import Settings


@dataclass
class Remains:
    """The state of a restore: true once files of the backup may have been copied."""

    may_hold_files: bool = False


@contextmanager
def tidied(settings: Settings) -> Iterator[Remains]:
    """If the block fails, removes the empty folders and SQLite's database that it has created, and
    reports which files of the backup stay: they need not be copied again. For a block that begins
    without a database."""
    data = settings.data_dir.absolute()
    before = {data, *_folders(data)} if data.exists() else set()
    remains = Remains()
    absent = [path for path in database_files(settings) if not path.exists()]
    try:
        yield remains
    except BaseException:
        for path in absent:
            path.unlink(missing_ok=True)
        for folder in sorted({data, *_folders(data)} - before, reverse=True):
            with suppress(OSError):
                folder.rmdir()
        if remains.may_hold_files:
            _tell(settings)
        raise


def _folders(data: Path) -> Iterator[Path]:
    return (path for path in data.rglob("*") if path.is_dir() and not path.is_symlink())


def _tell(settings: Settings) -> None:
    if settings.storage_url:
        complain(
            "Files that were brought so far stay in the bucket: the same command goes on from"
            " there."
        )
        return
    storage = settings.data_dir.absolute() / "storage"
    if count := sum(path.is_file() for path in storage.rglob("*")):
        complain(
            f"{count} files that were brought so far stay in {storage}, and there is no database:"
            " the same command goes on from there. To give up, remove that folder."
        )
