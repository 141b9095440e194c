"""Uploads of organizers' files, to any route."""

from __future__ import annotations

from pathlib import Path

import httpx2

from podium.client.bodies import headers_of, pieces_of
from podium.client.calls import PREFIX, Calls, Document, Progress
from podium.client.uploads import RESUMABLE_BYTES, Memory, Tell, naming, send_in_pieces


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
            return self._send_whole(method, path, file)

        def name(upload: Document) -> httpx2.Response:
            return naming(self.connection, method, PREFIX + path, upload)

        memory = {} if self.memory is None else self.memory
        return send_in_pieces(
            self.connection,
            file,
            memory=memory,
            on_progress=self.on_progress,
            on_retry=self.on_retry,
            use=name,
        )

    def _send_whole(self, method: str, path: str, file: Path) -> httpx2.Response:
        """Sends the file as the raw body with its hash; joins the work while the server still reads
        it."""
        headers = headers_of(file)
        return self.connection.repeated(
            lambda: self.connection.upload(
                method, PREFIX + path, pieces_of(file, self.on_progress), headers
            ),
            attempts=1,
        )
