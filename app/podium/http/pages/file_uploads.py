"""Files of HTML forms, streamed to the API's raw routes: no file is stored here, however large it
is."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from fastapi import Request
from starlette.types import Message

from podium.errors import BadRequest, PodiumError
from podium.errors.codes import ErrorCode
from podium.http.middleware.allowances import take_files
from podium.http.pages.api_calls import Answer, ask
from podium.http.streaming.form_bodies import FormBody, form_body_of
from podium.storage import Stored

MAX_BYTES = 8 << 40
"""More than any raw route accepts; each of them has its own limit."""


@dataclass(frozen=True, slots=True)
class Target:
    """The raw route that receives the file, with headers beside its type."""

    method: str
    path: str
    params: Mapping[str, object]
    headers: Mapping[str, str] = field(default_factory=dict)


class _Pieces:
    """The received part of the file that was not passed on yet; a writer, like a stored file's."""

    def __init__(self) -> None:
        self.size = 0
        self._waiting = bytearray()

    def write(self, chunk: bytes) -> None:
        self.size += len(chunk)
        self._waiting += chunk

    def take(self) -> bytes:
        taken = bytes(self._waiting)
        self._waiting.clear()
        return taken

    def finish(self) -> Stored:
        raise AssertionError("these bytes are handed on, not stored")

    def abort(self) -> None:
        self._waiting.clear()


class _FileOnly:
    """The messages of a request, reduced to the file of its form."""

    def __init__(self, request: Request, form: FormBody, pieces: _Pieces) -> None:
        self._receive = request.receive
        self._form = form
        self._pieces = pieces
        self._is_over = False
        self.problem: PodiumError | None = None

    async def up_to_the_file(self) -> None:
        """Reads until the file begins, so that the texts before it are known."""
        while not self._form.has_file and not self._is_over:
            await self._read()

    async def receive(self) -> Message:
        """Returns the next bytes of the file. A form that is malformed ends like a broken
        connection, so that nothing is stored."""
        if not self._is_over:
            piece = self._pieces.take()
            try:
                if not piece:
                    await self._read()
                    piece = self._pieces.take()
            except PodiumError as problem:
                self.problem = problem
                return {"type": "http.disconnect"}
            return {"type": "http.request", "body": piece, "more_body": not self._is_over}
        return {"type": "http.request", "body": self._pieces.take(), "more_body": False}

    async def _read(self) -> None:
        message = await self._receive()
        if message["type"] == "http.disconnect":
            raise BadRequest("The connection ended within the form.", code=ErrorCode.UPLOAD_CUT)
        self._form.feed(message.get("body", b""))
        if not message.get("more_body", False):
            self._is_over = True
            self._form.finish()


async def hand_on(
    request: Request,
    *,
    text_fields: Collection[str],
    target: Callable[[FormBody], Target],
) -> Answer:
    """Streams the form's file to the route that `target` chooses by the texts that came before the
    file.

    The caller has checked before that this person may send one. Raises `BadRequest` and
    `InvalidInput` for forms other than those that a browser sends of ours.
    """
    pieces = _Pieces()
    form = form_body_of(request, pieces, max_bytes=MAX_BYTES, text_fields=text_fields)
    if form is None:
        raise BadRequest("This takes a form with a file.", code=ErrorCode.BAD_FORM)
    take_files(request.scope)
    file = _FileOnly(request, form, pieces)
    await file.up_to_the_file()
    to = target(form)
    answer = await ask(
        request,
        to.method,
        to.path,
        params=to.params,
        # The forwarded body is the bare file.
        headers={**to.headers, "content-type": "application/octet-stream"},
        receive=file.receive,
    )
    if file.problem is not None:
        raise file.problem
    return answer
