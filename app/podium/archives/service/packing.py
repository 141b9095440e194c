"""An archive as a stream: a ZIP file of which never more than a few pieces are in memory.

Rows are deflated, stored files are not: those are compressed already, or their owner's choice. The
manifest comes last, because it holds the hash of everything else.
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
"""From this size on a member says in its head that it may be long."""


class Member(BaseModel):
    """Size and SHA-256 (hex) of one member."""

    model_config = ConfigDict(extra="forbid")

    bytes: int = Field(ge=0)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class Manifest(BaseModel):
    """The manifest of an archive; `members` names everything in it but the manifest."""

    model_config = ConfigDict(extra="forbid")

    format: str = Field(pattern=r"^podium-competition$")
    version: int = Field(ge=1)
    made_by: str = Field(max_length=64)
    made_at: str = Field(max_length=64)
    competition: str = Field(max_length=128)
    full: bool
    members: dict[str, Member]


def zip_pieces(collected: Collected, *, storage: Storage) -> Iterator[bytes]:
    """The bytes of the archive. Raises `StoredFileCorrupt` where a file changed meanwhile; the
    stream then ends without the directory that would make it a ZIP file."""
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
    """The manifest of what was collected."""
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
    # The same rows make the same bytes, whenever they are packed.
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
    """The target of the ZIP writer; it cannot go back, so sizes follow each member."""

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
        """All that was written since the last time."""
        pieces, self._pieces, self.waiting = self._pieces, [], 0
        return b"".join(pieces)
