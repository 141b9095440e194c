"""Parses the layout of a zip archive strictly: every byte must have exactly one meaning.

Two programs that read the same archive differently are the root of most attacks with zip files, so
anything ambiguous is refused: bytes before, between or after the members, two directories, sizes
that disagree. Format: PKWARE's APPNOTE.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import BinaryIO

from podium.scoring.problems import Code, FileRejected

MAX_DIRECTORY_BYTES = 1 << 20

_END = struct.Struct("<4s4H2LH")
_ENTRY = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")
_DESCRIBED = 1 << 3  # sizes follow the data, because they were not known before
_ENCRYPTED = 1 << 0 | 1 << 6 | 1 << 13
_PATCHED = 1 << 5
_ZIP64_EXTRA = 1
_FULL = 0xFFFFFFFF  # "see the zip64 field"
_LONGEST_COMMENT = 0xFFFF


@dataclass(frozen=True, slots=True)
class ZipMember:
    """One entry of the directory. `offset` is where its local header begins."""

    name: bytes
    flags: int
    method: int
    crc: int
    packed_size: int
    size: int
    offset: int
    mode: int

    @property
    def encrypted(self) -> bool:
        """True where the data, or the directory, cannot be read without a password."""
        return bool(self.flags & _ENCRYPTED) or self.method == 99

    @property
    def patched(self) -> bool:
        """True where the data is a patch of another file."""
        return bool(self.flags & _PATCHED)


def read_directory(file: BinaryIO, size: int) -> tuple[list[ZipMember], int]:
    """Reads the members, and the offset of the directory, from the end of a file of `size`
    bytes."""
    start = max(0, size - _END.size - _LONGEST_COMMENT)
    file.seek(start)
    tail = file.read()
    place = tail.rfind(b"PK\x05\x06")
    if place < 0:
        raise _truncated()
    if len(tail) - place < _END.size:
        raise _truncated()
    record = _END.unpack_from(tail, place)
    _, disk, first_disk, here, count, length, offset, comment = record
    if len(tail) - place != _END.size + comment:
        raise corrupt("bytes follow its end")
    if disk or first_disk or here != count:
        raise corrupt("it is one part of several")
    if offset + length != start + place:
        raise corrupt("its directory is not where its end says")
    if length > MAX_DIRECTORY_BYTES:
        raise FileRejected.because(Code.ARCHIVE_MEMBERS, "the zip file has too many members")
    file.seek(offset)
    return _entries(file.read(length), count), offset


def _entries(directory: bytes, count: int) -> list[ZipMember]:
    members = []
    position = 0
    for _ in range(count):
        if directory[position : position + 4] != b"PK\x01\x02":
            raise corrupt("its directory is damaged")
        if len(directory) - position < _ENTRY.size:
            raise corrupt("its directory is damaged")
        entry = _ENTRY.unpack_from(directory, position)
        name_end = position + _ENTRY.size + entry[10]
        extra_end = name_end + entry[11]
        name = directory[position + _ENTRY.size : name_end]
        extra = directory[name_end:extra_end]
        position = extra_end + entry[12]
        if position > len(directory) or entry[13]:
            raise corrupt("its directory is damaged")
        size, packed_size, offset = _wide((entry[9], entry[8], entry[16]), extra)
        # Only Unix (3) and macOS (19) store the type of a file beside its attributes.
        mode = entry[15] >> 16 if entry[1] >> 8 in (3, 19) else 0
        members.append(
            ZipMember(name, entry[3], entry[4], entry[7], packed_size, size, offset, mode)
        )
    if position != len(directory):
        raise corrupt("its directory is longer than its members")
    return members


def read_local(file: BinaryIO, member: ZipMember, data_end: int) -> int:
    """Finds the offset of a member's data, after checking its local header against the directory.

    `data_end` is the offset of the next thing in the file; the data, and the descriptor that may
    follow it, must fill the space up to there.
    """
    file.seek(member.offset)
    head = file.read(_LOCAL.size)
    if len(head) < _LOCAL.size or head[:4] != b"PK\x03\x04":
        raise corrupt("a member is not where the directory says")
    _, _, flags, method, _, _, crc, packed_size, size, name_length, extra_length = _LOCAL.unpack(
        head
    )
    name, extra = file.read(name_length), file.read(extra_length)
    if len(name) + len(extra) < name_length + extra_length:
        raise corrupt("a member's header is cut off")
    start = file.tell()
    size, packed_size = _wide((size, packed_size), extra)
    described = flags & _DESCRIBED
    unknown = described and (crc, packed_size, size) == (0, 0, 0)
    stated = (crc, packed_size, size) == (member.crc, member.packed_size, member.size)
    if (name, flags, method) != (member.name, member.flags, member.method):
        raise corrupt("a member's header and the directory disagree")
    if not stated and not unknown:
        raise corrupt("a member's sizes and the directory disagree")
    file.seek(start + member.packed_size)
    rest = data_end - start - member.packed_size
    if rest < 0:
        raise corrupt("its members overlap")
    if not _is_descriptor(file.read(min(rest, 25)), member, bool(described)):
        raise corrupt("bytes stand between its members")
    return start


def _is_descriptor(rest: bytes, member: ZipMember, described: bool) -> bool:
    """True where the bytes after the data are valid: none, or a descriptor with checksum and
    sizes."""
    if not described:
        return rest == b""
    values = (member.crc, member.packed_size, member.size)
    if max(values) > _FULL:
        forms = [struct.pack("<LQQ", *values)]
    else:
        forms = [struct.pack("<3L", *values), struct.pack("<LQQ", *values)]
    return rest.removeprefix(b"PK\x07\x08") in forms or rest in forms


def _wide(values: tuple[int, ...], extra: bytes) -> tuple[int, ...]:
    """Replaces sizes that did not fit in 32 bits by those of the zip64 field, and only those."""
    wanted = sum(value == _FULL for value in values)
    found = None
    while extra:
        if len(extra) < 4:
            raise corrupt("an extra field is damaged")
        kind, length = struct.unpack_from("<2H", extra)
        body, extra = extra[4 : 4 + length], extra[4 + length :]
        if len(body) != length or (kind == _ZIP64_EXTRA and found is not None):
            raise corrupt("an extra field is damaged")
        if kind == _ZIP64_EXTRA:
            found = body
    if len(found or b"") != 8 * wanted:
        raise corrupt("its zip64 sizes are ambiguous")
    wide = iter(struct.unpack(f"<{wanted}Q", found or b""))
    return tuple(next(wide) if value == _FULL else value for value in values)


def corrupt(reason: str) -> FileRejected:
    """Builds the rejection of an archive that is damaged or ambiguous."""
    return FileRejected.because(
        Code.ARCHIVE_CORRUPT,
        f"the zip file is damaged or ambiguous: {reason}",
        hint="Make a new zip file with nothing but the CSV in it, or use gzip.",
    )


def _truncated() -> FileRejected:
    detail = "the zip file has no end: a part of it is missing"
    return FileRejected.because(Code.ARCHIVE_TRUNCATED, detail, hint="Send all of it.")
