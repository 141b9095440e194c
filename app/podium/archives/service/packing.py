"""Streams an archive: a ZIP file of which only a few pieces are in memory at a time.

Rows are deflated; stored files are not: they are compressed already, or were meant not to be. The
manifest comes last, because it holds the hashes of everything else.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from podium import __version__
from podium.archives.service.collecting import Collected, SpooledMember, StoredPart
from podium.archives.service.tables import FORMAT_VERSION
from podium.storage import Storage

MANIFEST = "manifest.json"

PIECE = 1 << 20

LARGE = 1 << 31
"""The size in bytes from which a member is written with ZIP64 sizes."""


class Member(BaseModel):
    """Size in bytes and SHA-256 (hex) of a member."""

    model_config = ConfigDict(extra="forbid")

    bytes: int = Field(ge=0)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class Manifest(BaseModel):
    """The manifest of an archive; `members` lists everything in it except the manifest."""

    model_config = ConfigDict(extra="forbid")

    format: str = Field(pattern=r"^podium-competition$")
    version: int = Field(ge=1)
    made_by: str = Field(max_length=64)
    made_at: str = Field(max_length=64)
    competition: str = Field(max_length=128)
    full: bool
    members: dict[str, Member]


def zip_pieces(collected: Collected, *, storage: Storage) -> Iterator[bytes]:
    """Yields the bytes of the archive. Raises `StoredFileCorrupt` if a file has changed meanwhile;
    the stream then ends without a directory, so that it is not a valid ZIP file."""
    sink = _Sink()
    with collected.spool, zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for part in collected.parts:
            yield from _packed(archive, sink, part.name, part.size, _spooled(collected, part))
        for stored in collected.stored:
            pieces = storage.read(stored.area, stored.sha256)
            yield from _packed(archive, sink, stored.name, stored.size, pieces, deflated=False)
        text = manifest_of(collected).model_dump_json(indent=1).encode()
        yield from _packed(archive, sink, MANIFEST, len(text), iter([text]))
    yield sink.taken()


def manifest_of(collected: Collected) -> Manifest:
    """Returns the manifest of the collected members."""
    every: list[SpooledMember | StoredPart] = [*collected.parts, *collected.stored]
    return Manifest(
        format="podium-competition",
        version=FORMAT_VERSION,
        made_by=__version__,
        made_at=collected.made_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        competition=collected.slug,
        full=collected.with_secrets,
        members={part.name: Member(bytes=part.size, sha256=part.sha256) for part in every},
    )


def _packed(
    archive: zipfile.ZipFile,
    sink: _Sink,
    name: str,
    size: int,
    pieces: Iterator[bytes],
    *,
    deflated: bool = True,
) -> Iterator[bytes]:
    # The time is left out, so that the same rows give the same bytes.
    entry = zipfile.ZipInfo(name)
    entry.compress_type = zipfile.ZIP_DEFLATED if deflated else zipfile.ZIP_STORED
    entry.external_attr = 0o600 << 16
    with archive.open(entry, "w", force_zip64=size >= LARGE) as member:
        for piece in pieces:
            member.write(piece)
            if sink.waiting >= PIECE:
                yield sink.taken()
    yield sink.taken()


def _spooled(collected: Collected, part: SpooledMember) -> Iterator[bytes]:
    collected.spool.seek(part.start)
    left = part.size
    while left:
        piece = collected.spool.read(min(PIECE, left))
        left -= len(piece)
        yield piece


class _Sink(io.RawIOBase):
    """The target of the ZIP writer. It cannot seek, so sizes follow each member."""

    def __init__(self) -> None:
        self.waiting = 0
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, piece: Any) -> int:  # noqa: ANN401 - any buffer: named from Python 3.12 on
        taken = bytes(piece)
        self._pieces.append(taken)
        self.waiting += len(taken)
        return len(taken)

    def taken(self) -> bytes:
        """Returns all bytes written since the last call."""
        pieces, self._pieces, self.waiting = self._pieces, [], 0
        return b"".join(pieces)
