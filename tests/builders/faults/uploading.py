"""Clients of resumable uploads, what they were told, and how one goes on after a fault.

What was acknowledged of an upload is held against its rows and pieces; the submission that comes
out is on the record of all clients.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from tests.builders.faults import checker
from tests.builders.faults.stage import PATIENCE, SUBMISSIONS, Process, Stage, wait_for
from tests.builders.faults.stores import is_whole
from tests.builders.storm.files import File

UPLOADS = "/api/v1/uploads"
IS_UNDER_WAY = "submission_id IS NULL AND expires_at > created_at"
ALL = f"SELECT id, received, {IS_UNDER_WAY} AS is_under_way FROM uploads"
UNDER_WAY = (
    "SELECT uploads.id, upload_pieces.start, bytes, sha256 FROM uploads"
    f" JOIN upload_pieces ON upload_id = uploads.id WHERE {IS_UNDER_WAY}"
)

PIECE = 500
"""Bytes; a file has a few thousand."""


ENDED = "SELECT count(*) FROM uploads WHERE expires_at <= created_at"
"""The number of uploads that have come to their end and are still there."""


@dataclass
class Sending:
    """A file of one person on its way. `acknowledged` is in bytes; `id` as soon as it is known."""

    file: File
    token: str
    id: str = ""
    acknowledged: int = 0


class Uploading:
    """One upload of each person at a time."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._under_way: dict[str, Sending] = {}
        self.found: list[str] = []
        """Acknowledged answers that were taken back."""

    def begins(self, api: Process, token: str) -> bool:
        """One upload, each request once: the first piece with the start, the rest, the submission.
        False as soon as an answer is missing or an error."""
        sending = self._under_way[token] = Sending(self._stage.file(), token)
        content = sending.file.content
        if not self._starts(api, sending, content[:PIECE]):
            return False
        for start, end in ((PIECE, 2 * PIECE), (2 * PIECE, len(content))):
            if not self._appends(api, sending, start, content[start:end]):
                return False
        return self._is_submitted(api, sending)

    def only_starts(self, api: Process, token: str) -> None:
        """An upload of two pieces that is far from its end."""
        sending = self._under_way[token] = Sending(self._stage.file(), token)
        content = sending.file.content
        assert self._starts(api, sending, content[:PIECE])
        assert self._appends(api, sending, PIECE, content[PIECE : 2 * PIECE])

    def expires(self, token: str) -> None:
        """The upload of this person has been silent for too long."""
        of = {"id": self._under_way.pop(token).id}
        with checker.opened(self._stage.database_url) as connection:
            over = "UPDATE uploads SET expires_at = created_at WHERE id = :id"
            assert connection.execute(sa.text(over), of).rowcount == 1
            connection.commit()

    def goes_on(self, api: Process, token: str) -> None:
        """Insists until the upload of this person, if there is one, has become a submission."""
        deadline = time.monotonic() + PATIENCE
        while (sending := self._under_way.get(token)) is not None:
            self._one_step(api, sending)
            assert time.monotonic() < deadline, f"{sending} never came through"
            time.sleep(0.02)

    def all_go_on(self, api: Process) -> None:
        """The same for everybody."""
        for token in list(self._under_way):
            self.goes_on(api, token)

    def lost(self) -> list[str]:
        """Acknowledged bytes of uploads under way, and pieces of any, that are not there."""
        found = list(self.found)
        with checker.opened(self._stage.database_url) as connection:
            received = {row.id: row.received for row in connection.execute(sa.text(ALL))}
            found += [
                f"I1: {sending.id} had {sending.acknowledged} bytes"
                for sending in self._under_way.values()
                if sending.id and received.get(sending.id, -1) < sending.acknowledged
            ]
            for row in connection.execute(sa.text(UNDER_WAY)):
                received[row.id] -= row.bytes
                if not is_whole(self._stage.store, "uploads", row.sha256):
                    found.append(f"I2: no whole piece of {row.id} from {row.start} on")
            found += [
                f"I2: the pieces of {row.id} are not its bytes"
                for row in connection.execute(sa.text(ALL))
                if row.is_under_way and received[row.id]
            ]
        return found

    def _one_step(self, api: Process, sending: Sending) -> None:
        content = sending.file.content
        if not sending.id:
            self._takes_up(api, sending)
            return
        status, upload = self._ask(api, "GET", f"{UPLOADS}/{sending.id}", None, sending)
        if status != 200:
            self.found += [f"I1: {sending.id} answers {status}"] if status == 404 else []
            return
        if upload["offset"] < sending.acknowledged:
            self.found.append(f"I1: {upload} has lost some of {sending.acknowledged} bytes")
        if upload["offset"] < len(content):
            self._appends(api, sending, upload["offset"], content[upload["offset"] :])
        else:
            self._is_submitted(api, sending)

    def _takes_up(self, api: Process, sending: Sending) -> None:
        """The answer to the start was lost: there is one upload now, or none."""
        status, listed = self._ask(api, "GET", UPLOADS, None, sending)
        if status == 200 and listed["items"]:
            (upload,) = listed["items"]
            sending.id = upload["id"]
        elif status == 200:
            self._starts(api, sending, b"")

    def _starts(self, api: Process, sending: Sending, piece: bytes) -> bool:
        length = {"Upload_Length": str(len(sending.file.content))}
        status, upload = self._ask(api, "POST", UPLOADS, piece or None, sending, **length)
        if status == 201:
            sending.id, sending.acknowledged = upload["id"], upload["offset"]
            assert sending.acknowledged == len(piece)
        return status == 201

    def _appends(self, api: Process, sending: Sending, start: int, piece: bytes) -> bool:
        path, offset = f"{UPLOADS}/{sending.id}", {"Upload_Offset": str(start)}
        status, _ = self._ask(api, "PATCH", path, piece, sending, **offset)
        if status == 204:
            sending.acknowledged = start + len(piece)
        return status == 204

    def _is_submitted(self, api: Process, sending: Sending) -> bool:
        history, body = self._stage.history, json.dumps({"upload_id": sending.id}).encode()
        history.invoked(sending.file, sending.token)
        kind = {"Content_Type": "application/json"}
        status, answer = self._ask(api, "POST", SUBMISSIONS, body, sending, **kind)
        if status:
            history.answered(sending.file.key, status, answer)
        else:
            history.unanswered(sending.file.key)
        if status == 202:
            del self._under_way[sending.token]
        return status == 202

    def _ask(
        self, api: Process, method: str, path: str, body: bytes | None, of: Sending, **more: str
    ) -> tuple[int, dict[str, Any]]:
        """Status and answer; 0 where there is none."""
        try:
            return api.ask(method, path, body, of.token, **more)
        except OSError:
            return 0, {}


def ends_two(stage: Stage, uploading: Uploading, api: Process) -> None:
    """Two uploads with pieces whose time is over."""
    for token in stage.tokens[1:3]:
        uploading.only_starts(api, token)
        uploading.expires(token)


def sweeps(stage: Stage, worker: Process) -> bool:
    """A worker from its start until nothing is left of uploads that have ended."""
    worker.go_on()
    wait_for(lambda: not worker.is_alive() or stage.count(ENDED) == 0, "a sweep or a death")
    return worker.is_alive()
