"""Storage in a local folder: temporary file → fsync → rename to the SHA-256 → fsync of the folder.

Everything below the root belongs to the service's user alone (0700, 0600). Unfinished files live
in `unfinished/` of the same file system, so that a rename is atomic and a sweep finds them.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from app.errors import StoredFileCorrupt, Unavailable
from app.storage import Area, Stored

PIECE = 4 << 20
"""Bytes that are read at a time."""

ROOM_CHECK = 64 << 20
"""After so many bytes of one file, the free space is looked at again."""

NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT})


class LocalStorage:
    """Content-addressed files below `root`; refuses to write with less than the reserve free."""

    def __init__(self, root: Path, *, min_free_bytes: int) -> None:
        self.root = root.absolute()
        self.min_free_bytes = min_free_bytes

    def writer(self, area: Area) -> LocalWriter:
        """Starts a file. Raises `Unavailable` when free space is below the reserve."""
        return LocalWriter(self, area)

    def add(self, area: Area, source: Path) -> Stored:
        """Stores a finished local file; `source` stays where it is."""
        writer = self.writer(area)
        try:
            with source.open("rb") as stream:
                while piece := stream.read(PIECE):
                    writer.write(piece)
            return writer.finish()
        finally:
            writer.abort()

    @contextmanager
    def local(self, area: Area, sha256: str) -> Iterator[Path]:
        """The file as a local path while the block runs, its hash checked before."""
        path = self._path(area, sha256)
        try:
            with path.open("rb") as stream:
                found = hashlib.file_digest(stream, "sha256").hexdigest()
        except FileNotFoundError:
            raise _missing(area, sha256) from None
        except OSError as error:
            raise _unavailable(error) from error
        if found != sha256:
            raise StoredFileCorrupt(
                f"The stored file {area}/{sha256} has other bytes than were written: their"
                f" SHA-256 is {found}. Restore it from a backup.",
                area=str(area),
                sha256=sha256,
            )
        yield path

    def read(
        self, area: Area, sha256: str, start: int = 0, stop: int | None = None
    ) -> Iterator[bytes]:
        """The bytes from `start` to before `stop`, in pieces. Raises `StoredFileCorrupt`."""
        size = self.size(area, sha256)
        if size is None:
            raise _missing(area, sha256)
        return self._pieces(area, sha256, start, size if stop is None else min(stop, size))

    def size(self, area: Area, sha256: str) -> int | None:
        """Bytes of a stored file; None when there is none."""
        try:
            return self._path(area, sha256).stat().st_size
        except FileNotFoundError:
            return None

    def delete(self, area: Area, sha256: str) -> None:
        """Removes a file that no row names any more."""
        path = self._path(area, sha256)
        with suppress(FileNotFoundError):
            path.unlink()
            _sync_folder(path.parent)

    def free_bytes(self) -> int | None:
        """Room left for the service's user in the file system of the root."""
        existing = next(path for path in (self.root, *self.root.parents) if path.exists())
        return shutil.disk_usage(existing).free

    def sweep(self, *, older_than_seconds: float) -> int:
        """Removes unfinished files to which nothing was written for so long; answers how many."""
        removed = 0
        for path in self._unfinished().glob("*"):
            with suppress(FileNotFoundError):
                if time.time() - path.stat().st_mtime >= older_than_seconds:
                    path.unlink()
                    removed += 1
        return removed

    def _path(self, area: Area, sha256: str) -> Path:
        if len(sha256) != 64 or not set(sha256) <= set("0123456789abcdef"):
            raise ValueError(f"not a SHA-256: {sha256!r}")
        return self.root / area / sha256[:2] / sha256[2:4] / sha256

    def _unfinished(self) -> Path:
        return self.root / "unfinished"

    def _pieces(self, area: Area, sha256: str, start: int, stop: int) -> Iterator[bytes]:
        try:
            with self._path(area, sha256).open("rb") as stream:
                stream.seek(start)
                while start < stop and (piece := stream.read(min(PIECE, stop - start))):
                    start += len(piece)
                    yield piece
        except FileNotFoundError:
            raise _missing(area, sha256) from None
        if start < stop:
            raise StoredFileCorrupt(
                f"The stored file {area}/{sha256} became shorter while it was read.",
                area=str(area),
                sha256=sha256,
            )


