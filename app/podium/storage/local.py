"""Storage in a local folder: temporary file → fsync → rename to the SHA-256 → fsync of the folder.

Everything below the root belongs to the service's user alone (0700, 0600). Unfinished files live
in `unfinished/` of the same file system, so that a rename is atomic and a sweep finds them. Files
that were set aside live in `set-aside/`, each time under a name of its own, `<SHA-256>.<unique>`:
what is removed there because it is old is never what another process set aside a moment ago.
"""

from __future__ import annotations

import hashlib
import os
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from io import BufferedReader, RawIOBase
from pathlib import Path

from podium.errors import StoredFileCorrupt
from podium.logs import get_logger
from podium.storage import LOOKS, READ_PIECE, Area, Stored
from podium.storage.unfinished import (
    UnfinishedFile,
    changed,
    checked_name,
    end_of_reading,
    make_folder,
    missing,
    not_working,
    regular_file,
    remove_old,
    room,
    shortened,
    sync_folder,
    trial_file,
    unavailable,
)

_log = get_logger("storage")

PIECE = 4 << 20
"""Bytes that are copied at a time."""


class LocalStorage:
    """Content-addressed files below `root`; refuses to write with less than the reserve free."""

    def __init__(self, root: Path, *, min_free_bytes: int) -> None:
        self.root = root.absolute()
        self.min_free_bytes = min_free_bytes
        self._was_there = False

    def writer(self, area: Area) -> LocalWriter:
        """Starts a file. Raises `Unavailable` when free space is below the reserve, and when the
        folder of this process's earlier files is gone: what is written in the place of a disk
        that is not mounted any more is lost when it comes back."""
        if self._was_there and not (self.root / "unfinished").is_dir():
            _log.error("storage.gone", folder=str(self.root))
            raise not_working()
        writer = LocalWriter(self, area)
        self._was_there = True
        return writer

    def add(self, area: Area, source: Path) -> Stored:
        """Stores a finished local file; `source` stays where it is."""
        writer = self.writer(area)
        try:
            with regular_file(source) as stream:
                while piece := stream.read(PIECE):
                    writer.write(piece)
            return writer.finish()
        finally:
            writer.abort()

    @contextmanager
    def local(self, area: Area, sha256: str) -> Iterator[Path]:
        """The file as a local path while the block runs, its hash checked before."""
        with self.checked_beside(area, sha256):
            pass
        yield self.path(area, sha256)

    @contextmanager
    def checked_beside(self, area: Area, sha256: str) -> Iterator[Path]:
        """The file as a local path while the block runs, its hash computed in a thread meanwhile
        and compared at the end."""
        try:
            # Opened before the block, so that a file which takes its place later, and which the
            # block may read instead, has just been written.
            stream = self._opened(area, sha256)
        except OSError as error:
            raise unavailable(error) from error
        with stream, _hashed_beside(stream) as found:
            yield self.path(area, sha256)
            if found() != sha256:
                raise changed(area, sha256, found())

    def read(
        self, area: Area, sha256: str, start: int = 0, stop: int | None = None
    ) -> Iterator[bytes]:
        """The bytes from `start` to before `stop`, in pieces. Raises `StoredFileCorrupt`."""
        end = end_of_reading(area, sha256, self.size(area, sha256), stop)
        return self._pieces(area, sha256, start, end)

    def size(self, area: Area, sha256: str) -> int | None:
        """Bytes of a stored file; None when there is none."""
        try:
            with self._opened(area, sha256) as stream:
                return os.fstat(stream.fileno()).st_size
        except StoredFileCorrupt:
            return None

    def delete(self, area: Area, sha256: str) -> None:
        """Removes a file that no row names any more."""
        _remove(self.path(area, sha256))

    def free_bytes(self) -> int | None:
        """Room left for the service's user in the file system of the root."""
        return room(self.root)

    def sweep(self, *, older_than_seconds: float) -> int:
        """Removes unfinished files to which nothing was written for so long; answers how many."""
        return remove_old(self.root / "unfinished", older_than_seconds=older_than_seconds)

    def stored(self, area: Area, *, older_than_seconds: float) -> Iterator[str]:
        """The hashes of an area's files that were written at least so long ago."""
        return _old_names(self.root / area, older_than_seconds)

    def set_aside(self, area: Area, sha256: str, *, older_than_seconds: float) -> bool:
        """Takes a file out of its area, from where reading it, or `put_back`, brings it back."""
        path = self.path(area, sha256)
        try:
            if not _is_old(path, older_than_seconds):
                return False
            # From here on its age is how long it has been set aside.
            os.utime(path)
            _move(path, self._aside_folder(area, sha256) / f"{sha256}.{uuid.uuid4().hex}")
        except FileNotFoundError:
            return False
        return True

    def aside(self, area: Area, *, older_than_seconds: float) -> Iterator[str]:
        """The hashes of an area's files that were set aside at least so long ago."""
        return _old_names(self.root / "set-aside" / area, older_than_seconds)

    def put_back(self, area: Area, sha256: str) -> bool:
        """Undoes `set_aside`; False when the file is in its place, or was not set aside."""
        path = self.path(area, sha256)
        for aside in self._files_aside(area, sha256):
            try:
                make_folder(path.parent)
                # A link instead of a renaming: the file that is in its place may be in use.
                os.link(aside, path)
                sync_folder(path.parent)
            except FileNotFoundError:
                continue
            except FileExistsError:
                return False
            except OSError as error:
                raise unavailable(error) from error
            _remove(aside)
            return True
        return False

    def forget(self, area: Area, sha256: str, *, older_than_seconds: float) -> None:
        """Removes for good what was set aside at least so long ago."""
        for aside in self._files_aside(area, sha256):
            with suppress(FileNotFoundError):
                if _is_old(aside, older_than_seconds):
                    _remove(aside)

    def check(self) -> None:
        """Raises `Unavailable` unless the folder takes files right now."""
        self.writer(Area.FILES).abort()

    def keeps(self, content: bytes) -> bool:
        """Writes a file, reads it again, and answers whether it came back as it was."""
        folder = self.root / "unfinished"
        with trial_file(folder, content, min_free_bytes=self.min_free_bytes) as path:
            return path.read_bytes() == content

    def path(self, area: Area, sha256: str) -> Path:
        """The path of a file, whether it exists or not."""
        return self.root / area / _below(checked_name(sha256))

    def _aside_folder(self, area: Area, sha256: str) -> Path:
        return (self.root / "set-aside" / area / _below(checked_name(sha256))).parent

    def _files_aside(self, area: Area, sha256: str) -> list[Path]:
        # An earlier version set files aside under the hash alone.
        return list(self._aside_folder(area, sha256).glob(f"{sha256}*"))

    def _found(self, area: Area, sha256: str) -> Path | None:
        path = self.path(area, sha256)
        for _ in range(LOOKS):
            if path.exists() or self.put_back(area, sha256):
                return path
        return None

    def _opened(self, area: Area, sha256: str) -> BufferedReader:
        while (path := self._found(area, sha256)) is not None:
            # It may be set aside between the look and the opening; the next look brings it back.
            with suppress(FileNotFoundError):
                return path.open("rb")
        raise missing(area, sha256)

    def _pieces(self, area: Area, sha256: str, start: int, stop: int) -> Iterator[bytes]:
        with self._opened(area, sha256) as stream:
            stream.seek(start)
            while start < stop and (piece := stream.read(min(READ_PIECE, stop - start))):
                start += len(piece)
                yield piece
        if start < stop:
            raise shortened(area, sha256)


