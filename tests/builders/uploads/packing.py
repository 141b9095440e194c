"""A text in each of the containers that a submission may come in."""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Callable

from podium.zstd_library import zstd


def _zipped(text: bytes) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("submission.csv", text)
    return archive.getvalue()


PACKED: dict[str, Callable[[bytes], bytes]] = {
    "csv": bytes,
    "gzip": gzip.compress,
    "zstd": zstd.compress,
    "zip": _zipped,
}
