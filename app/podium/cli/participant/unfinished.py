"""Unfinished uploads that the same command resumes: a small file in the user's state folder. Losing
it costs uploading a file again from its beginning."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, MutableMapping
from contextlib import suppress
from pathlib import Path

from podium.client.uploads import RESUMABLE_BYTES

MAX_UPLOADS = 50
"""Uploads that are remembered; a server deletes them after a day anyway."""


class RememberedUploads(MutableMapping[str, str]):
    """Ids of uploads by server and hash of the file; every access reads or writes the file."""

    def __getitem__(self, key: str) -> str:
        return _read()[key]

    def __setitem__(self, key: str, upload_id: str) -> None:
        known = _read()
        known.pop(key, None)
        _write({**known, key: upload_id})

    def __delitem__(self, key: str) -> None:
        known = _read()
        del known[key]
        _write(known)

    def __iter__(self) -> Iterator[str]:
        return iter(_read())

    def __len__(self) -> int:
        return len(_read())


def interruption_message(file: Path) -> str:
    """Returns the sentence after Ctrl-C during an upload."""
    is_large = file.stat().st_size > RESUMABLE_BYTES
    what = "the upload resumes from here" if is_large else "it sends the file from its beginning"
    return f"Stopped. Run the same command again: {what}."


def _path() -> Path:
    from platformdirs import user_state_path

    return user_state_path("podium") / "uploads.json"


def _read() -> dict[str, str]:
    try:
        known = json.loads(_path().read_text())
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}


def _write(known: dict[str, str]) -> None:
    path = _path()
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        partial = path.with_suffix(f".{os.getpid()}.part")
        partial.write_text(json.dumps(dict(list(known.items())[-MAX_UPLOADS:])))
        partial.replace(path)
