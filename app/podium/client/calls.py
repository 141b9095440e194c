"""The base of all calls of the client: one connection, the prefix of the contract, and paging."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from podium.client.connection import SLOW_SECONDS, Connection

Document = dict[str, Any]
"""A JSON document of the contract."""

Progress = Callable[[int, int], None]
"""Called with the bytes transferred so far, and the bytes in total."""

PREFIX = "/api/v1"


class Calls:
    """Requests to one installation on behalf of one account, or anonymous without a token."""

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        timeout: float | None = None,
        on_slow: Callable[[str], None] | None = None,
        slow_seconds: float = SLOW_SECONDS,
    ) -> None:
        """Connects lazily; `timeout`, `on_slow` and `slow_seconds` are those of `Connection`."""
        self.connection = Connection(
            url, token, timeout=timeout, on_slow=on_slow, slow_seconds=slow_seconds
        )

    def _get(self, path: str, **request: Any) -> Document:
        return self._call("GET", path, **request)

    def _post(self, path: str, body: Document | None = None) -> Document:
        return self._call("POST", path, **({} if body is None else {"json": body}))

    def _delete(self, path: str, **request: Any) -> None:
        self.connection.json("DELETE", PREFIX + path, **request)

    def _call(self, method: str, path: str, **request: Any) -> Document:
        answer: Document = self.connection.json(method, PREFIX + path, **request)
        return answer

    def _list(self, path: str, *, key: str = "items") -> list[Document]:
        """Returns all items of a list that is not divided into pages."""
        found: list[Document] = self._get(path)[key]
        return found

    def _items(self, path: str, *, key: str = "items", **query: str) -> Iterator[Document]:
        """Yields all items of a list, page by page."""
        cursor: str | None = None
        while True:
            page = query | ({"cursor": cursor} if cursor else {})
            answer = self._get(path, params=page)
            yield from answer[key]
            cursor = answer["next_cursor"]
            if cursor is None:
                return


def given(**values: Any) -> Document:
    """Returns the values that are not None."""
    return {name: value for name, value in values.items() if value is not None}
