"""A text in each of the containers that a submission may come in."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile
from collections.abc import Callable

from podium.zstd_library import zstd


def _zipped(text: bytes, *, has_litter: bool = False) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        if has_litter:
            file.writestr("folder/", b"")
            file.writestr("folder/.DS_Store", b"\0\0\0\1Bud1")
        file.writestr("submission.csv", text)
        if has_litter:
            file.writestr("__MACOSX/folder/._submission.csv", b"\0\5\x16\7")
    return archive.getvalue()


def _as_finder_does(text: bytes) -> bytes:
    return _zipped(text, has_litter=True)


PACKED: dict[str, Callable[[bytes], bytes]] = {
    "csv": bytes,
    "gzip": gzip.compress,
    "zstd": zstd.compress,
    "zip": _zipped,
}

FURTHER: dict[str, Callable[[bytes], bytes]] = {
    "xz": lzma.compress,
    "bzip2": bz2.compress,
    "zip of macOS": _as_finder_does,
}
"""Those of the form `containers`."""
