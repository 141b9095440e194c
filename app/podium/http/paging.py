"""Lists in pages: `?limit=&cursor=` in, `next_cursor` and `Link: <…>; rel="next"` out.

A cursor is the sort key of the last item of a page, as opaque text. Clients may forge one, so its
parts are checked like any other input; it grants nothing that the list itself does not.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Annotated, Any, Generic, TypeVar
from urllib.parse import quote, urlencode

from fastapi import Depends, Query, Request, Response
from pydantic import BaseModel, Field

from podium.errors import InvalidInput
from podium.errors.codes import ErrorCode
from podium.http.members import NextCursor

Row = TypeVar("Row")
Item = TypeVar("Item")

MAX_LIMIT = 1000
"""Maximum number of items on one page."""

LARGEST_INTEGER = 2**63 - 1
"""Databases refuse to compare with anything beyond."""


class Listed(BaseModel, Generic[Item]):
    """The shape of every list."""

    # No docstring: for each kind of item the source would be looked for again, and in vain.
    items: Annotated[list[Item], Field(description="The items of this page.")]
    next_cursor: NextCursor


@dataclass(frozen=True, slots=True)
class Page:
    """The part of a list that a client wants."""

    limit: int
    cursor: str | None = None
    link_next: Callable[[str | None], None] = lambda _: None
    """Adds the next page, with this cursor, to the answer's header `Link`."""

    @property
    def fetch(self) -> int:
        """The number of rows to query: one more than the limit, which shows if a page follows."""
        return self.limit + 1

    def after(self, *kinds: type, least: int | None = None) -> tuple[Any, ...] | None:
        """Decodes the sort key after which the page starts, of exactly these types (`int`, `str`,
        `datetime`), or of the first `least` of them; None for the first page. Raises `InvalidInput`
        (`bad-cursor`)."""
        if self.cursor is None:
            return None
        parts = _decoded(self.cursor)
        if len(parts) not in (len(kinds), least):
            raise _bad_cursor()
        return tuple(_typed(part, kind) for part, kind in zip(parts, kinds, strict=False))

    @property
    def after_text(self) -> str | None:
        """Decodes a key of one text, such as an id, after which the page starts. Raises as `after`
        does."""
        key = self.after(str)
        return key[0] if key else None

    def cut(
        self, rows: Sequence[Row], *, key: Callable[[Row], tuple[Any, ...]]
    ) -> tuple[Sequence[Row], str | None]:
        """Cuts at most `fetch` rows to those of this page, and encodes the cursor of the next
        page."""
        if len(rows) <= self.limit:
            return rows, None
        shown = rows[: self.limit]
        return shown, _encoded(key(shown[-1]))

    def listed(
        self,
        rows: Sequence[Row],
        *,
        key: Callable[[Row], tuple[Any, ...]],
        show: Callable[[Row], Item],
    ) -> Listed[Item]:
        """Builds the answer that lists the rows of this page, out of at most `fetch` rows."""
        shown, next_cursor = self.cut(rows, key=key)
        self.link_next(next_cursor)
        return Listed(items=[show(row) for row in shown], next_cursor=next_cursor)


def _page(
    request: Request,
    response: Response,
    limit: Annotated[int, Query(ge=1, le=MAX_LIMIT, description="Items of one page.")] = 50,
    cursor: Annotated[
        str | None, Query(max_length=1000, description="`next_cursor` of the page before.")
    ] = None,
) -> Page:
    return Page(limit, cursor, partial(link_next, request, response))


Paging = Annotated[Page, Depends(_page)]


def link_next(request: Request, response: Response, next_cursor: str | None) -> None:
    """Sets the `Link` header where another page follows: relative, because the host that a client
    sends must not be reflected."""
    if next_cursor is not None:
        asked = [pair for pair in request.query_params.multi_items() if pair[0] != "cursor"]
        address = f"{quote(request.scope['path'])}?{urlencode([*asked, ('cursor', next_cursor)])}"
        response.headers["Link"] = f'<{address}>; rel="next"'


def _encoded(key: tuple[Any, ...]) -> str:
    parts = [part.isoformat() if isinstance(part, datetime) else part for part in key]
    return base64.urlsafe_b64encode(json.dumps(parts).encode()).decode().rstrip("=")


def _decoded(cursor: str) -> list[Any]:
    try:
        padded = cursor.encode("ascii") + b"=" * (-len(cursor) % 4)
        parts = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
    except (ValueError, binascii.Error, RecursionError):
        raise _bad_cursor() from None
    if not isinstance(parts, list):
        raise _bad_cursor()
    return parts


def _typed(part: object, kind: type) -> datetime | int | str:
    if kind is datetime and isinstance(part, str):
        try:
            moment = datetime.fromisoformat(part)
        except ValueError:
            raise _bad_cursor() from None
        if moment.tzinfo is None or not 1970 <= moment.year < 9000:
            raise _bad_cursor()
        return moment
    if kind is int and type(part) is int and abs(part) <= LARGEST_INTEGER:
        return part
    if kind is str and isinstance(part, str) and part.isprintable():
        return part
    raise _bad_cursor()


def _bad_cursor() -> InvalidInput:
    return InvalidInput(
        "This cursor is not one of ours. Take `next_cursor` of the page before, or none.",
        code=ErrorCode.BAD_CURSOR,
    )
