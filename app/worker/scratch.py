"""Scratch folders of workers: one each, and those of dead workers are removed.

A worker holds a lock on its folder for as long as it lives; the kernel lets go of it, however the
process ends.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from pathlib import Path

LOCK = "lock"


class ScratchFolder:
    """The folder of one worker, below a folder that all workers of this machine share."""

    def __init__(self, shared: Path, worker_id: str) -> None:
        self.path = shared / worker_id
        self.path.mkdir(mode=0o700, parents=True)
        self._lock = os.open(self.path / LOCK, os.O_WRONLY | os.O_CREAT, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_EX)

    def remove(self) -> None:
        """Removes the folder with all that is left in it."""
        shutil.rmtree(self.path, ignore_errors=True)
        os.close(self._lock)


def remove_those_of_the_dead(shared: Path) -> int:
    """Removes every folder whose worker is gone; answers how many."""
    removed = 0
    for folder in shared.glob("*") if shared.is_dir() else ():
        try:
            lock = os.open(folder / LOCK, os.O_WRONLY)
        except OSError:
            # It is just being made, or just being removed by somebody else.
            continue
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
            removed += 1
        except BlockingIOError:
            continue
        finally:
            os.close(lock)
    return removed
