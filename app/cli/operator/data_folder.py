"""Checks that this process may use the data folder, before anything is written there."""

from __future__ import annotations

import os
import shlex
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from podium.cli.operator.private_files import kept_paths
from podium.errors import NotConfigured

if TYPE_CHECKING:
    from podium.settings import Settings


def require_data_folder(settings: Settings) -> None:
    """Raises `NotConfigured` where the data folder, or what is kept in it, is not ours to use."""
    if complaint := complaint_about(settings):
        raise NotConfigured(complaint)


def complaint_about(settings: Settings) -> str | None:
    """The reasons why we cannot use the data folder, in sentences; None if there is none."""
    folder = settings.data_dir.absolute()
    there = next(path for path in (folder, *folder.parents) if _exists(path))
    kept = [path for path in kept_paths(settings) if path != folder]
    # A database may lie elsewhere, and SQLite writes beside it.
    for path in dict.fromkeys((there, *(one.parent for one in kept), *kept)):
        if _exists(path) and (complaint := _complaint(path, folder)):
            return complaint
    return None


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        # In a folder that we may not look into.
        return False


def _complaint(path: Path, folder: Path) -> str | None:
    is_folder = path.is_dir()
    if path in (folder, *folder.parents) and not is_folder:
        return f"{path} is not a folder. Name another one as PODIUM_DATA_DIR."
    wanted = os.R_OK | os.W_OK | (os.X_OK if is_folder else 0)
    if path != folder and path in folder.parents:
        # Only a folder is to be made there.
        wanted = os.W_OK | os.X_OK
    if os.access(path, wanted, effective_ids=True):
        return None
    if os.statvfs(path).f_flag & os.ST_RDONLY:
        return (
            f"{path} lies on a file system that may only be read. Name a folder that may be"
            " written as PODIUM_DATA_DIR."
        )
    found = path.stat()
    return (
        f"{path} belongs to {_user(found.st_uid)} (mode {stat.S_IMODE(found.st_mode):04o}); we are"
        f" {_user(os.geteuid())} and may not use it. {_remedy(path, folder, found)}"
    )


def _remedy(path: Path, folder: Path, found: os.stat_result) -> str:
    if path in folder.parents:
        return f"Make {folder}, give it to us, or name another one as PODIUM_DATA_DIR."
    named = shlex.quote(str(path))
    if found.st_uid == os.geteuid():
        return f"Type: chmod u+rwX {named}"
    ours = f"{os.geteuid()}:{os.getegid()}"
    return f"Start as its owner, or as root type: chown -R {ours} {shlex.quote(str(folder))}"


def _user(number: int) -> str:
    import pwd

    try:
        return f"{pwd.getpwuid(number).pw_name} (user {number})"
    except KeyError:
        return f"user {number}"
