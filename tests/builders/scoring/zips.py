"""Zip archives put together by hand, field by field, so that every field can lie."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass, field
from typing import Any


def deflated(text: bytes) -> bytes:
    """A raw deflate stream."""
    stream = zlib.compressobj(9, zlib.DEFLATED, -15)
    return stream.compress(text) + stream.flush()


@dataclass
class Entry:
    """A member; `local` and `central` overwrite fields of the two headers by name."""

    text: bytes
    name: bytes = b"x.csv"
    method: int = 8
    packed: bytes | None = None
    after: bytes = b""  # what stands right after the data
    local: dict[str, Any] = field(default_factory=dict)
    central: dict[str, Any] = field(default_factory=dict)

    @property
    def stored(self) -> bytes:
        """The data as it stands in the archive."""
        if self.packed is not None:
            return self.packed
        return deflated(self.text) if self.method == 8 else self.text

    def _values(self, changes: dict[str, Any]) -> dict[str, Any]:
        return {
            "flags": 0,
            "method": self.method,
            "crc": zlib.crc32(self.text),
            "packed_size": len(self.stored),
            "size": len(self.text),
            "name": self.name,
            "extra": b"",
            "mode": 0o100644,
            "made_by": 3,
            "comment": b"",
            "disk": 0,
            **changes,
        }

    def local_part(self) -> bytes:
        """Local header, data, and what follows it."""
        v = self._values(self.local)
        head = struct.pack(
            "<4s5H3L2H", b"PK\x03\x04", 20, v["flags"], v["method"], 0, 33, v["crc"],
            v["packed_size"], v["size"], len(v["name"]), len(v["extra"]),
        )  # fmt: skip
        return b"".join((head, v["name"], v["extra"], self.stored, self.after))

    def central_part(self, offset: int) -> bytes:
        """The entry of the directory."""
        v = {"offset": offset, **self._values(self.central)}
        head = struct.pack(
            "<4s6H3L5H2L", b"PK\x01\x02", v["made_by"] << 8 | 20, 20, v["flags"], v["method"], 0,
            33, v["crc"], v["packed_size"], v["size"], len(v["name"]), len(v["extra"]),
            len(v["comment"]), v["disk"], 0, v["mode"] << 16, v["offset"],
        )  # fmt: skip
        return b"".join((head, v["name"], v["extra"], v["comment"]))


def end_record(**changes: Any) -> bytes:
    """The record that ends an archive."""
    v = {"disk": 0, "first_disk": 0, "here": 1, "count": 1, "comment": b"", **changes}
    record = struct.pack(
        "<4s4H2LH", b"PK\x05\x06", v["disk"], v["first_disk"], v["here"], v["count"],
        v["length"], v["offset"], len(v["comment"]),
    )  # fmt: skip
    return b"".join((record, v["comment"]))


def archive(
    *entries: Entry, prefix: bytes = b"", gap: bytes = b"", before_end: bytes = b"", **end: Any
) -> bytes:
    """The archive of these members: `prefix` stands before them, with all offsets moved by it,
    `gap` before the directory; `end` changes the last record."""
    locals_, offsets = prefix, []
    for entry in entries:
        offsets.append(len(locals_))
        locals_ += entry.local_part()
    locals_ += gap
    directory = b"".join(e.central_part(o) for e, o in zip(entries, offsets, strict=True))
    values = {"here": len(entries), "count": len(entries), "length": len(directory)}
    record = end_record(**{**values, "offset": len(locals_), **end})
    return locals_ + directory + before_end + record
