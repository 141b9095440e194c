"""A file that is still being written, on a local disk: counted, hashed, and gone when given up.

Whether it becomes a stored file, and where, its owner decides. Also here: which error of the
system means what, and how a folder is made to last.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import stat
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BufferedReader
from pathlib import Path

from podium.errors import StoredFileCorrupt, Unavailable
from podium.errors.codes import ErrorCode
from podium.storage import Area

ROOM_CHECK = 64 << 20
"""After so many bytes of one file, the free space is looked at again."""

SYNC_EVERY = 4 << 20
"""After so many bytes of one file, they are synced: a disk that has much to write at once keeps the
database waiting, whose every transaction is synced."""

NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT})


class UnfinishedFile:
    """One file being written in `folder`; refuses to go on with less than the reserve free. The
    stores' writers add where it goes in the end."""

    def __init__(self, folder: Path, *, min_free_bytes: int) -> None:
        self.size = 0
        self.path = folder / uuid.uuid4().hex
        self._min_free_bytes = min_free_bytes
        self._hash = hashlib.sha256()
        self._unchecked = 0
        self._unsynced = 0
        self._descriptor: int | None = None
        self._refuse_without_room()
        try:
            make_folder(folder)
            self._descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except OSError as error:
            raise unavailable(error) from error

    @property
    def sha256(self) -> str:
        """The SHA-256 of what was written until now, in hex."""
        return self._hash.hexdigest()

    def write(self, chunk: bytes) -> None:
        """Appends bytes. Raises `Unavailable` (`storage-full`) when there is no room."""
        descriptor = self.descriptor()
        self._unchecked += len(chunk)
        try:
            if self._unchecked >= ROOM_CHECK:
                self._unchecked = 0
                self._refuse_without_room()
            rest = memoryview(chunk)
            while rest:
                rest = rest[os.write(descriptor, rest) :]
            self._unsynced += len(chunk)
            if self._unsynced >= SYNC_EVERY:
                self._unsynced = 0
                os.fsync(descriptor)
        except (OSError, Unavailable) as error:
            self.abort()
            raise unavailable(error) from error
        self._hash.update(chunk)
        self.size += len(chunk)

    def descriptor(self) -> int:
        """That of the open file. Raises `ValueError` when it is closed."""
        if self._descriptor is None:
            raise ValueError("this file is finished or given up")
        return self._descriptor

    def close(self) -> None:
        """Ends the writing and keeps the file; harmless when called twice."""
        if self._descriptor is not None:
            descriptor, self._descriptor = self._descriptor, None
            os.close(descriptor)

    def abort(self) -> None:
        """Removes the file where it still is; harmless once it has moved on, and when called
        twice."""
        self.close()
        with suppress(OSError):
            self.path.unlink()

    def _refuse_without_room(self) -> None:
        if room(self.path) < self._min_free_bytes:
            raise Unavailable(
                "The disk of the installation is nearly full, so nothing is taken in. Nothing was"
                " stored; please try again later.",
                code=ErrorCode.STORAGE_FULL,
                retry_after=300,
            )


@contextmanager
def trial_file(folder: Path, content: bytes, *, min_free_bytes: int) -> Iterator[Path]:
    """A durable file with this content while the block runs. Where the folder is not there yet, it
    lies above: root may ask for the service, and a folder of root's would be in its way."""
    there = next(path for path in (folder, *folder.parents) if path.exists())
    file = UnfinishedFile(there, min_free_bytes=min_free_bytes)
    try:
        file.write(content)
        os.fsync(file.descriptor())
        yield file.path
    except OSError as error:
        raise unavailable(error) from error
    finally:
        file.abort()


def regular_file(path: Path) -> BufferedReader:
    """Opens a file to be stored. Raises `OSError` for a link, a pipe or a folder, which may stand
    under a name that another process chose."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    descriptor = os.open(path, flags)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "is not a regular file", str(path))
    return os.fdopen(descriptor, "rb")


def room(path: Path) -> int:
    """Bytes that the service's user may still write in the file system of a path to come."""
    return shutil.disk_usage(next(p for p in (path, *path.parents) if p.exists())).free


def remove_old(folder: Path, *, older_than_seconds: float) -> int:
    """Removes unfinished files to which nothing was written for so long; answers how many."""
    removed = 0
    for path in folder.glob("*"):
        with suppress(FileNotFoundError):
            if time.time() - path.stat().st_mtime >= older_than_seconds:
                path.unlink()
                removed += 1
    return removed


def make_folder(folder: Path) -> None:
    """Makes the folder and its missing parents, each durable in the folder above."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    sync_folder(folder.parent)


def sync_folder(folder: Path) -> None:
    """Makes the names in a folder durable."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def checked_name(sha256: str) -> str:
    """The name back, or `ValueError`: nothing else may become part of a path."""
    if len(sha256) != 64 or not set(sha256) <= set("0123456789abcdef"):
        raise ValueError(f"not a SHA-256: {sha256!r}")
    return sha256


def missing(area: Area, sha256: str) -> StoredFileCorrupt:
    """The error for a file that is not there."""
    return StoredFileCorrupt(
        f"The stored file {area}/{sha256} is missing. Restore it from a backup.",
        area=str(area),
        sha256=sha256,
    )


def end_of_reading(area: Area, sha256: str, size: int | None, stop: int | None) -> int:
    """The byte before which reading ends, in a file of `size` bytes. Raises `StoredFileCorrupt`
    where there is no file."""
    if size is None:
        raise missing(area, sha256)
    return size if stop is None else min(stop, size)


def changed(area: Area, sha256: str, found: str) -> StoredFileCorrupt:
    """The error for a file whose bytes have the hash `found`."""
    return StoredFileCorrupt(
        f"The stored file {area}/{sha256} has other bytes than were written: their"
        f" SHA-256 is {found}. Restore it from a backup.",
        area=str(area),
        sha256=sha256,
    )


def shortened(area: Area, sha256: str) -> StoredFileCorrupt:
    """The error for a file that ends before the size that it had."""
    return StoredFileCorrupt(
        f"The stored file {area}/{sha256} became shorter while it was read.",
        area=str(area),
        sha256=sha256,
    )


def unavailable(error: OSError | Unavailable) -> Unavailable:
    """The `Unavailable` for an error of the operating system while storing."""
    if isinstance(error, Unavailable):
        return error
    if error.errno in NO_ROOM:
        return Unavailable(
            "The disk of the installation is full. Nothing was stored; please try again later.",
            code=ErrorCode.STORAGE_FULL,
            retry_after=300,
        )
    return not_working()


def not_working() -> Unavailable:
    """The error for a store that fails or does not answer."""
    return Unavailable(
        "The storage of the installation does not work right now. Nothing was stored; please try"
        " again later.",
        code=ErrorCode.STORAGE_ERROR,
        retry_after=60,
    )
