"""`multipart/form-data` with one `file` and short texts, streamed to a writer.

For HTML forms and `curl -F`. The framework's own form parser is never used: it reads whole bodies,
to memory or a temporary disk, before the token is checked.
"""

from __future__ import annotations

from collections.abc import Collection
from email.message import Message
from typing import TYPE_CHECKING

from fastapi import Request
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser

from podium.errors import BadRequest, InvalidInput, refuse_large_file
from podium.errors.codes import ErrorCode, OurCode
from podium.storage import Writer

if TYPE_CHECKING:
    from python_multipart.multipart import MultipartCallbacks

FORM_OVERHEAD_BYTES = 64 << 10
"""Bytes allowed for boundaries, headers and the note beside the file."""

MAX_TEXT_BYTES = 4096
"""More than the longest valid note in UTF-8; a longer one need not be read to be refused."""

MAX_TYPE_CHARACTERS = 500
"""The longest `Content-Type`. Taking one apart costs the square of its length."""

CHARSETS = frozenset({"utf-8", "iso-8859-1"})
"""Character sets of `filename*`: RFC 8187 knows the first, and the RFC before it the second too."""

MAX_HEADERS = 8
MAX_HEADER_BYTES = 2048


def form_body_of(
    request: Request,
    writer: Writer,
    *,
    max_bytes: int,
    text_fields: Collection[str] = ("note",),
) -> FormBody | None:
    """Creates the parser for this request's form; None when the body is the file itself."""
    if not is_form(request):
        return None
    kind = request.headers["content-type"]
    if len(kind) > MAX_TYPE_CHARACTERS:
        raise BadRequest("The form's Content-Type is too long.", code=ErrorCode.BAD_FORM)
    boundary = _parameter(kind, "boundary")
    return FormBody(boundary, writer, max_bytes=max_bytes, text_fields=text_fields)


def is_form(request: Request) -> bool:
    """True if the request declares its body as such a form."""
    kind = request.headers.get("content-type", "")
    return kind.partition(";")[0].strip().lower() == "multipart/form-data"


class FormBody:
    """Parses a form while it arrives: `feed`, then `finish`, then the attributes.

    Raises `BadRequest` for a malformed form, `InvalidInput` for fields that are not expected and
    `TooLarge` for a file over the limit.
    """

    def __init__(
        self,
        boundary: str | None,
        writer: Writer,
        *,
        max_bytes: int,
        text_fields: Collection[str] = ("note",),
    ) -> None:
        self.filename: str | None = None
        self.file_bytes = 0
        self._text_fields = text_fields
        self._texts: dict[str, bytearray] = {}
        self._writer = writer
        self._max_bytes = max_bytes
        self._has_file = False
        self._ended = False
        self._field = ""
        self._name = bytearray()
        self._value = bytearray()
        self._headers: dict[str, str] = {}
        self._file_pieces: list[bytes] = []
        if not boundary or not boundary.isascii():
            raise BadRequest("The form's Content-Type names no boundary.", code=ErrorCode.BAD_FORM)
        try:
            self._parser = MultipartParser(
                boundary,
                self._callbacks(),
                max_header_count=MAX_HEADERS,
                max_header_size=MAX_HEADER_BYTES,
            )
        except FormParserError as error:
            raise _malformed(error) from error

    def text(self, name: str) -> str | None:
        """Decodes a field that has arrived; None without one."""
        if name not in self._texts:
            return None
        try:
            return self._texts[name].decode()
        except UnicodeDecodeError as error:
            raise InvalidInput(f"The {name} is not UTF-8.", code=_code(name)) from error

    @property
    def note(self) -> str | None:
        """The text of the field `note`; None without one."""
        return self.text("note")

    @property
    def has_file(self) -> bool:
        """True if the file has begun."""
        return self._has_file

    def feed(self, block: bytes) -> None:
        """Parses the next bytes of the body and writes those of the file."""
        try:
            self._parser.write(block)
        except FormParserError as error:
            raise _malformed(error) from error
        if self._file_pieces:
            self._writer.write(b"".join(self._file_pieces))
            self._file_pieces.clear()

    def finish(self) -> None:
        """Checks that the form was complete and contained a file."""
        if not self._ended:
            raise BadRequest("The form ends without its closing boundary.", code=ErrorCode.BAD_FORM)
        if not self._has_file:
            raise InvalidInput("The form holds no field “file”.", code=ErrorCode.FILE_MISSING)

    def _callbacks(self) -> MultipartCallbacks:
        return {
            "on_part_begin": self._begin_part,
            "on_header_field": self._take_header_name,
            "on_header_value": self._take_header_value,
            "on_header_end": self._end_header,
            "on_headers_finished": self._open_field,
            "on_part_data": self._take_bytes,
            "on_end": self._end,
        }

    def _begin_part(self) -> None:
        self._headers = {}

    def _take_header_name(self, block: bytes, start: int, end: int) -> None:
        self._name += block[start:end]

    def _take_header_value(self, block: bytes, start: int, end: int) -> None:
        self._value += block[start:end]

    def _end_header(self) -> None:
        self._headers[self._name.decode("latin-1").lower()] = self._value.decode(errors="replace")
        self._name.clear()
        self._value.clear()

    def _open_field(self) -> None:
        disposition = self._headers.get("content-disposition", "")
        self._field = _parameter(disposition, "name") or ""
        if self._field == "file" and not self._has_file:
            self._has_file = True
            self.filename = _parameter(disposition, "filename")
        elif self._field in self._text_fields and self._field not in self._texts:
            self._texts[self._field] = bytearray()
        else:
            others = "".join(f" and one field “{name}”" for name in self._text_fields)
            raise InvalidInput(
                f"The form may hold one field “file”{others}, nothing else.",
                code=ErrorCode.UNEXPECTED_FIELD,
            )

    def _take_bytes(self, block: bytes, start: int, end: int) -> None:
        if self._field == "file":
            self.file_bytes += end - start
            refuse_large_file(self.file_bytes, max_bytes=self._max_bytes)
            self._file_pieces.append(block[start:end])
            return
        text = self._texts[self._field]
        text += block[start:end]
        if len(text) > MAX_TEXT_BYTES:
            raise InvalidInput(f"The {self._field} is too long.", code=_code(self._field))

    def _end(self) -> None:
        self._ended = True


_CODES = {
    "note": ErrorCode.BAD_NOTE,
    "name": ErrorCode.BAD_NAME,
    "slug": ErrorCode.BAD_SLUG,
}


def _code(field: str) -> OurCode:
    return _CODES.get(field, ErrorCode.INVALID)


def _parameter(header: str, name: str) -> str | None:
    message = Message()
    message["content-type"] = header.replace("\r", " ").replace("\n", " ")
    value = message.get_param(name)
    return _decoded(*value) if isinstance(value, tuple) else value


def _decoded(charset: str | None, language: str | None, text: str) -> str:
    """Decodes a parameter `name*=charset'language'…`. The charset is the sender's choice: of all
    that Python knows under some name, some raise, and some take ages or expand a few bytes to
    megabytes."""
    if (charset or "").lower() not in CHARSETS:
        raise BadRequest(
            "The form names a file in an unsupported character set. Use UTF-8.",
            code=ErrorCode.BAD_FORM,
        )
    try:
        return text.encode("latin-1").decode(charset or "")
    except UnicodeError as error:
        raise _malformed(error) from error


def _malformed(error: Exception) -> BadRequest:
    return BadRequest(f"The form is malformed: {error}", code=ErrorCode.BAD_FORM)
