"""What an organizer or the administrator does: accounts, competitions, ground truth, launch,
rejudging."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx2

from app.client.connection import segment
from app.client.podium import Document, Podium, content_digest, pieces_of
from app.errors import InvalidInput


class Organizer(Podium):
    """An installation as an organizer sees it."""

    def create_user(self, name: str, *, organizer: bool = False) -> Document:
        """Makes an account; the answer holds its first `token`, which is shown only once."""
        return self._post("/admin/users", {"name": name, "organizer": organizer})

    def create_competition(self, slug: str, title: str, **settings: Any) -> Document:
        """Makes a draft; `settings` are those of the contract, for example `preset="otto"`."""
        return self._post("/admin/competitions", {"slug": slug, "title": title, **settings})

    def upload_ground_truth(self, slug: str, file: Path) -> Document:
        """Stores a ground truth in any of its forms; returns its version with counts.

        Waits for as long as the server checks it. Raises `InvalidInput` with the problems of a
        file that cannot be used.
        """
        response = self._upload("POST", f"{_route(slug)}/ground-truth", file)
        version: Document = response.json()
        while version["status"] == "checking":
            time.sleep(CHECK_SECONDS)
            version = self.connection.json("GET", response.headers["location"])
        if version["status"] == "rejected":
            problem = version["problem"]
            raise InvalidInput(
                problem["detail"],
                code=problem["code"],
                problems=problem["errors"],
                problem_count=problem["error_count"],
            )
        return version

    def publish_ids(self, slug: str, file: Path) -> Document:
        """Stores the list of published ids."""
        answer: Document = self._upload("PUT", f"{_route(slug)}/published-ids", file).json()
        return answer

    def add_file(self, slug: str, name: str, file: Path) -> Document:
        """Stores participant data under a name."""
        path = f"{_route(slug)}/files/{segment(name)}"
        answer: Document = self._upload("PUT", path, file).json()
        return answer

    def launch(self, slug: str) -> Document:
        """Opens a competition after its checklist; the answer holds the warnings."""
        answer: Document = self.connection.json(
            "POST", f"{_route(slug)}/launch", timeout=LAUNCH_SECONDS
        )
        return answer

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
        """Begins to judge submissions anew; the answer names the rejudging."""
        given: Document = {
            "ground_truth_version": ground_truth_version,
            "submission_ids": None if submission_ids is None else list(submission_ids),
            "settings": settings,
        }
        body = {name: value for name, value in given.items() if value is not None}
        return self._post(
            f"/admin/competitions/{segment(slug)}/rejudgings",
            {"reason": reason, "times": times, **body},
        )

    def rejudging(self, rejudging_id: str) -> Document:
        """A rejudging with the biggest movers of its table."""
        return self._get(f"/admin/rejudgings/{segment(rejudging_id)}")

    def rejudging_changes(self, rejudging_id: str) -> Iterator[Document]:
        """Every team before and after, the biggest movers first."""
        path = f"/admin/rejudgings/{segment(rejudging_id)}"
        return self._items(path, key="changes", limit="1000")

    def wait_for_rejudging(
        self, rejudging_id: str, *, on_change: Callable[[Document], None] | None = None
    ) -> Document:
        """Blocks until everything is judged anew, or the rejudging has ended, and returns it."""
        while True:
            document = self.rejudging(rejudging_id)
            if on_change is not None:
                on_change(document)
            if document["status"] != "running":
                return document
            time.sleep(REJUDGING_SECONDS)

    def apply_rejudging(self, rejudging_id: str) -> Document:
        """Publishes a rejudging. Raises `WrongState` while it is not ready."""
        return self._post(f"/admin/rejudgings/{segment(rejudging_id)}/apply", {})

    def cancel_rejudging(self, rejudging_id: str) -> Document:
        """Gives a rejudging up; everything stays as it was."""
        return self._post(f"/admin/rejudgings/{segment(rejudging_id)}/cancel", {})

    def similarity(self, slug: str) -> Iterator[Document]:
        """Pairs of files of different teams that are alike, the most alike first."""
        return self._items(f"/admin/competitions/{segment(slug)}/similarity")

    def alerts(self, slug: str) -> list[Document]:
        """What looks like probing, with the reasons."""
        found: list[Document] = self._get(f"/admin/competitions/{segment(slug)}/alerts")["items"]
        return found

    def compare(self, slug: str, *submission_ids: str) -> Document:
        """Compares 2 to 10 submissions: intervals, and every difference with its p."""
        first, second, *more = submission_ids
        answer: Document = self.connection.json(
            "GET",
            f"{_route(slug)}/comparison",
            params={"a": first, "b": second, "submission": more},
            timeout=COMPARISON_SECONDS,
        )
        return answer

    def segments(self, submission_id: str) -> Document:
        """A submission's score by groups of sessions, labels and ranks."""
        answer: Document = self.connection.json(
            "GET",
            f"/admin/submissions/{segment(submission_id)}/segments",
            timeout=COMPARISON_SECONDS,
        )
        return answer

    def describe_sessions(self, slug: str, file: Path) -> Document:
        """Stores what is known about sessions, to take scores apart by."""
        answer: Document = self._upload("PUT", f"{_route(slug)}/sessions", file).json()
        return answer

    def _upload(self, method: str, path: str, file: Path) -> httpx2.Response:
        headers = {
            "Content-Type": "application/octet-stream",
            "Content-Length": str(file.stat().st_size),
            "Content-Digest": content_digest(file),
        }
        return self.connection.upload(method, path, pieces_of(file), headers)


CHECK_SECONDS = 1.0
"""Between two looks at a ground truth that is being checked."""

REJUDGING_SECONDS = 1.0
"""Between two looks at a rejudging that runs."""

COMPARISON_SECONDS = 150.0
"""A little more than the server gives itself."""

LAUNCH_SECONDS = 900.0
"""The launch judges the perfect, the empty and the sample file, which takes minutes when large."""


def _route(slug: str) -> str:
    return f"/api/v1/admin/competitions/{segment(slug)}"
