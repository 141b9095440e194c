"""One bucket: single objects under keys, what its client raises as `Unavailable`, and its clock.

Which keys files have, and in which order objects may come and go, is `bucket.py`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from datetime import UTC, datetime, timedelta
from pathlib import Path

import obstore
from obstore.exceptions import BaseError
from obstore.store import ObjectStore

from podium.logs import get_logger
from podium.storage import READ_PIECE
from podium.storage.unfinished import not_working, unavailable

PART_BYTES = 8 << 20
PARTS_AT_ONCE = 2

MAX_COPIED_BYTES = 5 << 30
"""A bucket copies no larger object by itself; such a one is read and written again."""

PIECE = 1 << 20
"""Bytes that are copied at a time."""
CHECK = "check"
"""The key of the object whose writing shows that a bucket works, and what time it has."""

CLOCK_SECONDS = 60.0
"""So long the bucket's time is counted on from when it was asked for."""

PANIC = "PanicException"
"""The exception of a bug in the client's compiled part; its class cannot be imported."""

_log = get_logger("storage")


class Objects:
    """The objects of one store. All methods raise `Unavailable` where it fails or falls silent."""

    def __init__(self, store: ObjectStore) -> None:
        self.store = store
        self._asked: tuple[float, datetime] | None = None
        self._asking = threading.Lock()

    def put(self, key: str, source: Path) -> None:
        """Stores a local file, in parts; visible as a whole or not at all."""
        with self._working("put"), _there("put", key):
            obstore.put(
                self.store, key, source, chunk_size=PART_BYTES, max_concurrency=PARTS_AT_ONCE
            )

    def look(self, key: str) -> tuple[int, datetime] | None:
        """Size in bytes and time of the last writing; None where there is no such object."""
        with self._working("head"):
            try:
                found = obstore.head(self.store, key)
            except FileNotFoundError:
                return None
        return found["size"], found["last_modified"]

    def pieces(self, key: str, start: int, stop: int) -> Iterator[bytes]:
        """Bytes of an object, fewer where it ends before. Raises `FileNotFoundError`."""
        with self._working("get"):
            got = obstore.get(self.store, key, options={"range": (start, stop)})
            for piece in got.stream(READ_PIECE):
                yield bytes(piece)

    def listed(self, prefix: str) -> Iterator[tuple[str, datetime]]:
        """Every key below the prefix, which is not part of a name, with its last writing."""
        with self._working("list"):
            for some in obstore.list(self.store, prefix):
                for found in some:
                    yield found["path"], found["last_modified"]

    def copy(self, source: str, target: str, *, size: int) -> bool:
        """Copies an object of so many bytes; False where it is not there any more."""
        with self._working("copy"):
            try:
                if size <= MAX_COPIED_BYTES:
                    obstore.copy(self.store, source, target)
                else:
                    self._write_again(source, target)
            except FileNotFoundError:
                return False
        return True

    def remove(self, key: str) -> None:
        """Removes an object; harmless where there is none."""
        with self._working("delete"):
            try:
                obstore.delete(self.store, key)
            except FileNotFoundError:
                return

    def check(self) -> None:
        """Writes an object and looks at it: the rights, the bucket and the way to it are there."""
        self._asked = None
        self.now()

    def now(self) -> datetime:
        """The time by the bucket's own clock, by which its objects were written."""
        with self._asking:
            asked = self._asked
            if asked is None or time.monotonic() - asked[0] > CLOCK_SECONDS:
                with self._working("check"), _there("check", CHECK):
                    obstore.put(self.store, CHECK, b"The storage works.\n")
                    found = obstore.head(self.store, CHECK)["last_modified"]
                # It leaves out the rest of the second.
                asked = (time.monotonic(), found.astimezone(UTC) + timedelta(seconds=1))
                self._asked = asked
        return asked[1] + timedelta(seconds=time.monotonic() - asked[0])

    @contextmanager
    def _working(self, act: str) -> Iterator[None]:
        """Raises errors of the store's client as `Unavailable`, with the reason in the log
        alone."""
        try:
            yield
        except BaseError as error:
            _log.error("bucket.failed", act=act, error=str(error).partition("\n")[0])
            raise not_working() from error
        except OSError as error:
            if isinstance(error, FileNotFoundError):
                raise
            raise unavailable(error) from error
        except BaseException as error:
            if type(error).__name__ != PANIC:
                raise
            # Locks that it held are lost for good: only another client can go on.
            self.store = copy(self.store)
            _log.error("bucket-client.crashed", act=act, error=str(error).partition("\n")[0])
            raise not_working() from error

    def _write_again(self, source: str, target: str) -> None:
        writer = obstore.open_writer(
            self.store, target, buffer_size=PART_BYTES, max_concurrency=PARTS_AT_ONCE
        )
        for piece in obstore.get(self.store, source).stream(PIECE):
            writer.write(piece)
        # Not by leaving a block: after an error nothing shall become visible.
        writer.close()


@contextmanager
def _there(act: str, key: str) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        # There is no such bucket.
        _log.error("bucket.not-found", act=act, key=key, error=str(error).partition("\n")[0])
        raise not_working() from error