class LocalWriter:
    """One file being written; whatever goes wrong removes it."""

    def __init__(self, storage: LocalStorage, area: Area) -> None:
        self.size = 0
        self._storage = storage
        self._area = area
        self._hash = hashlib.sha256()
        self._unchecked = 0
        self._descriptor: int | None = None
        self._refuse_without_room()
        folder = storage._unfinished()
        self._path = folder / uuid.uuid4().hex
        try:
            _make_folder(folder)
            self._descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except OSError as error:
            raise _unavailable(error) from error

    def write(self, chunk: bytes) -> None:
        """Appends bytes. Raises `Unavailable` (`storage-full`) when there is no room."""
        if self._descriptor is None:
            raise ValueError("this file is finished or given up")
        self._unchecked += len(chunk)
        try:
            if self._unchecked >= ROOM_CHECK:
                self._unchecked = 0
                self._refuse_without_room()
            rest = memoryview(chunk)
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
        except (OSError, Unavailable) as error:
            self.abort()
            raise _unavailable(error) from error
        self._hash.update(chunk)
        self.size += len(chunk)

    def finish(self) -> Stored:
        """Makes the file visible and durable; once this returns, a power cut does not lose it."""
        if self._descriptor is None:
            raise ValueError("this file is finished or given up")
        stored = Stored(self._hash.hexdigest(), self.size)
        target = self._storage._path(self._area, stored.sha256)
        try:
            # A failed fsync is never tried again: the kernel may have dropped the pages and would
            # then report success. The whole upload has to be repeated.
            os.fsync(self._descriptor)
            self._close()
            _make_folder(target.parent)
            self._take_place(target, stored.sha256)
            # Another process may have made the folders a moment ago and not have synced them yet.
            for folder in list(target.parents)[:3]:
                _sync_folder(folder)
        except OSError as error:
            self.abort()
            raise _unavailable(error) from error
        return stored

    def _take_place(self, target: Path, sha256: str) -> None:
        # A file that is there already and whole stays the very same file: a judging child may be
        # about to open it, and the rights it has are those to that file, not to its name.
        with suppress(FileNotFoundError), target.open("rb") as stream:
            if hashlib.file_digest(stream, "sha256").hexdigest() == sha256:
                self._path.unlink()
                return
        self._path.rename(target)

    def abort(self) -> None:
        """Removes what was written; harmless after `finish` and when called twice."""
        self._close()
        with suppress(OSError):
            self._path.unlink()

    def _close(self) -> None:
        if self._descriptor is not None:
            descriptor, self._descriptor = self._descriptor, None
            os.close(descriptor)

    def _refuse_without_room(self) -> None:
        free = self._storage.free_bytes()
        if free is not None and free < self._storage.min_free_bytes:
            raise Unavailable(
                "The disk of the installation is nearly full, so nothing is taken in. Nothing was"
                " stored; please try again later.",
                code="storage-full",
                retry_after=300,
            )


def _make_folder(folder: Path) -> None:
    """Makes the folder and its missing parents, each durable in the folder above."""
    if folder.is_dir():
        return
    _make_folder(folder.parent)
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    _sync_folder(folder.parent)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _missing(area: Area, sha256: str) -> StoredFileCorrupt:
    return StoredFileCorrupt(
        f"The stored file {area}/{sha256} is missing. Restore it from a backup.",
        area=str(area),
        sha256=sha256,
    )


def _unavailable(error: OSError | Unavailable) -> Unavailable:
    if isinstance(error, Unavailable):
        return error
    if error.errno in NO_ROOM:
        return Unavailable(
            "The disk of the installation is full. Nothing was stored; please try again later.",
            code="storage-full",
            retry_after=300,
        )
    return Unavailable(
        "The storage of the installation does not work right now. Nothing was stored; please try"
        " again later.",
        code="storage-error",
        retry_after=60,
    )
