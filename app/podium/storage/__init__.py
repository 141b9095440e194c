"""ADAPTER: bytes by their SHA-256, in areas with different readers.

This file is the interface that services see; `local.py` implements it on a folder, `bucket.py` on
an object store.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol

READ_PIECE = 256 << 10
"""Bytes that are read at a time for a client; each client that stops reading holds two pieces."""

LOOKS = 5
"""Attempts to find a file, in its place and where it may have been set aside, before it is missing:
it may be moved from the one to the other just between two looks."""


class Area(StrEnum):
    """The area that a file belongs to. Secret areas are never named by a route that serves
    files."""

    SUBMISSIONS = "submissions"
    FILES = "files"
    UPLOADS = "uploads"
    """Pieces of resumable uploads, until a file is made of them."""
    SECRET_UPLOADS = "secret/uploads"  # noqa: S105 - the name of an area
    """The same of organizers, which may become a ground truth."""
    GROUND_TRUTH = "secret/ground-truth"
    HITS = "secret/hits"
    METRICS = "secret/metrics"
    """Custom metrics; participants may read those that are public through a route of
    their own."""

    @property
    def is_secret(self) -> bool:
        """True where no route may serve what is here."""
        return self.value.startswith("secret/")


@dataclass(frozen=True, slots=True)
class Stored:
    """A durably stored file: its SHA-256 (hex) and size in bytes."""

    sha256: str
    size: int


class Writer(Protocol):
    """One file being written: counted and hashed on the way, invisible until `finish`."""

    @property
    def size(self) -> int:
        """Bytes written so far, as `Stored` has them after `finish`."""

    def write(self, chunk: bytes) -> None:
        """Appends bytes. Raises `Unavailable` (`storage-full`) when there is no room."""

    def finish(self) -> Stored:
        """Makes the file visible and durable; once this returns, a power cut does not lose it."""

    def abort(self) -> None:
        """Removes what was written; harmless after `finish` and when called twice."""


class Storage(Protocol):
    """Content-addressed files. Writing the same bytes twice stores them once."""

    def writer(self, area: Area) -> Writer:
        """Starts a file. Raises `Unavailable` when free space is below the reserve."""

    def add(self, area: Area, source: Path) -> Stored:
        """Stores a finished local file; `source` stays where it is."""

    def local(self, area: Area, sha256: str) -> AbstractContextManager[Path]:
        """The file as a local path while the block runs, its hash checked before.

        Raises `StoredFileCorrupt` when it is missing or its bytes changed.
        """

    def checked_beside(self, area: Area, sha256: str) -> AbstractContextManager[Path]:
        """The same for a large file that the block reads only once: where the store has it on a
        local disk, its hash is computed while the block runs.

        What came of the block may be used after its end only. That waits for the hash and, unless
        the block has raised, raises `StoredFileCorrupt` when the bytes changed.
        """

    def read(
        self, area: Area, sha256: str, start: int = 0, stop: int | None = None
    ) -> Iterator[bytes]:
        """The bytes from `start` to before `stop`, in pieces. Raises `StoredFileCorrupt`."""

    def size(self, area: Area, sha256: str) -> int | None:
        """Bytes of a stored file; None when there is none."""

    def delete(self, area: Area, sha256: str) -> None:
        """Removes a file at once, even if another request is about to refer to it."""

    def free_bytes(self) -> int | None:
        """Room left, where the store can tell."""

    def sweep(self, *, older_than_seconds: float) -> int:
        """Removes abandoned unfinished files; answers how many."""

    def stored(self, area: Area, *, older_than_seconds: float) -> Iterator[str]:
        """The hashes of an area's files that were written at least so long ago."""

    def set_aside(self, area: Area, sha256: str, *, older_than_seconds: float) -> bool:
        """Takes a file out of its area, from where reading it, or `put_back`, brings it back.

        False where there is none, or where it was written again since.
        """

    def aside(self, area: Area, *, older_than_seconds: float) -> Iterator[str]:
        """The hashes of an area's files that were set aside at least so long ago."""

    def put_back(self, area: Area, sha256: str) -> bool:
        """Undoes `set_aside`; False when the file is in its place, or was not set aside."""

    def forget(self, area: Area, sha256: str, *, older_than_seconds: float) -> None:
        """Removes for good what was set aside at least so long ago; never the file in its place."""

    def check(self) -> None:
        """Raises `Unavailable` unless the store takes files right now."""

    def keeps(self, content: bytes) -> bool:
        """Writes a file, reads it again, and answers whether it came back as it was. Leaves
        nothing, and makes no folder. Raises `Unavailable`."""
