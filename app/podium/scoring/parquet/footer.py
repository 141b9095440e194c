"""Reads the footer of a Parquet file without a Parquet library, so that limits are checked before
data is read.

Only what the limits need is interpreted: rows, columns, row groups, sizes, codecs, encryption.
Format: parquet.thrift in Thrift's compact protocol.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from podium.scoring.problems import Code, FileRejected

MAX_FOOTER_BYTES = 16 << 20
MAX_VALUES = 400_000
"""The most values of a footer; 5,000 row groups of two columns need fewer."""
MAX_NODES = 64
"""The default limit of nodes in the schema, including the root."""
MAX_DEPTH = 12

_BOOLEANS = {1: True, 2: False}
_BYTE, _I16, _I64, _DOUBLE, _BINARY, _LIST, _SET, _STRUCT = 3, 4, 6, 7, 8, 9, 10, 12


@dataclass(frozen=True, slots=True)
class ColumnChunk:
    """The metadata of one column of one row group."""

    codec: int
    values: int
    expanded_bytes: int


@dataclass(frozen=True, slots=True)
class Footer:
    """The metadata in a Parquet file's footer, which may be false."""

    columns: tuple[str, ...]
    rows: int
    group_rows: tuple[int, ...]
    chunks: tuple[tuple[ColumnChunk, ...], ...]


def read_footer(path: Path, *, max_nodes: int = MAX_NODES) -> Footer:
    """Reads the footer; raises `FileRejected` if the file is truncated, encrypted, damaged or
    implausible."""
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        if size < 12:
            raise corrupt("it is cut off")
        file.seek(size - 8)
        trailer = file.read(8)
        length = int.from_bytes(trailer[:4], "little")
        if trailer[4:] == b"PARE":
            raise _encrypted()
        if trailer[4:] != b"PAR1" or length > size - 12:
            raise corrupt("it is cut off")
        if length > MAX_FOOTER_BYTES:
            raise schema_refused("its footer is too large")
        file.seek(size - 8 - length)
        raw = file.read(length)
    try:
        return _interpret(_Compact(raw).struct(0), max_nodes)
    except (IndexError, KeyError, TypeError, ValueError, AttributeError):
        raise corrupt("its footer is damaged") from None


def _interpret(meta: dict[int, Any], max_nodes: int) -> Footer:
    if 8 in meta or any(8 in chunk for group in meta[4] for chunk in group[1]):
        raise _encrypted()
    nodes = meta[2]
    if len(nodes) > max_nodes:
        raise schema_refused(f"it has {len(nodes) - 1:,} columns")
    groups = meta[4]
    chunks = tuple(tuple(_chunk(chunk) for chunk in group[1]) for group in groups)
    footer = Footer(_top_level(nodes), meta[3], tuple(group[3] for group in groups), chunks)
    if min((0, *footer.group_rows)) < 0 or sum(footer.group_rows) != footer.rows:
        raise ValueError("rows do not add up")
    return footer


def _chunk(chunk: dict[int, Any]) -> ColumnChunk:
    if 1 in chunk:
        raise ValueError("the data stands in another file")
    column = chunk[3]
    if min(column[5], column[6], column[7]) < 0:
        raise ValueError("a size is negative")
    return ColumnChunk(codec=column[4], values=column[5], expanded_bytes=column[6])


def _top_level(nodes: list[dict[int, Any]]) -> tuple[str, ...]:
    """Lists the names of the root's children; the schema is a tree in depth-first order."""
    names = []
    below = 0  # nodes that still belong to the top-level column before them
    for node in nodes[1:]:
        if below:
            below -= 1
        else:
            names.append(node[4].decode())
        below += node.get(5, 0)
    if below or len(names) != nodes[0].get(5, 0):
        raise ValueError("the schema is not a tree")
    return tuple(names)


class _Compact:
    """Decodes Thrift's compact protocol: structs as dicts by field number, lists as lists."""

    def __init__(self, raw: bytes) -> None:
        self.raw = raw
        self.place = 0
        self.values = 0

    def struct(self, depth: int) -> dict[int, Any]:
        fields: dict[int, Any] = {}
        number = 0
        while head := self._byte():
            kind = head & 0x0F
            number = number + (head >> 4) if head >> 4 else self._signed()
            fields[number] = _BOOLEANS[kind] if kind in _BOOLEANS else self._value(kind, depth)
        return fields

    def _value(self, kind: int, depth: int) -> object:
        self.values += 1
        if self.values > MAX_VALUES:
            raise schema_refused("it has too many columns or row groups")
        if kind in (*_BOOLEANS, _BYTE):  # booleans inside a list take a byte
            return self._byte()
        if _I16 <= kind <= _I64:
            return self._signed()
        if kind == _DOUBLE:
            return self._take(8)
        if kind == _BINARY:
            return self._take(self._varint())
        if depth < MAX_DEPTH and kind in (_LIST, _SET):
            head = self._byte()
            count = self._varint() if head >> 4 == 15 else head >> 4
            return [self._value(head & 0x0F, depth + 1) for _ in range(count)]
        if depth < MAX_DEPTH and kind == _STRUCT:
            return self.struct(depth + 1)
        raise ValueError("a value of unknown kind")

    def _byte(self) -> int:
        self.place += 1
        return self.raw[self.place - 1]

    def _take(self, count: int) -> bytes:
        self.place += count
        if self.place > len(self.raw):
            raise IndexError(self.place)
        return self.raw[self.place - count : self.place]

    def _varint(self) -> int:
        value = shift = 0
        while shift < 70:
            byte = self._byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7
        raise ValueError("a number is too long")

    def _signed(self) -> int:
        value = self._varint()
        return (value >> 1) ^ -(value & 1)


def corrupt(reason: str) -> FileRejected:
    """Builds the rejection of a damaged Parquet file."""
    detail = f"the Parquet file is damaged: {reason}"
    return FileRejected.because(Code.PARQUET_CORRUPT, detail, hint="Write and send it again.")


def schema_refused(reason: str, hint: str | None = None) -> FileRejected:
    """Builds the rejection of a Parquet file whose schema does not fit the task."""
    detail = f"the Parquet file cannot be taken: {reason}"
    return FileRejected.because(Code.PARQUET_SCHEMA, detail, hint=hint)


def _encrypted() -> FileRejected:
    return FileRejected.because(
        Code.PARQUET_ENCRYPTED, "the Parquet file is encrypted", hint="Write it without a key."
    )
