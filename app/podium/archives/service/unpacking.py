"""Opens an untrusted archive: nothing in it is used before it was checked, and no name in it ever
becomes a path."""

from __future__ import annotations

import hashlib
import re
import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from pydantic import ValidationError

from podium.archives.service.collecting import FILE_AREAS
from podium.archives.service.packing import MANIFEST, PIECE, Manifest
from podium.archives.service.rows import LINE_BYTES
from podium.archives.service.tables import BY_NAME, FORMAT_VERSION
from podium.errors import InvalidInput
from podium.errors.codes import ErrorCode
from podium.storage import Area, Storage

MANIFEST_BYTES = 64 << 20
"""The maximum size of a manifest: enough for the hashes of some hundred thousand files."""

TABLE_BYTES = 16 << 30
"""The maximum total size of all deflated members, in bytes."""

_AREAS = {name: area for area, name in FILE_AREAS.items()}

_FILE = re.compile(rf"files/({'|'.join(_AREAS)})/([0-9a-f]{{64}})")

_DOCUMENT = re.compile(
    r"competition\.json|signing-keys\.json|(?:teams|submissions|receipts)\.jsonl"
    r"|boards/(?:public|private)\.(?:json|csv)"
)
"""Members for people to read; importing ignores them."""

ENCRYPTED = 0x1


class Archive:
    """A full archive whose directory and manifest agree. Hashes are compared while members are
    read: one that was read to its end without an error is intact."""

    def __init__(self, opened: zipfile.ZipFile, manifest: Manifest) -> None:
        self._zip = opened
        self.manifest = manifest

    @property
    def files(self) -> Iterator[tuple[Area, str]]:
        """Yields area and SHA-256 of every stored file in it."""
        for name in self.manifest.members:
            match = _FILE.fullmatch(name)
            if match is not None:
                yield _AREAS[match[1]], match[2]

    def lines(self, table: str) -> Iterator[bytes]:
        """Yields the rows of a table as lines; none if the archive's version lacks the table."""
        name = f"tables/{table}.jsonl"
        if name not in self.manifest.members:
            return
        digest = hashlib.sha256()
        with self._opened(name) as stream:
            while line := stream.readline(LINE_BYTES + 1):
                if len(line) > LINE_BYTES:
                    raise _corrupt(f"{name} has a line of more than {LINE_BYTES} bytes")
                digest.update(line)
                yield line
        self._compare(name, digest.hexdigest())

    def store_file(self, storage: Storage, area: Area, sha256: str) -> None:
        """Copies a file to the store; one with a wrong hash leaves nothing behind."""
        name = f"files/{FILE_AREAS[area]}/{sha256}"
        if self.manifest.members[name].sha256 != sha256:
            raise _corrupt(f"{name} has another hash in the manifest than in its name")
        writer, digest = storage.writer(area), hashlib.sha256()
        try:
            with self._opened(name) as stream:
                while piece := stream.read(PIECE):
                    digest.update(piece)
                    writer.write(piece)
            self._compare(name, digest.hexdigest())
            writer.finish()
        finally:
            writer.abort()

    @contextmanager
    def _opened(self, name: str) -> Iterator[IO[bytes]]:
        try:
            with self._zip.open(name) as stream:
                yield stream
        except (zipfile.BadZipFile, zlib.error, EOFError) as error:
            raise _corrupt(f"{name} cannot be read: {error}") from None

    def _compare(self, name: str, sha256: str) -> None:
        if self.manifest.members[name].sha256 != sha256:
            raise _corrupt(f"{name} has other bytes than the manifest says")


@contextmanager
def opened(path: Path) -> Iterator[Archive]:
    """Opens a full archive. Raises `InvalidInput`: `archive-corrupt`, `archive-too-new`, or
    `archive-not-full` for an archive without secrets, which cannot be imported."""
    # Opened here, so that it is closed even if the reader stops in the middle of a member.
    with path.open("rb") as file:
        try:
            found = zipfile.ZipFile(file)
        except (zipfile.BadZipFile, ValueError):
            raise _corrupt("it is not a whole ZIP file") from None
        entries = _entries(found)
        manifest = _manifest(found, entries)
        _agree(entries, manifest)
        yield Archive(found, manifest)


def _entries(found: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    entries: dict[str, zipfile.ZipInfo] = {}
    deflated = 0
    for entry in found.infolist():
        if entry.filename in entries:
            raise _corrupt(f"it holds {entry.filename[:80]!r} twice")
        entries[entry.filename] = entry
        if not _is_known(entry.filename):
            raise _corrupt(f"it holds the unknown member {entry.filename[:80]!r}")
        if entry.flag_bits & ENCRYPTED or stat.S_ISLNK(entry.external_attr >> 16):
            raise _corrupt(f"{entry.filename} is encrypted or a link")
        is_stored = entry.compress_type == zipfile.ZIP_STORED
        if not is_stored:
            deflated += entry.file_size
        is_allowed = is_stored or entry.compress_type == zipfile.ZIP_DEFLATED
        if not is_allowed or (_FILE.fullmatch(entry.filename) and not is_stored):
            raise _corrupt(f"{entry.filename} is compressed in a way that archives are not")
        if is_stored and entry.file_size != entry.compress_size:
            raise _corrupt(f"{entry.filename} has two sizes")
    if deflated > TABLE_BYTES:
        raise _corrupt("its rows would take more room than any competition's")
    return entries


def _is_known(name: str) -> bool:
    if name == MANIFEST or _DOCUMENT.fullmatch(name) or _FILE.fullmatch(name):
        return True
    return name.startswith("tables/") and name[7:].removesuffix(".jsonl") in BY_NAME


def _manifest(found: zipfile.ZipFile, entries: dict[str, zipfile.ZipInfo]) -> Manifest:
    if MANIFEST not in entries or entries[MANIFEST].file_size > MANIFEST_BYTES:
        raise _corrupt("it has no manifest")
    try:
        manifest = Manifest.model_validate_json(found.read(MANIFEST), strict=True)
    except (ValidationError, zipfile.BadZipFile, zlib.error, EOFError):
        raise _corrupt("its manifest is not one") from None
    if manifest.version > FORMAT_VERSION:
        raise InvalidInput(
            "A newer version of Podium made this archive. Update this installation first.",
            code=ErrorCode.ARCHIVE_TOO_NEW,
        )
    if not manifest.full:
        raise InvalidInput(
            "This archive was made without the ground truth, for people to read. Only a full one"
            " (`full=true` or --full, for the administrator) can be imported.",
            code=ErrorCode.ARCHIVE_NOT_FULL,
        )
    return manifest


def _agree(entries: dict[str, zipfile.ZipInfo], manifest: Manifest) -> None:
    if entries.keys() - {MANIFEST} != manifest.members.keys():
        raise _corrupt("its manifest names other members than it holds")
    for name, member in manifest.members.items():
        if entries[name].file_size != member.bytes:
            raise _corrupt(f"{name} is not as long as the manifest says")


def _corrupt(why: str) -> InvalidInput:
    return InvalidInput(f"This is not a good archive: {why}.", code=ErrorCode.ARCHIVE_CORRUPT)
