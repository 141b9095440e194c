"""Access to the files of an installation: its own user and no other.

The database contains hashes of credentials, private scores, split keys and the key that signs
receipts. New files are closed because operators' commands run under a umask of their own; files
that an earlier version or a copy left open are closed at the start, and `podium doctor` lists the
rest.
"""

from __future__ import annotations

import functools
import os
import re
import shlex
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from podium.settings import Settings

UMASK = 0o077

OTHERS = 0o077
"""The permissions of all users but the owner."""

FOLDERS = frozenset({"storage", "spool", "cache", "scratch"})
"""The folders of a service in the data folder, beside the database and its companions."""

DEMO_FOLDER = "files"
"""The folder that a demo adds there."""

DEMO_FILES = frozenset({"demo.json", ".podium-demo"})

INSIDE = re.compile(
    r"submissions|files|uploads|secret|unfinished|judgings|backups|podium-child-.+"
    r"|[0-9a-f]{32,64}|.+\.[0-9a-f]{32}\.csv"
)
"""Names that occur in those folders."""

DATABASE_ENDINGS = ("", "-wal", "-shm", "-journal", ".migrate-lock")
"""The endings of the files that together are a SQLite database."""


def privately(command: Callable[..., None]) -> Callable[..., None]:
    """Returns the command, run so that no other user may read the files that it creates."""

    @functools.wraps(command)
    def run(*given: object, **named: object) -> None:
        before = os.umask(UMASK)
        try:
            command(*given, **named)
        finally:
            os.umask(before)

    return run


def close_to_others(settings: Settings) -> None:
    """Removes the permissions of others on the data folder and its contents.

    If the folder contains anything that is not ours, the operator may have named one that other
    users have to enter: it stays as it is, and so does a folder in it unless all of its names are
    ours. Paths that stay open are logged.
    """
    from podium.logs import get_logger

    data = settings.data_dir.absolute()
    is_ours = _is_ours_alone(data)
    for path in kept_paths(settings):
        if is_ours or not path.is_dir() or (path != data and _looks_like_ours(path)):
            mode = _mode(path)
            if mode is not None and mode & OTHERS:
                # We cannot close a file of another user; the caller reports whatever is left open.
                with suppress(OSError):
                    path.chmod(mode & ~OTHERS)
    if left := open_paths(settings):
        get_logger("files").warning("files.left-open", paths=[str(path) for path in left])


def open_paths(settings: Settings) -> list[Path]:
    """Returns the paths that users other than the owner can enter, read or write."""
    return [path for path in kept_paths(settings) if (_mode(path) or 0) & OTHERS]


def what_to_type(path: Path) -> str:
    """Returns the command that closes a path to others."""
    mode = "700" if path.is_dir() else "600"
    return f"chmod {mode} {shlex.quote(str(path))}"


def kept_paths(settings: Settings) -> Iterator[Path]:
    """Yields the data folder, its entries, and the database's files wherever they are."""
    data = settings.data_dir.absolute()
    yield data
    for name in sorted(_folders(data)):
        yield data / name
    yield from database_files(settings)


def database_files(settings: Settings) -> list[Path]:
    """Returns SQLite's database and the files beside it, existing or not; none for another
    database."""
    path = settings.database_file
    if path is None:
        return []
    return [path.with_name(path.name + ending) for ending in DATABASE_ENDINGS]


def _folders(data: Path) -> frozenset[str]:
    """Returns the names of our folders in the data folder; a user's own `files` may be there,
    too."""
    is_demo = any(_mode(data / name) is not None for name in DEMO_FILES)
    return FOLDERS | {DEMO_FOLDER} if is_demo else FOLDERS


def _is_ours_alone(data: Path) -> bool:
    folders = _folders(data)
    with suppress(OSError):
        return all(
            path.name.startswith("podium.sqlite3")
            or path.name in (folders if path.is_dir() else DEMO_FILES)
            for path in data.iterdir()
        )
    return False


def _looks_like_ours(folder: Path) -> bool:
    """True if a folder with the name of one of ours also has such content."""
    with suppress(OSError):
        return all(INSIDE.fullmatch(path.name) for path in folder.iterdir())
    return False


def _mode(path: Path) -> int | None:
    """Returns the permissions of a path; None if it does not exist, or is a link to somewhere
    else."""
    try:
        found = path.lstat().st_mode
    except OSError:
        return None
    return None if stat.S_ISLNK(found) else stat.S_IMODE(found)
