"""Facts about an upload in the head of a request."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fastapi import Request

from podium.errors import BadRequest
from podium.errors.codes import ErrorCode, OurCode
from podium.submissions.rules import INCONSISTENT_LENGTH

_NUMBER = re.compile(r"\d{1,15}")

_PAIR = re.compile(r"[!-+\--~]+(?: [A-Za-z0-9+/]*={0,2})?")
"""One pair of `Upload-Metadata`: a name, and perhaps a value in base64."""

MAX_METADATA = 4096
"""The most characters of `Upload-Metadata`."""


@dataclass(frozen=True, slots=True)
class UploadHead:
    """The file as the head of a request describes it: its length in bytes, where it does, whether
    it ends with this body, the bytes of the body, where they are given, and what tus says beside
    it."""

    length: int | None
    is_last: bool
    body_bytes: int | None
    metadata: str | None

    @property
    def has_body(self) -> bool:
        """False if nothing comes after the head."""
        return self.body_bytes != 0

    @classmethod
    def of(cls, request: Request, *, offset: int) -> UploadHead:
        """Raises `BadRequest` (`bad-upload-length`, `bad-upload-complete`, `bad-upload-metadata`,
        `bad-digest`)."""
        _refuse_checksum(request)
        complete = request.headers.get("upload-complete", "?0").strip()
        if complete not in ("?0", "?1"):
            raise BadRequest("Upload-Complete is ?1 or ?0.", code=ErrorCode.BAD_UPLOAD_COMPLETE)
        is_last = complete == "?1"
        length = _number(request, "upload-length", ErrorCode.BAD_UPLOAD_LENGTH)
        is_chunked = "transfer-encoding" in request.headers
        body_bytes = None if is_chunked else int(request.headers.get("content-length", "0"))
        if is_last and body_bytes is not None:
            end = offset + body_bytes
            if length not in (None, end):
                raise BadRequest(
                    f"The file would end at {end}, and Upload-Length is {length}.",
                    code=ErrorCode.BAD_UPLOAD_LENGTH,
                    type=INCONSISTENT_LENGTH,
                )
            length = end
        return cls(length, is_last, body_bytes, _metadata(request))


def offset_of(request: Request) -> int:
    """From where on a request appends. Raises `BadRequest` (`bad-upload-offset`)."""
    offset = _number(request, "upload-offset", ErrorCode.BAD_UPLOAD_OFFSET)
    if offset is None:
        raise BadRequest("Say from where on: Upload-Offset.", code=ErrorCode.BAD_UPLOAD_OFFSET)
    return offset


def _number(request: Request, name: str, code: OurCode) -> int | None:
    text = request.headers.get(name)
    if text is None:
        return None
    if not _NUMBER.fullmatch(text.strip()):
        raise BadRequest(f"{name.title()} is a number of bytes.", code=code)
    return int(text)


def _metadata(request: Request) -> str | None:
    given = request.headers.get("upload-metadata")
    if not given:
        return None
    if len(given) > MAX_METADATA or not all(
        _PAIR.fullmatch(pair.strip()) for pair in given.split(",")
    ):
        raise BadRequest(
            "Upload-Metadata is pairs of a name and a value in base64, and has at most"
            f" {MAX_METADATA} characters.",
            code=ErrorCode.BAD_UPLOAD_METADATA,
        )
    return given


def _refuse_checksum(request: Request) -> None:
    """Silence would let the client believe that the bytes had been compared."""
    if "upload-checksum" in request.headers:
        raise BadRequest(
            "Upload-Checksum is not compared here. Send Content-Digest, or neither.",
            code=ErrorCode.BAD_DIGEST,
        )
