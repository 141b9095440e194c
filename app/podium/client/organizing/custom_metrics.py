"""Calls that upload, show, compare and try versions of a custom metric."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from podium.client.calls import PREFIX, Document, given
from podium.client.connection import segment
from podium.client.durations import timed_out
from podium.client.organizing.files import FileCalls
from podium.client.refusals import unless_rejected

CHECK_SECONDS = 1.0
"""Seconds between two looks at a file that is being checked."""

IS_KEPT = "The server goes on; look at it later."


class CustomMetricCalls(FileCalls):
    """Calls about the versions of a competition's metric: upload, list, compare, try."""

    def upload_custom_metric(
        self, slug: str, file: Path, *, note: str = "", timeout: float | None = None
    ) -> Document:
        """Uploads a custom metric, Python or a zip with one package; returns its version.

        Waits while the server checks it, or raises `Unavailable` (`wait-timed-out`) about `timeout`
        seconds after the upload. Raises `InvalidInput` (`bad-metric-file`) with the problems of its
        code, by line.
        """
        query = urlencode(given(filename=file.name, note=note or None))
        found = self._sent("POST", f"{_route(slug)}?{query}", file)
        since = time.monotonic()
        while found["status"] == "checking":
            if timeout is not None and time.monotonic() - since + CHECK_SECONDS > timeout:
                raise timed_out("The custom metric is still being checked", timeout, IS_KEPT)
            time.sleep(CHECK_SECONDS)
            found = self._get(f"{_route(slug)}/{found['id']}")
        return unless_rejected(found)

    def custom_metrics(self, slug: str) -> Iterator[Document]:
        """Yields all versions, newest first, including rejected files."""
        return self._items(_route(slug))

    def custom_metric(self, slug: str, version: str) -> Document:
        """Returns a version by its number, or a file by its id."""
        return self._get(f"{_route(slug)}/{segment(version)}")

    def metric_source(self, slug: str, version: str) -> bytes:
        """Returns the source of a version, as it was uploaded."""
        route = f"/competitions/{segment(slug)}/metric-files/{segment(version)}/source"
        return b"".join(self.connection.pieces(PREFIX + route))

    def metric_difference(self, slug: str, version: str, earlier: str) -> str:
        """Returns the unified diff from an earlier version to another one; empty if they are
        equal."""
        query = urlencode({"from": earlier})
        pieces = self.connection.pieces(f"{PREFIX}{_route(slug)}/{segment(version)}/diff?{query}")
        return b"".join(pieces).decode()

    def try_custom_metric(
        self,
        slug: str,
        version: str,
        file: Path | None = None,
        *,
        arguments: dict[str, Any] | None = None,
    ) -> Document:
        """Runs a version on a small submission, by default the sample submission; returns the run
        on either split. `arguments` replace those of the settings."""
        query = "" if arguments is None else f"?{urlencode({'arguments': json.dumps(arguments)})}"
        route = f"{_route(slug)}/{segment(version)}/trial{query}"
        if file is None:
            return self._post(route)
        return self._sent("POST", route, file)

    def metric_in_force(self, slug: str) -> Document:
        """Returns the version that scores, as everyone may see it."""
        return self._get(f"/competitions/{segment(slug)}/metric-file")


def _route(slug: str) -> str:
    return f"/admin/competitions/{segment(slug)}/metric-files"
