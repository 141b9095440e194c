"""Detects unsupported formats of files by their first bytes, with advice on converting them."""

from __future__ import annotations

import re
from typing import NamedTuple


class Foreign(NamedTuple):
    """An unsupported format, and advice on how to convert a file of it."""

    name: str
    advice: str


def foreign_kind(head: bytes) -> Foreign | None:
    """Detects an unsupported format by the first bytes of a file; None for any other."""
    for pattern, kind in KINDS.items():
        if re.match(pattern, head, re.DOTALL):
            return kind
    return None


def _unpacked(name: str, command: str) -> Foreign:
    return Foreign(name, f"`{command} FILE` unpacks it")


def _frame(name: str, read: str) -> Foreign:
    return Foreign(name, f'with pandas, `pd.{read}("FILE").to_parquet("FILE.parquet")`')


XZ, BZIP2 = _unpacked("xz", "xz -dk"), _unpacked("bzip2", "bunzip2 -k")
"""The formats that are read where a task takes them."""

KINDS = {
    rb"\xfd7zXZ\x00": XZ,
    rb"BZh[1-9](1AY&SY|\x17rE8P\x90)": BZIP2,
    rb"7z\xbc\xaf\x27\x1c": _unpacked("7z", "7z x"),
    rb"Rar!\x1a\x07": _unpacked("rar", "unrar x"),
    rb".{257}ustar": _unpacked("tar", "tar xf"),
    rb"ARROW1\x00\x00": _frame("Arrow IPC", "read_feather"),
    rb"FEA1[\x00-\x1f]": _frame("Feather", "read_feather"),
    rb"ORC[\x00-\x1f]": _frame("ORC", "read_orc"),
    rb"Obj\x01": Foreign("Avro", "export its rows"),
    rb"\x04\x22\x4d\x18": _unpacked("lz4", "lz4 -dk"),
    rb"\xff\x06\x00\x00sNaPpY": _unpacked("snappy", "snzip -dk"),
    rb"LZIP\x01": _unpacked("lzip", "lzip -dk"),
    rb"\x1f[\x9d\xa0]": _unpacked("compress (.Z)", "uncompress"),
    rb"\x89HDF\r\n\x1a\n": _frame("HDF5", "read_hdf"),
    rb"\x93NUMPY": Foreign("NumPy", "write its rows with pandas, `index=False`"),
    rb"SQLite format 3\x00": Foreign("SQLite", "`sqlite3 -csv -header FILE 'SELECT …'` prints one"),
    rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": Foreign(
        "an old Excel or Word file", "save its sheet as CSV (UTF-8)"
    ),
    rb"MSCF\x00": _unpacked("cab", "cabextract"),
}
"""Unsupported formats, by patterns of their first bytes."""
