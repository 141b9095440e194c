"""Decompresses a zip archive that holds exactly one regular file, stored or deflated; beside it may
stand litter, the folders and files of systems that no person puts there.

No file is ever written under a name from the archive.
"""

from __future__ import annotations

import os
import stat
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from isal.isal_zlib import crc32

from podium.scoring.containers.inflating import (
    DEFLATE,
    INPUT_BYTES,
    PIECE_BYTES,
    FallBack,
    decided_by_zlib,
    one_stream,
)
from podium.scoring.containers.zip_layout import ZipMember, corrupt, read_directory, read_local
from podium.scoring.problems import Code, FileRejected, quoted

_STORED, _DEFLATED = 0, 8
_METHODS = {
    1: "Shrink",
    6: "Implode",
    9: "Deflate64",
    12: "BZip2",
    14: "LZMA",
    93: "Zstandard",
    95: "XZ",
    98: "PPMd",
}
EXPORT_AS_CSV = "Export the table as CSV (in Google Sheets: File, Download, CSV)."
"""Advice on how to convert a spreadsheet to a supported file."""

_OFFICE = frozenset({b"[Content_Types].xml", b"mimetype"})
"""Members that identify spreadsheets, those of Microsoft and of OpenDocument."""


_LITTER_FOLDER = b"__MACOSX"
_LITTER = frozenset({b".DS_Store", b"Thumbs.db", b"desktop.ini"})


def zip_pieces(path: Path, *, may_have_litter: bool = False) -> Iterator[bytes]:
    """Yields the text of the only member, perhaps beside litter, in pieces of at most 1 MiB, with
    its size and CRC checked."""
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        members, directory = read_directory(file, size)
        member, start = _only(members, file, directory, may_have_litter=may_have_litter)

        def packed() -> Iterator[bytes]:
            return _packed(file, start, member.packed_size)

        if member.method == _STORED:
            pieces = packed()
        else:
            pieces = decided_by_zlib(_inflated(packed()), lambda: _inflated_strictly(packed()))
        yield from _checked(pieces, member)


def has_litter(path: Path) -> bool:
    """True for an archive with members that are read only where there may be litter."""
    with path.open("rb") as file:
        members, _ = read_directory(file, os.fstat(file.fileno()).st_size)
    return any(map(_is_litter, members))


def _only(
    members: list[ZipMember], file: BinaryIO, directory: int, *, may_have_litter: bool
) -> tuple[ZipMember, int]:
    """Finds the one file of the archive, and the offset of its data; refuses members that are
    unreadable, hostile, or not alone."""
    if len({member.name for member in members}) < len(members):
        raise corrupt("two members have the same name")
    ordered = sorted(members, key=lambda member: member.offset)
    if ordered and ordered[0].offset:
        raise corrupt("bytes stand before its first member")
    for member in members:
        if member.name in _OFFICE:
            detail = "the file is a spreadsheet"
            raise FileRejected.because(Code.UNSUPPORTED_MEDIA_TYPE, detail, hint=EXPORT_AS_CSV)
        _check_name(member, may_be_folder=may_have_litter)
        _check_method(member)
    ends = [member.offset for member in ordered[1:]] + [directory]
    starts = {
        member: read_local(file, member, end) for member, end in zip(ordered, ends, strict=False)
    }
    found = [each for each in members if not (may_have_litter and _is_litter(each))]
    if len(found) != 1:
        names = ", ".join(quoted(member.name) for member in found[:3]) or "none at all"
        detail = f"the zip file holds {len(found)} members ({names}) instead of one CSV file"
        hint = "Put the CSV file alone into it. macOS adds hidden members; gzip does not."
        raise FileRejected.because(Code.ARCHIVE_MEMBERS, detail, hint=hint)
    return found[0], starts[found[0]]


def _is_folder(member: ZipMember) -> bool:
    return member.name.endswith(b"/") and not member.size


def _is_litter(member: ZipMember) -> bool:
    *folders, name = member.name.split(b"/")
    return _is_folder(member) or _LITTER_FOLDER in folders[:1] or name in _LITTER


def _check_name(member: ZipMember, *, may_be_folder: bool) -> None:
    name, kinds = member.name, (0, stat.S_IFREG)
    if may_be_folder and _is_folder(member):
        name, kinds = name.removesuffix(b"/"), (0, stat.S_IFDIR)
    parts = name.replace(b"\\", b"/").split(b"/")
    regular = stat.S_IFMT(member.mode) in kinds
    hostile = b".." in parts or b"" in parts or b":" in name or min(name) < 0x20
    if hostile or not regular:
        what = (
            "is not a regular file" if not regular else "has a name that is not a plain file name"
        )
        detail = f"the member {quoted(member.name)} {what}"
        hint = "Put the CSV file alone into the zip file, without its folder."
        raise FileRejected.because(Code.ARCHIVE_MEMBERS, detail, hint=hint)


def _check_method(member: ZipMember) -> None:
    if member.method in (_STORED, _DEFLATED) and not (member.encrypted or member.patched):
        return
    method = _METHODS.get(member.method, f"method {member.method}")
    reason = "is encrypted" if member.encrypted else f"is compressed by {method}"
    detail = f"the member {quoted(member.name)} {reason}"
    hint = "Use the ordinary method (Deflate) without a password."
    raise FileRejected.because(Code.ARCHIVE_UNSUPPORTED, detail, hint=hint)


def _packed(file: BinaryIO, start: int, size: int) -> Iterator[bytes]:
    file.seek(start)
    for place in range(0, size, INPUT_BYTES):
        yield file.read(min(INPUT_BYTES, size - place))


def _inflated(packed: Iterator[bytes]) -> Iterator[bytes]:
    surplus = yield from one_stream(next(packed, b""), lambda: next(packed, b""), DEFLATE)
    if surplus or any(packed):
        raise FallBack


def _inflated_strictly(packed: Iterator[bytes]) -> Iterator[bytes]:
    stream = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        for taken in packed:
            waiting, full = taken, True
            # After a full piece there may be more text although all input has been consumed.
            while not stream.eof and (waiting or full):
                piece = stream.decompress(waiting, PIECE_BYTES)
                yield piece
                waiting, full = stream.unconsumed_tail, len(piece) == PIECE_BYTES
            if stream.unused_data:
                break
    except zlib.error as wrong:
        raise corrupt(str(wrong)) from None
    if not stream.eof or stream.unused_data or any(packed):
        raise corrupt("a member's data does not end where its header says")


def _checked(pieces: Iterator[bytes], member: ZipMember) -> Iterator[bytes]:
    """Yields the pieces, and checks that size and CRC match the directory."""
    size = crc = 0
    for piece in pieces:
        size += len(piece)
        crc = crc32(piece, crc)
        if size > member.size:
            break
        yield piece
    if (size, crc) != (member.size, member.crc):
        raise corrupt("a member's size or checksum is wrong")