class LocalWriter(UnfinishedFile):
    """One file being written; whatever goes wrong removes it."""

    def __init__(self, storage: LocalStorage, area: Area) -> None:
        super().__init__(storage.root / "unfinished", min_free_bytes=storage.min_free_bytes)
        self._storage = storage
        self._area = area

    def finish(self) -> Stored:
        """Makes the file visible and durable; once this returns, a power cut does not lose it."""
        descriptor = self.descriptor()
        stored = Stored(self.sha256, self.size)
        target = self._storage.path(self._area, stored.sha256)
        try:
            # A failed fsync is never tried again: the kernel may have dropped the pages and would
            # then report success. The whole upload has to be repeated.
            os.fsync(descriptor)
            self.close()
            make_folder(target.parent)
            self._take_place(target)
            # Another process may have made the folders a moment ago and not have synced them yet.
            for folder in list(target.parents)[:3]:
                sync_folder(folder)
        except OSError as error:
            self.abort()
            raise unavailable(error) from error
        return stored

    def _take_place(self, target: Path) -> None:
        # Also of a file with these bytes that is there already: that heals it, and makes it young,
        # as a file is whose row is about to be written. Who has opened it reads it to its end.
        with ExitStack() as after:
            with suppress(FileNotFoundError):
                earlier = target.open("rb", buffering=0)
                after.callback(_close_beside, earlier)
            self.path.rename(target)


def _close_beside(file: RawIOBase) -> None:
    """Closes a replaced file, whose room is given back with the last descriptor, in a thread: that
    takes a while."""
    try:
        threading.Thread(target=file.close).start()
    except RuntimeError:  # there is no thread to be had
        file.close()


@contextmanager
def _hashed_beside(stream: BufferedReader) -> Iterator[Callable[[], str]]:
    """Hashes the rest of a file in a thread while the block runs, and gives the block a function
    that waits for the SHA-256, in hex, or raises `Unavailable`."""
    is_over = threading.Event()

    def hashed() -> str:
        found, buffer = hashlib.sha256(), memoryview(bytearray(READ_PIECE))
        try:
            while not is_over.is_set() and (size := stream.readinto(buffer)):
                found.update(buffer[:size])
        except OSError as error:
            raise unavailable(error) from error
        return found.hexdigest()

    with ThreadPoolExecutor(1, "hashing") as thread:
        try:
            yield thread.submit(hashed).result
        finally:
            is_over.set()


def _below(sha256: str) -> Path:
    return Path(sha256[:2], sha256[2:4], sha256)


def _old_names(folder: Path, older_than_seconds: float) -> Iterator[str]:
    for path in folder.glob("??/??/*"):
        with suppress(FileNotFoundError):
            if _is_old(path, older_than_seconds):
                yield path.stem


def _is_old(path: Path, seconds: float) -> bool:
    return time.time() - path.stat().st_mtime >= seconds


def _move(source: Path, target: Path) -> None:
    """Raises `FileNotFoundError` when the source is not there, `Unavailable`."""
    try:
        make_folder(target.parent)
        source.rename(target)
        for folder in (target.parent, source.parent):
            sync_folder(folder)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise unavailable(error) from error


def _remove(path: Path) -> None:
    with suppress(FileNotFoundError):
        path.unlink()
        sync_folder(path.parent)
