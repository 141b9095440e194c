"""Uploads of organizers' files, to any route."""

from __future__ import annotations

from pathlib import Path

import httpx2

from podium.client.bodies import headers_of, pieces_of
from podium.client.calls import PREFIX, Calls, Document, Progress
from podium.client.uploads import RESUMABLE_BYTES, Memory, Tell, send_in_pieces


class FileCalls(Calls):
    """Calls that upload a file: one above 16 MiB in pieces, so that an interruption costs
    nothing."""

    memory: Memory | None = None
    """Ids of unfinished uploads. With a mapping that outlives the process, a later call with the
    same file resumes the upload."""

    on_progress: Progress | None = None
    """Called with the bytes that the server has of a file, and the bytes in total."""

    on_retry: Tell | None = None
    """Called with a sentence when an interrupted upload is retried, and when it resumes."""

    def _sent(self, method: str, path: str, file: Path) -> Document:
        """Uploads a file, and returns the document that answers it."""
        answer: Document = self._upload(method, path, file).json()
        return answer

    def _upload(self, method: str, path: str, file: Path) -> httpx2.Response:
        if file.stat().st_size <= RESUMABLE_BYTES:
            headers = headers_of(file)
            return self.connection.repeated(
                lambda: self.connection.upload(
                    method, PREFIX + path, pieces_of(file, self.on_progress), headers
                ),
                attempts=1,
            )
        return send_in_pieces(
            self.connection,
            file,
            method,
            PREFIX + path,
            memory=self.memory,
            on_progress=self.on_progress,
            on_retry=self.on_retry,
        )
