"""A bounded folder of files fetched from a bucket, shared by all processes of a machine.

A file in use is locked (`flock`) by its user, so that making room never takes it away from a
judging child that is about to open it. Files that are not kept for the next judging are evicted
first, then the least recently used.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from podium.errors import StoredFileCorrupt
from podium.storage import Area
from podium.storage.unfinished import (
    UnfinishedFile,
    changed,
    checked_name,
    make_folder,
    remove_old,
    room,
    shortened,
    unavailable,
)


@dataclass(frozen=True, slots=True)
class Fetch:
    """A file on its way here: its size as the bucket tells it, and its bytes."""

    size: int
    pieces: Iterator[bytes]


class FileCache:
    """Local copies below `folder`, together at most `max_bytes` besides what is in use.

    Files of the areas in `first_to_go` make room before any other.
    """

    def __init__(self, folder: Path, *, max_bytes: int, first_to_go: Collection[Area]) -> None:
        self._folder = folder.absolute()
        self._max_bytes = max_bytes
        self._first_to_go = frozenset(first_to_go)
        self._proven: dict[Path, tuple[int, int, int]] = {}

    @contextmanager
    def file(self, area: Area, sha256: str, fetch: Callable[[], Fetch]) -> Iterator[Path]:
        """The local copy while the block runs, fetched where there is none.

        Its hash is checked when it comes, and once by every process that finds it there; after
        that its size and times tell. Raises `StoredFileCorrupt`, `Unavailable` and what `fetch`
        raises.
        """
        path = self._folder / area / checked_name(sha256)
        try:
            descriptor = self._open(path)
            if descriptor is None:
                descriptor = self._fetched(area, path, fetch)
        except OSError as error:
            raise unavailable(error) from error
        try:
            yield path
        finally:
            os.close(descriptor)

    def drop(self, area: Area, sha256: str) -> None:
        """Removes the local copy unless it is in use."""
        _remove_unused(self._folder / area / checked_name(sha256))

    def sweep(self, *, older_than_seconds: float) -> int:
        """Removes abandoned fetches; answers how many."""
        return remove_old(self._folder / "unfinished", older_than_seconds=older_than_seconds)

    def _open(self, path: Path) -> int | None:
        """A descriptor that keeps the file from being removed; None where it must be fetched."""
        try:
            descriptor = os.open(path, os.O_RDONLY)
        except FileNotFoundError:
            return None
        fcntl.flock(descriptor, fcntl.LOCK_SH)
        if self._is_good(path, descriptor):
            # The time of the last use; that of the last change stays what it was.
            os.utime(descriptor, ns=(time.time_ns(), os.fstat(descriptor).st_mtime_ns))
            return descriptor
        os.close(descriptor)
        return None

    def _is_good(self, path: Path, descriptor: int) -> bool:
        found = os.fstat(descriptor)
        try:
            if path.stat().st_ino != found.st_ino:
                return False
        except FileNotFoundError:
            return False
        marks = (found.st_ino, found.st_size, found.st_mtime_ns)
        if self._proven.get(path) == marks:
            return True
        with os.fdopen(os.dup(descriptor), "rb") as stream:
            if hashlib.file_digest(stream, "sha256").hexdigest() != path.name:
                return False
        self._proven[path] = marks
        return True

    def _fetched(self, area: Area, path: Path, fetch: Callable[[], Fetch]) -> int:
        """Fetches once, however many ask for the same file at a time."""
        with self._turn(path.name):
            descriptor = self._open(path)
            while descriptor is None:
                self._bring(area, path, fetch())
                # A process that makes room may have been faster than our lock.
                descriptor = self._open(path)
            return descriptor

    def _bring(self, area: Area, path: Path, coming: Fetch) -> None:
        self._make_room(coming.size)
        file = UnfinishedFile(self._folder / "unfinished", min_free_bytes=0)
        try:
            for piece in coming.pieces:
                file.write(piece)
            file.close()
            if file.size < coming.size:
                raise shortened(area, path.name)
            if file.sha256 != path.name:
                raise changed(area, path.name, file.sha256)
            make_folder(path.parent)
            found = file.path.stat()
            self._proven[path] = (found.st_ino, found.st_size, found.st_mtime_ns)
            file.path.rename(path)
        except StoredFileCorrupt:
            self.drop(area, path.name)
            raise
        finally:
            file.abort()

    @contextmanager
    def _turn(self, name: str) -> Iterator[None]:
        locks = self._folder / "locks"
        make_folder(locks)
        # As many locks as there are beginnings of names: enough, and none has to be removed.
        descriptor = os.open(locks / name[:2], os.O_WRONLY | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def _make_room(self, coming_bytes: int) -> None:
        held = []
        for area in Area:
            for path in (self._folder / area).glob("*"):
                with suppress(FileNotFoundError):
                    if path.is_file():
                        found = path.stat()
                        order = (area not in self._first_to_go, found.st_atime_ns)
                        held.append((order, path, found.st_size))
        too_much = sum(size for _, _, size in held) + coming_bytes - self._max_bytes
        # Others may have filled the disk.
        too_much = max(too_much, coming_bytes - room(self._folder))
        for _, path, size in sorted(held):
            if too_much <= 0:
                return
            if _remove_unused(path):
                self._proven.pop(path, None)
                too_much -= size


def _remove_unused(path: Path) -> bool:
    """Removes a file unless it is locked; False where it is."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if path.stat().st_ino == os.fstat(descriptor).st_ino:
            path.unlink()
    except FileNotFoundError:
        return True
    except BlockingIOError:
        return False
    finally:
        os.close(descriptor)
    return True
