"""Calls about one's own submissions: upload, wait, read, select for the final ranking."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlencode

import httpx2

from podium.client.bodies import headers_of, pieces_of
from podium.client.calls import PREFIX, Document, Progress
from podium.client.connection import ANSWER_SECONDS, PATIENCE_SECONDS, segment
from podium.client.durations import in_words, seconds_until, timed_out
from podium.client.teams import TeamCalls
from podium.client.uploads import RESUMABLE_BYTES, Memory, Tell, send_in_pieces
from podium.errors import NotFound, QuotaExhausted, Unavailable, WrongState
from podium.errors.codes import ErrorCode

FINAL_STATES = ("scored", "rejected", "failed", "cancelled")

POLL_SECONDS = (0.3, 2.0)
"""Seconds between two looks at a submission: at first, and the maximum."""


class SubmissionCalls(TeamCalls):
    """Calls about submissions: upload, status, scores, selection and receipts."""

    def submit(
        self,
        slug: str,
        file: Path,
        *,
        note: str = "",
        on_progress: Progress | None = None,
        ask_first: bool = True,
        memory: Memory | None = None,
        team: str | None = None,
        on_retry: Tell | None = None,
    ) -> Document:
        """Uploads a file and returns the accepted submission, whose judging has not begun.

        `team` is the id of a baseline, for which its organizers submit. `ask_first` checks one's
        own quota before the first byte is sent. A broken connection is retried under the same key,
        so that no second submission is created. Files above 16 MiB are sent in pieces, and `memory`
        lets a later call with the same file resume the upload; `on_retry` gets a sentence whenever
        an upload was interrupted or is resumed. Raises `QuotaExhausted`, `WrongState` (closed),
        `TooLarge`, `Unavailable`.
        """
        if ask_first and team is None:
            self._refuse_without_quota(slug)
        submissions = f"{PREFIX}/competitions/{segment(slug)}/submissions"
        whose = {} if team is None else {"team": team}
        if file.stat().st_size > RESUMABLE_BYTES:
            accepted: Document = send_in_pieces(
                self.connection,
                file,
                "POST",
                f"{submissions}{'?' if whose else ''}{urlencode(whose)}",
                memory=memory,
                on_progress=on_progress,
                on_retry=on_retry,
                filename=file.name,
                note=note,
            ).json()
            return accepted
        headers = headers_of(file) | {"Idempotency-Key": str(uuid.uuid4())}
        path = f"{submissions}?{urlencode({'filename': file.name, 'note': note, **whose})}"

        def send() -> httpx2.Response:
            try:
                return self.connection.upload("POST", path, pieces_of(file, on_progress), headers)
            except WrongState as refusal:
                # The connection of the first attempt is broken, but the server has not noticed yet.
                if refusal.code != ErrorCode.IDEMPOTENCY_RUNNING:
                    raise
                raise Unavailable(refusal.detail, retry_after=5) from refusal

        def report(failure: Unavailable) -> None:
            if on_retry is not None:
                on_retry(f"The upload was interrupted: {failure.detail} Trying again …")

        answer: Document = self.connection.repeated(send, on_retry=report).json()
        return answer

    def wait(
        self,
        submission_id: str,
        *,
        timeout: float | None = None,
        on_change: Callable[[Document], None] | None = None,
    ) -> Document:
        """Blocks until a submission is scored, rejected, failed or cancelled, and returns it.

        `on_change` gets every state that was seen. An unreachable server is retried. Raises
        `Unavailable` after `timeout` seconds (`wait-timed-out`), or after two minutes without an
        answer.
        """
        started = heard = time.monotonic()
        pause = POLL_SECONDS[0]
        while True:
            try:
                submission = self.submission(submission_id)
            except Unavailable:
                if time.monotonic() - heard > min(PATIENCE_SECONDS, timeout or PATIENCE_SECONDS):
                    raise
            else:
                heard = time.monotonic()
                if on_change is not None:
                    on_change(submission)
                if submission["status"] in FINAL_STATES:
                    return submission
                if timeout is not None and heard - started + pause > timeout:
                    raise timed_out(
                        f"Submission {submission_id} is still {submission['status']}",
                        timeout,
                        f"It will be judged all the same: `podium submission {submission_id}`"
                        " shows how far it is.",
                    )
            time.sleep(pause)
            pause = min(pause * 1.3, POLL_SECONDS[1])

    def submissions(self, slug: str) -> Iterator[Document]:
        """Yields my team's submissions, newest first."""
        return self._items(f"/competitions/{segment(slug)}/submissions")

    def submission(self, submission_id: str) -> Document:
        """Returns a submission."""
        return self._get(_route(submission_id))

    def download_submission(self, submission_id: str, to: Path) -> None:
        """Writes the submitted file of my submission to `to`."""
        self.connection.download(f"{PREFIX}{_route(submission_id)}/file", to)

    def receipt(self, submission_id: str) -> bytes:
        """Returns the signed receipt of a submission: store it byte for byte."""
        return b"".join(self.connection.pieces(f"{PREFIX}{_route(submission_id)}/receipt"))

    def cancel(self, submission_id: str) -> Document:
        """Cancels a submission that is still queued; its slot is returned."""
        return self._post(f"{_route(submission_id)}/cancel")

    def segments(self, submission_id: str) -> Document:
        """Returns a submission's score by groups of sessions, labels and ranks, once that is
        visible."""
        return self._get(f"{_route(submission_id)}/segments", timeout=ANSWER_SECONDS)

    def select(self, slug: str, submission_ids: list[str]) -> Document:
        """Selects the submissions that count for the final ranking."""
        path = f"/competitions/{segment(slug)}/selection"
        return self._call("PUT", path, json={"submission_ids": submission_ids})

    def _refuse_without_quota(self, slug: str) -> None:
        try:
            team = self.team(slug)
        except NotFound as refusal:
            # Entering would not help if the competition is over.
            if refusal.code == ErrorCode.NO_TEAM and (over := self._why_over(slug)):
                raise over from refusal
            raise
        left = team.get("submissions_left_today")
        if left is None or left > 0:
            return
        if stopped := self.why_nothing_is_taken(slug, team=team):
            raise stopped
        raise nothing_left(team)


def nothing_left(team: Document) -> QuotaExhausted:
    """Returns the refusal of a submission for which there is room later; `team` is the answer of
    the call `team`."""
    resets_at, limited_by = team.get("resets_at"), team.get("limited_by")
    wait = seconds_until(resets_at) if resets_at else 0.0
    if limited_by in (None, "daily_limit"):
        detail = f"Daily limit reached. Next submission in {in_words(wait)}."
    elif limited_by == "rejected_per_hour":
        detail = (
            "Too many files of your team were rejected within an hour. Check the next one with"
            f" `podium validate`: that is not limited. Next submission in {in_words(wait)}."
        )
    elif limited_by == "leak_limit":
        detail = (
            "Your files that are not judged yet may reach the leak limit. Submit again when they"
            " have their verdicts."
        )
    else:
        detail = (
            "Your team has too many uploads under way. Submit again when one of them has ended."
        )
    return QuotaExhausted(detail, retry_after=max(1, int(wait)), limited_by=limited_by)


def _route(submission_id: str) -> str:
    return f"/submissions/{segment(submission_id)}"
