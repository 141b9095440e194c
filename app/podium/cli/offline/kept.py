"""A cache in the user's cache folder: files under the hash of what they were computed from.

Only speed depends on it: a folder that cannot be used, belongs to another user, or has been changed
is no reason to fail. The files are computed again.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from podium.cli.history.entries import sha256_of
from podium.errors import NotConfigured

BOUND = "PODIUM_TRUTH_CACHE_MIB"
DEFAULT_MIB = 2048

_SEAL = "seal"
_UNFINISHED = ".unfinished-"
_UNFINISHED_SECONDS = 24 * 3600


class KeptFolders:
    """Cached folders of files by key, in `folder`, of at most `most_bytes` together; the least
    recently used are deleted first."""

    def __init__(self, folder: Path, most_bytes: int) -> None:
        self._folder = folder
        self._most_bytes = most_bytes

    @classmethod
    def of_user(cls, name: str) -> KeptFolders:
        """Returns the cache of this name in the user's cache folder. Raises `NotConfigured`."""
        from platformdirs import user_cache_path

        given = os.environ.get(BOUND) or str(DEFAULT_MIB)
        if not (given.isascii() and given.isdigit()):
            raise NotConfigured(f"{BOUND} is {given!r}: give a number of MiB, or 0 for no cache.")
        return cls(user_cache_path("podium") / name, int(given) << 20)

    def found(self, key: str) -> Path | None:
        """Returns the folder cached under a key; None if there is none, or if any byte in it has
        changed."""
        if not self._is_usable():
            return None
        place = self._folder / key
        with suppress(OSError):
            if (place / _SEAL).read_bytes() == _seal(place, key):
                os.utime(place)
                return place
        self.forget(key)
        return None

    def keep(self, key: str, write: Callable[[Path], None]) -> None:
        """Caches the files that `write` writes into the folder it is given, if they fit."""
        if not self._is_usable():
            return
        with suppress(OSError):
            # Another process may cache the same at the same time, so whole folders are moved into
            # place.
            with tempfile.TemporaryDirectory(dir=self._folder, prefix=_UNFINISHED) as made:
                fresh = Path(made) / "kept"
                fresh.mkdir(0o700)
                write(fresh)
                (fresh / _SEAL).write_bytes(_seal(fresh, key))
                for path in fresh.iterdir():
                    path.chmod(0o600)
                if _size(fresh) <= self._most_bytes:
                    fresh.rename(self._folder / key)
            self._make_room()

    def forget(self, key: str) -> None:
        """Deletes the folder cached under a key."""
        shutil.rmtree(self._folder / key, ignore_errors=True)

    def _is_usable(self) -> bool:
        """True if the folder belongs to this user; then it is closed to others."""
        # Without a home, the path would be relative to the working directory.
        if not self._most_bytes or not self._folder.is_absolute():
            return False
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            if hasattr(os, "geteuid") and self._folder.stat().st_uid != os.geteuid():
                return False
            self._folder.chmod(0o700)
        except OSError:
            return False
        return True

    def _make_room(self) -> None:
        left = self._most_bytes
        for used, path in sorted(self._entries(), reverse=True):
            is_stale = path.name.startswith(_UNFINISHED)
            if is_stale and time.time() - used < _UNFINISHED_SECONDS:
                continue
            left -= _size(path)
            if is_stale or left < 0:
                shutil.rmtree(path, ignore_errors=True)

    def _entries(self) -> Iterator[tuple[float, Path]]:
        for path in self._folder.iterdir():
            with suppress(OSError):
                yield path.stat().st_mtime, path


def _seal(place: Path, key: str) -> bytes:
    """Returns the hash of the key, and of names and contents of the files beside the seal."""
    paths = sorted(path for path in place.iterdir() if path.name != _SEAL)
    lines = [key, *(f"{path.name} {sha256_of(path)}" for path in paths)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest().encode()


def _size(place: Path) -> int:
    with suppress(OSError):
        return sum(path.stat().st_size for path in place.iterdir())
    return 0
