"""Parquet footers put together by hand, in Thrift's compact protocol, so that they can lie."""

from __future__ import annotations

import struct
from typing import Any


def number(value: int) -> bytes:
    """An unsigned number, seven bits a byte."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def zigzag(value: int) -> bytes:
    """A signed number of 64 bits."""
    return number((value << 1 ^ value >> 63) & (1 << 64) - 1)


def encoded(value: Any) -> tuple[int, bytes]:
    """Kind and bytes of an int, bytes, list (of one kind), or dict (a struct by field number)."""
    if isinstance(value, int):
        return 6, zigzag(value)
    if isinstance(value, bytes):
        return 8, number(len(value)) + value
    if isinstance(value, list):
        parts = [encoded(item) for item in value]
        kind = parts[0][0] if parts else 12
        head = bytes([len(parts) << 4 | kind] if len(parts) < 15 else [0xF0 | kind])
        size = b"" if len(parts) < 15 else number(len(parts))
        return 9, head + size + b"".join(part for _, part in parts)
    out, last = b"", 0
    for field, item in sorted(value.items()):
        kind, part = encoded(item)
        gap = field - last
        out += (bytes([gap << 4 | kind]) if gap < 16 else bytes([kind]) + zigzag(field)) + part
        last = field
    return 12, out + b"\0"


def chunk(codec: int = 6, values: int = 9, size: int = 100) -> dict[int, Any]:
    """A column chunk of a row group."""
    return {3: {4: codec, 5: values, 6: size, 7: size}}


def metadata(names: list[bytes], groups: list[tuple[int, list[Any]]], rows: int) -> dict[int, Any]:
    """The footer of a flat table; `groups` are rows and chunks."""
    schema = [{4: b"root", 5: len(names)}, *({1: 6, 4: name} for name in names)]
    return {1: 2, 2: schema, 3: rows, 4: [{1: chunks, 2: 100, 3: n} for n, chunks in groups]}


def parquet(footer: dict[int, Any], content: bytes = b"\x15\0" * 50) -> bytes:
    """A file with this footer."""
    raw = encoded(footer)[1]
    return b"PAR1" + content + raw + struct.pack("<L", len(raw)) + b"PAR1"
