"""What an organizer or the administrator does: accounts, competitions, ground truth, launch."""

from __future__ import annotations

import time
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

    def _upload(self, method: str, path: str, file: Path) -> httpx2.Response:
        headers = {
            "Content-Type": "application/octet-stream",
            "Content-Length": str(file.stat().st_size),
            "Content-Digest": content_digest(file),
        }
        return self.connection.upload(method, path, pieces_of(file), headers)


CHECK_SECONDS = 1.0
"""Between two looks at a ground truth that is being checked."""

LAUNCH_SECONDS = 900.0
"""The launch judges the perfect, the empty and the sample file, which takes minutes when large."""


def _route(slug: str) -> str:
    return f"/api/v1/admin/competitions/{segment(slug)}"
