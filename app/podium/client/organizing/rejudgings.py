"""Calls that start, follow, apply and cancel rejudgings."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from podium.client.calls import Calls, Document, given
from podium.client.connection import PATIENCE_SECONDS, segment
from podium.client.durations import timed_out
from podium.errors import Unavailable

REJUDGING_SECONDS = 1.0
"""Seconds between two looks at a rejudging that runs."""


class RejudgingCalls(Calls):
    """Calls that start, watch, apply and cancel rejudgings."""

    def start_rejudging(
        self,
        slug: str,
        reason: str,
        *,
        ground_truth_version: int | None = None,
        submission_ids: Sequence[str] | None = None,
        times: int = 1,
        settings: dict[str, Any] | None = None,
    ) -> Document:
        """Starts a rejudging; the answer has its id."""
        chosen = None if submission_ids is None else list(submission_ids)
        body = given(
            ground_truth_version=ground_truth_version, submission_ids=chosen, settings=settings
        )
        return self._post(_list_route(slug), {"reason": reason, "times": times, **body})

    def rejudgings(self, slug: str) -> Iterator[Document]:
        """Yields all rejudgings of a competition, newest first."""
        return self._items(_list_route(slug))

    def rejudging(self, rejudging_id: str) -> Document:
        """Returns a rejudging with the biggest movers."""
        return self._get(_route(rejudging_id))

    def rejudging_changes(self, rejudging_id: str) -> Iterator[Document]:
        """Yields every team before and after, the biggest movers first."""
        return self._items(_route(rejudging_id), key="changes", limit="1000")

    def wait_for_rejudging(
        self,
        rejudging_id: str,
        *,
        timeout: float | None = None,
        on_change: Callable[[Document], None] | None = None,
    ) -> Document:
        """Blocks until everything is judged anew, or the rejudging has ended, and returns it.

        An unreachable server is retried. Raises `Unavailable` after `timeout` seconds
        (`wait-timed-out`), or after two minutes without an answer.
        """
        started = heard = time.monotonic()
        while True:
            try:
                document = self.rejudging(rejudging_id)
            except Unavailable:
                if time.monotonic() - heard > PATIENCE_SECONDS:
                    raise
            else:
                heard = time.monotonic()
                if on_change is not None:
                    on_change(document)
                if document["status"] != "running":
                    return document
                if timeout is not None and heard - started + REJUDGING_SECONDS > timeout:
                    number, command = document["id"], f"podium rejudgings {document['competition']}"
                    raise timed_out(
                        f"Rejudging {number} has judged {document['done']} of {document['total']}",
                        timeout,
                        f"It goes on: `{command}` shows how far it is, and with `--apply {number}`"
                        " publishes it.",
                    )
            time.sleep(REJUDGING_SECONDS)

    def apply_rejudging(self, rejudging_id: str) -> Document:
        """Applies a rejudging. Raises `WrongState` while it is not ready."""
        return self._post(f"{_route(rejudging_id)}/apply", {})

    def cancel_rejudging(self, rejudging_id: str) -> Document:
        """Cancels a rejudging; everything stays as it is."""
        return self._post(f"{_route(rejudging_id)}/cancel", {})


def _list_route(slug: str) -> str:
    return f"/admin/competitions/{segment(slug)}/rejudgings"


def _route(rejudging_id: str) -> str:
    return f"/admin/rejudgings/{segment(rejudging_id)}"
