"""The clients' view: one JSON line for every request that was begun, and one for how it ended.

A request is *ok* (202, with the submission's id), *failed* (an error answer) or *unknown* (no
answer). The checker holds what is stored against this, never against what the server says later.
"""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import Any

from tests.builders.storm.files import File


class History:
    """The record of one run; many threads may write to it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.files: dict[str, File] = {}
        self.teams: dict[str, str] = {}
        """The token by which each file was sent."""
        self.acknowledged: dict[str, str] = {}
        self.statuses: list[int] = []
        """The statuses of all answers, in order."""
        self._lock = threading.Lock()

    def invoked(self, file: File, token: str) -> None:
        """A client is about to send this file."""
        with self._lock:
            self.files[file.key] = file
            self.teams[file.key] = token
            self._write(file.key, "invoke")

    def answered(self, key: str, status: int, answer: dict[str, Any]) -> None:
        """There was an answer. Every 202 to one key must name the same submission."""
        with self._lock:
            self.statuses.append(status)
            if status == 202:
                before = self.acknowledged.setdefault(key, answer["id"])
                assert before == answer["id"], f"{key} became two submissions"
            self._write(key, "ok" if status == 202 else "fail", status=status, body=answer)

    def unanswered(self, key: str) -> None:
        """The connection broke: the file may be stored or not."""
        with self._lock:
            self._write(key, "unknown")

    def read(self, path: str, answer: dict[str, Any]) -> None:
        """Records the answer that a participant got at this address."""
        with self._lock:
            self._write(path, "read", body=answer)

    def unresolved(self) -> list[str]:
        """Keys without a 202, in the order in which they were first sent."""
        with self._lock:
            return [key for key in self.files if key not in self.acknowledged]

    def _write(self, key: str, event: str, **members: Any) -> None:
        line = {"at": time.monotonic(), "key": key, "event": event, **members}
        with self.path.open("a") as stream:
            stream.write(json.dumps(line) + "\n")
