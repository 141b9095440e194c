"""Archives and Parquet files that a participant can send, by the rows of the catalogue."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
from typing import Any

import polars as pl

from tests.builders.access.catalogue import GOOD, IDS, LINES, MEBIBYTE
from tests.builders.scoring.parquet.thrift import chunk, metadata, parquet
from tests.builders.scoring.zips import Entry, archive, deflated
from tests.builders.zstd import CHECKED, zstd

GZIP = gzip.compress(GOOD, mtime=0)
ZSTD = zstd.compress(GOOD, options=CHECKED)
DICTIONARY = zstd.ZstdDict(GOOD, is_raw=True)
NAMES = [b"session_type", b"labels"]
MANY = 300_000_000
MEMBER = Entry(GOOD)


def parquet_of(frame: pl.DataFrame, **options: Any) -> bytes:
    """The file of a table."""
    file = io.BytesIO()
    frame.write_parquet(file, **options)
    return file.getvalue()


def flipped(content: bytes, place: int) -> bytes:
    """The content with one bit turned over."""
    return content[:place] + bytes([content[place] ^ 4]) + content[place + 1 :]


STREAMS = {
    "Z1 gzip": GZIP,
    "Z1 two members": gzip.compress(GOOD[:999], mtime=0) + gzip.compress(GOOD[999:], mtime=0),
    "Z3 gzip, cut by one": GZIP[:-1],
    "Z3 gzip, half": GZIP[: len(GZIP) // 2],
    "Z3 gzip, its head": GZIP[:10],
    "Z4 gzip, wrong CRC": GZIP[:-8] + bytes(4) + GZIP[-4:],
    "Z4 gzip, wrong length": GZIP[:-4] + bytes(4),
    "Z5 gzip and more": GZIP + b"more",
    "Z8 gzip with a name": GZIP[:3] + b"\x08" + GZIP[4:10] + b"../../x\0" + GZIP[10:],
    "Z9 gzip bomb": gzip.compress(b"\n" * (8 * MEBIBYTE), mtime=0),
    "Z10 gzip of commas": gzip.compress(b"," * (8 * MEBIBYTE), mtime=0),
    "zstd": ZSTD,
    "Z12 zstd, cut": ZSTD[:-3],
    "Z12 zstd, half": ZSTD[: len(ZSTD) // 2],
    "Z13 zstd and more": ZSTD + b"more",
    "Z15 zstd bomb": zstd.compress(b"\n" * (8 * MEBIBYTE)),
    "Z16 zstd with a dictionary": zstd.compress(GOOD, zstd_dict=DICTIONARY),
}
"""Containers of one file."""

ARCHIVES = {
    "Z17 zip": archive(MEMBER),
    "Z19 zip, encrypted": archive(Entry(GOOD, local={"flags": 1}, central={"flags": 1})),
    "Z19 zip, LZMA": archive(Entry(GOOD, method=14, packed=lzma.compress(GOOD))),
    "Z20 zip, another folder": archive(Entry(GOOD, name=b"../../etc/x.csv")),
    "Z20 zip, a link": archive(Entry(b"/etc/passwd", central={"mode": 0o120777})),
    "Z20 zip, two files": archive(MEMBER, Entry(GOOD, name=b"y.csv")),
    "Z22 zip bomb": archive(Entry(b"\n" * (8 * MEBIBYTE))),
    "Z22 zip, overlapping": archive(MEMBER, Entry(GOOD, central={"offset": 0})),
    "Z23 zip, prefix": archive(MEMBER, prefix=b"MZ" + bytes(98)),
    "Z23 zip, names differ": archive(Entry(GOOD, central={"name": b"y.csv"})),
    "Z23 zip, sizes differ": archive(Entry(GOOD, central={"size": 5})),
    "Z25 7z": b"7z\xbc\xaf\x27\x1c" + bytes(100),
    "Z25 xz": lzma.compress(GOOD),
    "Z25 bzip2": bz2.compress(GOOD),
    "Z25 gzip in gzip": gzip.compress(GZIP, mtime=0),
    "Z25 zip in zip": archive(Entry(archive(MEMBER))),
    "deflated only": deflated(GOOD),
}
"""Containers that may hold several files, or are not supported."""

LABELS = [line.strip().decode().split(",")[1] for line in LINES[1:]]
FRAME = pl.DataFrame({"session_type": IDS, "labels": LABELS})
PARQUET = parquet_of(FRAME)

TABLES = {
    "P1 strings": PARQUET,
    "P2 lists": parquet_of(FRAME.with_columns(pl.col("labels").str.split(" ").cast(pl.List(int)))),
    "P4 encrypted": b"PARE" + bytes(50) + struct.pack("<L", 20) + b"PARE",
    "P5 many rows": parquet(metadata(NAMES, [(MANY, [chunk()])], MANY)),
    "P7 categories": parquet_of(FRAME.cast(pl.Categorical)),
    "P8 more than memory": parquet(metadata(NAMES, [(9, [chunk(values=1 << 30)])], 9)),
    "P9 many columns": parquet(metadata([b"c"] * 10_000, [], 0)),
    "P10 a column missing": parquet_of(FRAME.drop("labels")),
    "P10 another name": parquet_of(FRAME.rename({"labels": "label"})),
    "P13 floats": parquet_of(FRAME.with_columns(labels=pl.lit(5.0))),
    "P14 gzip": parquet_of(FRAME, compression="gzip"),
    "P14 a codec of nobody": parquet(metadata(NAMES, [(9, [chunk(codec=99)])], 9)),
    "P15 flipped in a page": flipped(PARQUET, 40),
    "P16 flipped in the footer": flipped(PARQUET, len(PARQUET) - 60),
    "P16 cut": PARQUET[:-9],
    "P18 Arrow": b"ARROW1\0\0\xff\xff",
    "ids missing": parquet_of(FRAME.head(120)),
    "labels missing": parquet_of(FRAME.with_columns(labels=pl.lit(None, dtype=pl.String))),
    "text as numbers": parquet_of(FRAME.with_columns(labels=pl.lit("x"))),
}
