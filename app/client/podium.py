"""What a participant does: look at competitions, submit, wait for the score, choose finals."""

from __future__ import annotations

import base64
import hashlib
import time
import uuid
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlencode

import httpx2

from app.client.connection import Connection, segment
from app.errors import QuotaExhausted, Unavailable, WrongState

PIECE_BYTES = 1 << 20
FINAL_STATES = ("scored", "rejected", "failed", "cancelled")
POLL_SECONDS = (0.3, 2.0)
"""Seconds between two looks at a submission: at first, and at most."""

Document = dict[str, Any]
Progress = Callable[[int, int], None]
"""Called with the bytes sent so far and the bytes in all."""


class Podium:
    """An installation as one account sees it; without a token, as the public sees it."""

    def __init__(self, url: str, token: str | None = None, *, timeout: float = 60.0) -> None:
        self.connection = Connection(url, token, timeout=timeout)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    def sign_in(self, name: str, password: str) -> Document:
        """A token for a name and a password, with its `expires_at`."""
        return self._post("/sign-in", {"name": name, "password": password})

    def me(self) -> Document:
        """The account that the token belongs to."""
        return self._get("/me")

    def competitions(self) -> Iterator[Document]:
        """All competitions that this account may see."""
        return self._items("/competitions")

    def competition(self, slug: str) -> Document:
        """One competition: texts, metric, phase, limits, counts."""
        return self._get(f"/competitions/{segment(slug)}")

    def leaderboard(self, slug: str, *, split: str = "public") -> Iterator[Document]:
        """All rows of a board, best first."""
        return self._items(f"/competitions/{segment(slug)}/leaderboard", key="rows", split=split)

    def leaderboard_csv(self, slug: str, to: Path, *, split: str = "public") -> None:
        """Writes a board to a CSV file."""
        path = f"/api/v1/competitions/{segment(slug)}/leaderboard.csv?{urlencode({'split': split})}"
        self.connection.download(path, to)

    def files(self, slug: str) -> list[Document]:
        """The participant data of a competition, with sizes and hashes."""
        return list(self._items(f"/competitions/{segment(slug)}/files"))

    def download_file(self, slug: str, name: str, to: Path) -> None:
        """Writes one file of the participant data to `to`."""
        path = f"/api/v1/competitions/{segment(slug)}/files/{segment(name)}"
        self.connection.download(path, to)

    def sample_submission(self, slug: str, to: Path) -> None:
        """Writes a submission with every published id and no knowledge to `to`."""
        self.connection.download(f"/api/v1/competitions/{segment(slug)}/sample-submission", to)

    def announcements(self, slug: str) -> Iterator[Document]:
        """What the organizers have said, newest first."""
        return self._items(f"/competitions/{segment(slug)}/announcements")

    def rules(self, slug: str) -> Document:
        """The rules with their SHA-256, and when this account accepted them."""
        return self._get(f"/competitions/{segment(slug)}/rules")

    def accept_rules(self, slug: str, sha256: str) -> Document:
        """Accepts the rules whose text has this SHA-256."""
        path = f"/competitions/{segment(slug)}/rules/acceptance"
        return self._post(path, {"sha256": sha256})

    def create_team(self, slug: str, name: str) -> Document:
        """Enters a competition; the answer holds the team's `invite_code`."""
        return self._post(f"/competitions/{segment(slug)}/teams", {"name": name})

    def join_team(self, slug: str, invite_code: str) -> Document:
        """Joins a team whose code one was given."""
        return self._post(f"/competitions/{segment(slug)}/teams/join", {"invite_code": invite_code})

    def team(self, slug: str) -> Document:
        """My team, with `submissions_left_today`, `resets_at` and `limited_by`."""
        return self._get(f"/competitions/{segment(slug)}/team")

    def submissions(self, slug: str) -> Iterator[Document]:
        """My team's submissions, newest first."""
        return self._items(f"/competitions/{segment(slug)}/submissions")

    def submission(self, submission_id: str) -> Document:
        """One submission."""
        return self._get(f"/submissions/{segment(submission_id)}")

    def receipt(self, submission_id: str) -> bytes:
        """The signed receipt of a submission: to be kept byte by byte."""
        path = f"/api/v1/submissions/{segment(submission_id)}/receipt"
        return b"".join(self.connection.pieces(path))

    def select(self, slug: str, submission_ids: list[str]) -> Document:
        """Chooses which submissions count for the final ranking."""
        path = f"/api/v1/competitions/{segment(slug)}/selection"
        answer: Document = self.connection.json(
            "PUT", path, json={"submission_ids": submission_ids}
        )
        return answer

    def submit(
        self,
        slug: str,
        file: Path,
        *,
        note: str = "",
        on_progress: Progress | None = None,
        ask_first: bool = True,
    ) -> Document:
        """Uploads a file and returns the accepted submission, whose judging has not begun.

        `ask_first` looks the quota up before the first byte is sent. A cut connection is tried
        again under the same key, so that a submission is never made twice. Raises
        `QuotaExhausted`, `WrongState` (closed), `TooLarge`, `Unavailable`.
        """
        if ask_first:
            self._refuse_without_quota(slug)
        query = urlencode({"filename": file.name, "note": note})
        headers = {
            "Content-Type": "application/octet-stream",
            "Content-Length": str(file.stat().st_size),
            "Content-Digest": content_digest(file),
            "Idempotency-Key": str(uuid.uuid4()),
        }
        path = f"/api/v1/competitions/{segment(slug)}/submissions?{query}"

        def send() -> httpx2.Response:
            try:
                return self.connection.upload("POST", path, pieces_of(file, on_progress), headers)
            except WrongState as refusal:
                # The first attempt's connection was cut, but the server has not noticed yet.
                if refusal.code != "idempotency-running":
                    raise
                raise Unavailable(refusal.detail, retry_after=5) from refusal

        answer: Document = self.connection.repeated(send).json()
        return answer

    def wait(
        self,
        submission_id: str,
        *,
        timeout: float | None = None,
        on_change: Callable[[Document], None] | None = None,
    ) -> Document:
        """Blocks until a submission is scored, rejected, failed or cancelled, and returns it.

        `on_change` gets every state that was seen. Raises `Unavailable` after `timeout` seconds.
        """
        started, pause = time.monotonic(), POLL_SECONDS[0]
        while True:
            submission = self.submission(submission_id)
            if on_change is not None:
                on_change(submission)
            if submission["status"] in FINAL_STATES:
                return submission
            if timeout is not None and time.monotonic() - started + pause > timeout:
                raise Unavailable(f"Submission {submission_id} is still {submission['status']}.")
            time.sleep(pause)
            pause = min(pause * 1.3, POLL_SECONDS[1])

    def _refuse_without_quota(self, slug: str) -> None:
        team = self.team(slug)
        left = team.get("submissions_left_today")
        if left is None or left > 0:
            return
        resets_at = team.get("resets_at")
        wait = 0.0
        if resets_at:
            wait = (datetime.fromisoformat(resets_at) - datetime.now(UTC)).total_seconds()
        raise QuotaExhausted(
            f"No submissions are left; the limit is the {team.get('limited_by') or 'daily'} one."
            f" More are possible from {resets_at or 'no time on'}.",
            retry_after=max(1, int(wait)),
        )

    def _get(self, path: str) -> Document:
        answer: Document = self.connection.json("GET", f"/api/v1{path}")
        return answer

    def _post(self, path: str, body: Document) -> Document:
        answer: Document = self.connection.json("POST", f"/api/v1{path}", json=body)
        return answer

    def _items(self, path: str, *, key: str = "items", **query: str) -> Iterator[Document]:
        cursor: str | None = None
        while True:
            page = query | ({"cursor": cursor} if cursor else {})
            answer = self.connection.json("GET", f"/api/v1{path}", params=page)
            yield from answer[key]
            cursor = answer["next_cursor"]
            if cursor is None:
                return


def content_digest(file: Path) -> str:
    """The `Content-Digest` header (RFC 9530) of a file: SHA-256 of its bytes."""
    with file.open("rb") as source:
        digest = hashlib.file_digest(source, "sha256").digest()
    return f"sha-256=:{base64.b64encode(digest).decode()}:"


def pieces_of(file: Path, on_progress: Progress | None = None) -> Iterator[bytes]:
    """The bytes of a file, a mebibyte at a time."""
    total, sent = file.stat().st_size, 0
    with file.open("rb") as source:
        while piece := source.read(PIECE_BYTES):
            yield piece
            sent += len(piece)
            if on_progress is not None:
                on_progress(sent, total)
