"""The scratch folder of `podium backup` and `restore` for a copy of the database.

It is below the data folder, because the `/tmp` of a container is often small and in memory;
elsewhere if `TMPDIR` says so, or if the data folder's disk has no room for the copy. Leftovers of a
killed command are removed by the next one.
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
    """Yields an empty folder that no other user may read, and removes it at the end. Failures for
    lack of space or permission, and of the copy, are raised as `Unavailable`, in a sentence. Unless
    it `makes_data`, a data folder that is missing, or not ours, is left alone."""
    shared = _shared(settings, makes_data=makes_data)
    # SIGTERM ends the work in order: nothing is left behind, and no started program goes on alone.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        remove_those_of_the_dead(shared)
        # The signal waits until the folder is one that will be removed, and while it is being
        # removed.
        unblocked = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
        scratch = ScratchFolder(shared, uuid.uuid4().hex)
        before = os.environ.get("TMPDIR")
        # For the programs that are started meanwhile, and for temporary files of SQLite.
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
        raise Unavailable(_sentence_about(error, shared, settings)) from error
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


def _sentence_about(error: OSError, shared: Path, settings: Settings) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return (
            f"There is no space left. A copy of the database is made in {shared} (name another"
            " place as TMPDIR) before it goes where it belongs."
        )
    path = Path(str(error.filename or shared))
    if complaint := complaint_about_what_is_there(path, settings):
        return complaint
    return f"{error.strerror or error}: {path}."
