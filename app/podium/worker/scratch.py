"""Scratch folders of workers: one each; those of dead workers are removed.

A worker holds a lock beside its folder for as long as it lives; the kernel releases it, however the
process ends. The lock is created before the folder and removed after it: wherever a process is
killed, no folder is left without a lock, and a folder that is just being created cannot be mistaken
for an abandoned one.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from podium.sandbox.outputs import remove

ENDING = ".lock"


class ScratchFolder:
    """The folder of one worker, below a folder that all workers of this machine share."""

    def __init__(self, shared: Path, worker_id: str) -> None:
        shared.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.path = shared / worker_id
        self._lock_path = shared / f"{worker_id}{ENDING}"
        self._lock = _locked(self._lock_path)
        self.path.mkdir(mode=0o700)

    def remove(self) -> None:
        """Removes the folder with its contents, and releases the lock."""
        remove(self.path)
        self._lock_path.unlink(missing_ok=True)
        os.close(self._lock)


def remove_those_of_the_dead(shared: Path) -> int:
    """Removes every folder whose worker has died; returns how many."""
    removed = 0
    for path in shared.glob(f"*{ENDING}") if shared.is_dir() else ():
        try:
            lock = os.open(path, os.O_WRONLY)
        except FileNotFoundError:
            # Another process has removed it.
            continue
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            folder = path.with_suffix("")
            removed += folder.exists()
            if remove(folder):
                path.unlink(missing_ok=True)
        except BlockingIOError:
            continue
        finally:
            os.close(lock)
    return removed


def is_left(shared: Path, worker_id: str) -> bool:
    """True if this worker's folder exists and its process is gone: it was killed."""
    try:
        lock = os.open(shared / f"{worker_id}{ENDING}", os.O_RDONLY)
    except OSError:
        # It belongs to another machine, or was removed in order.
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(lock)
    return True


def _locked(path: Path) -> int:
    """Creates and locks the file at this path; retries if another process deleted it before it was
    locked."""
    while True:
        lock = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            if os.path.samestat(os.fstat(lock), path.stat()):
                return lock
        except FileNotFoundError:
            pass
        os.close(lock)
