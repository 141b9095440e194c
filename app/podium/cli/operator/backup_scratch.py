"""The scratch folder of `podium backup` and `restore` for a copy of the database.

Below the data folder, because the `/tmp` of a container is often small and in memory; elsewhere
where `TMPDIR` says so, or where the data folder's disk has no room for the copy. What a killed
command left there goes with the next one.
"""

from __future__ import annotations

import errno
import os
import signal
import sqlite3
import sys
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from podium.cli.operator.data_folder import complaint_about_what_is_there
from podium.cli.operator.private_files import database_files
from podium.errors import NotConfigured, Unavailable
from podium.storage.unfinished import room
from podium.worker.scratch import ScratchFolder, remove_those_of_the_dead

if TYPE_CHECKING:
    from podium.settings import Settings


@contextmanager
def scratch_folder(settings: Settings, *, makes_data: bool = True) -> Iterator[Path]:
    """An empty folder that no other user may read, removed at the end. What fails meanwhile for
    want of space, of permission or of the copy is raised as `Unavailable`, in a sentence. Unless it
    `makes_data`, a data folder that is not there, or not ours, is left alone."""
    shared = _shared(settings, makes_data=makes_data)
    # What is under way ends in order: nothing is left, and no program goes on alone.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        remove_those_of_the_dead(shared)
        # An order to end waits until the folder is one that will be removed, and while it is.
        unblocked = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
        scratch = ScratchFolder(shared, uuid.uuid4().hex)
        before = os.environ.get("TMPDIR")
        # For the programs that are started meanwhile, and for what SQLite sorts.
        os.environ["TMPDIR"] = str(scratch.path)
        try:
            signal.pthread_sigmask(signal.SIG_SETMASK, unblocked)
            yield scratch.path
        finally:
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
            scratch.remove()
            signal.pthread_sigmask(signal.SIG_SETMASK, unblocked)
            os.environ.pop("TMPDIR")
            if before is not None:
                os.environ["TMPDIR"] = before
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Unavailable(_told(error, shared, settings)) from error
    except sqlite3.Error as error:
        raise Unavailable(f"The copy of the database cannot be used: {error}.") from error


def _shared(settings: Settings, *, makes_data: bool) -> Path:
    given = os.environ.get("TMPDIR")
    if not given and not makes_data and not os.access(settings.data_dir, os.W_OK | os.X_OK):
        given = tempfile.gettempdir()
    if not given and _has_room(settings):
        return settings.data_dir.absolute() / "scratch" / "backups"
    given = given or tempfile.gettempdir()
    folder = Path(given).absolute() / f"podium-backups-{os.geteuid()}"
    if folder.is_symlink() or (folder.exists() and folder.stat().st_uid != os.geteuid()):
        raise NotConfigured(f"{folder} belongs to somebody else. Name another folder as TMPDIR.")
    return folder


def _has_room(settings: Settings) -> bool:
    """True unless a copy of SQLite's database does not fit beside it; a full disk is no reason to
    have no backup of it."""
    needed = sum(path.stat().st_size for path in database_files(settings) if path.exists())
    return room(settings.data_dir.absolute()) > needed


def _told(error: OSError, shared: Path, settings: Settings) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return (
            f"There is no space left. A copy of the database is made in {shared} (name another"
            " place as TMPDIR) before it goes where it belongs."
        )
    path = Path(str(error.filename or shared))
    if told := complaint_about_what_is_there(path, settings):
        return told
    return f"{error.strerror or error}: {path}."
