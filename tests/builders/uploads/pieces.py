"""Uploads in pieces, as tests make them."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

from podium.core.models import Competition, Upload
from podium.storage import Area
from tests.builders.uploads.stage import Stage

FILE = bytes(range(256)) * 40
HALF = len(FILE) // 2


def start(stage: Stage, body: bytes = b"", **headers: str) -> Any:
    """Starts an upload."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return stage.server.request("POST", "/uploads", stage.token, content=body, headers=named)


def append(stage: Stage, upload: str, offset: int, body: bytes, **headers: str) -> Any:
    """Appends to one."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return stage.server.request(
        "PATCH",
        f"/uploads/{upload}",
        stage.token,
        content=body,
        headers={"Upload-Offset": str(offset), **named},
    )


def begun(stage: Stage, body: bytes = b"", length: int = len(FILE)) -> str:
    """The id of a new upload that holds these bytes."""
    answer = start(stage, body, Upload_Length=str(length))
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def submit(stage: Stage, upload: str, token: str | None = None, **given: Any) -> Any:
    """Makes a submission of an upload."""
    headers = given.pop("headers", {})
    return stage.server.request(
        "POST",
        "/competitions/otto/submissions",
        token or stage.token,
        json={"upload_id": upload, **given},
        headers=headers,
    )


def how_far(stage: Stage, upload: str) -> tuple[str, str, str | None]:
    """Offset, completeness and length, as the headers say them."""
    answer = stage.server.request("HEAD", f"/uploads/{upload}", stage.token)
    assert answer.status_code == 200, answer.status_code
    headers = answer.headers
    return headers["upload-offset"], headers["upload-complete"], headers.get("upload-length")


def stored_pieces(stage: Stage) -> int:
    """The number of files of pieces."""
    root = stage.server.application.settings.data_dir / "storage" / Area.UPLOADS
    return sum(path.is_file() for path in root.rglob("*"))


def sent_bytes(stage: Stage, submission: str) -> bytes:
    """The submitted bytes as the server answers them."""
    answer = stage.server.request("GET", f"/submissions/{submission}/file", stage.token)
    return bytes(answer.content)


def digest_of(content: bytes) -> str:
    """The `Content-Digest` of these bytes."""
    return f"sha-256=:{base64.b64encode(hashlib.sha256(content).digest()).decode()}:"


def patch_head(stage: Stage, upload: str, length: int) -> bytes:
    """The head of a request that appends from the beginning on."""
    lines = ("Upload-Offset: 0", f"Content-Length: {length}")
    head = stage.server.head(stage.token, *lines, path=f"/api/v1/uploads/{upload}")
    return head.replace(b"POST", b"PATCH", 1)


def is_held(stage: Stage, upload: str) -> bool:
    """True if a request has begun to append to it, before anything of its body is kept."""
    with stage.server.application.database.read() as session:
        return session.get_one(Upload, upload).holder is not None


def change(stage: Stage, **settings: Any) -> None:
    """Other settings for the competition."""
    with stage.server.application.database.write() as session:
        row = session.get_one(Competition, stage.competition.id)
        row.settings = row.settings | settings
