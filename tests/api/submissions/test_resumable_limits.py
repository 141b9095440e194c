"""Limits of resumable uploads: access, size, time."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import httpx2
import pytest
from sqlalchemy.exc import OperationalError

from podium.core.models import Upload, UploadPiece
from podium.settings import Settings
from podium.storage.local import LocalStorage
from podium.submissions.routes import upload_pieces
from podium.submissions.service import uploads
from podium.submissions.service.retention import remove_ended
from podium.submissions.service.uploads import UploadLease
from tests.builders.uploads.pieces import (
    FILE,
    append,
    begun,
    change,
    digest_of,
    how_far,
    is_held,
    patch_head,
    sent_bytes,
    start,
    stored_pieces,
    submit,
)
from tests.builders.uploads.server import eventually, read_answer
from tests.builders.uploads.stage import Stage


def test_no_other_user_finds_an_upload(stage: Stage) -> None:
    upload = begun(stage, FILE[:10])
    for token in (stage.stranger_token, stage.admin_token):
        for method in ("GET", "PATCH", "DELETE"):
            answer = stage.server.request(
                method, f"/uploads/{upload}", token, headers={"Upload-Offset": "10"}
            )
            assert answer.status_code == 404
        assert submit(stage, upload, token).status_code == 404
        assert stage.server.request("GET", "/uploads", token).json()["items"] == []
    assert stage.server.request("GET", f"/uploads/{upload}").status_code == 401
    assert stage.server.request("POST", "/uploads").status_code == 401
    assert how_far(stage, upload)[0] == "10"


def test_a_user_who_can_send_nothing_anywhere_starts_no_upload(stage: Stage) -> None:
    answer = stage.server.request("POST", "/uploads", stage.stranger_token, content=FILE)
    assert (answer.status_code, answer.json()["code"]) == (403, "not-joined")


def test_a_discarded_upload_leaves_nothing(stage: Stage) -> None:
    upload = begun(stage, FILE[:10])
    gone = stage.server.request("DELETE", f"/uploads/{upload}", stage.token)
    assert (gone.status_code, stored_pieces(stage)) == (204, 0)
    assert stage.server.request("HEAD", f"/uploads/{upload}", stage.token).status_code == 404
    with stage.server.application.database.read() as session:
        assert session.query(Upload).count() == session.query(UploadPiece).count() == 0


@pytest.mark.parametrize(
    ("sends_on", "told"), [(True, (409, "upload-taken-over")), (False, (404, "not-found"))]
)
def test_a_client_that_still_sends_to_a_discarded_upload_is_told_before_the_body_ends(
    stage: Stage, sends_on: bool, told: tuple[int, str]
) -> None:
    upload, ended = begun(stage, length=1 << 20), Event()

    def trickle(connection: socket.socket) -> None:
        # Never silent for as long as after which what came is kept.
        while not ended.wait(0.05):
            connection.sendall(b"x")

    with stage.server.connect() as connection, ThreadPoolExecutor(1) as pool:
        connection.sendall(patch_head(stage, upload, 1 << 20) + b"x")
        sending = pool.submit(trickle, connection) if sends_on else None
        # Otherwise the deletion may come first, and the request never begins.
        assert eventually(lambda: is_held(stage, upload), seconds=60)
        if not sends_on:
            assert eventually(lambda: how_far(stage, upload)[0] == "1", seconds=60)
        gone = stage.server.request("DELETE", f"/uploads/{upload}", stage.token)
        assert gone.status_code == 204
        answer = read_answer(connection)
        ended.set()
        if sending is not None:
            sending.exception()
    assert (answer.status, answer.json()["code"]) == told
    assert eventually(lambda: stored_pieces(stage) == 0)


def test_a_look_that_the_database_does_not_answer_ends_no_body(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload, looked, still_held = begun(stage, length=1 << 20), Event(), uploads.still_held

    def away(session: Any, *, lease: UploadLease, for_update: bool = True) -> Upload:
        if for_update:
            return still_held(session, lease=lease)
        looked.set()
        raise OperationalError("SELECT", {}, ConnectionError())

    monkeypatch.setattr(uploads, "still_held", away)
    sent = 1
    with stage.server.connect() as connection:
        connection.sendall(patch_head(stage, upload, 1 << 20) + b"x")
        while not looked.wait(0.05):
            connection.sendall(b"x")
            sent += 1
        connection.sendall(b"x" * ((1 << 20) - sent))
        answer = read_answer(connection)
    assert (answer.status, answer.headers["upload-complete"]) == (204, "?1")


def test_a_fourth_unfinished_upload_is_refused_until_one_is_gone(stage: Stage) -> None:
    first, *_ = [begun(stage, b"a", 1000) for _ in range(3)]
    answer = start(stage, Upload_Length="1000")
    assert (answer.status_code, answer.json()["code"]) == (429, "too-many-uploads")
    stage.server.request("DELETE", f"/uploads/{first}", stage.token)
    assert start(stage, Upload_Length="1000").status_code == 201


def test_an_empty_upload_makes_room_for_a_new_one(stage: Stage) -> None:
    empty, *_ = [begun(stage, body, 1000) for body in (b"", b"a", b"b")]
    assert start(stage, Upload_Length="1000").status_code == 201
    assert stage.server.request("HEAD", f"/uploads/{empty}", stage.token).status_code == 404


def test_an_empty_upload_makes_room_for_the_bytes_of_a_new_one(stage: Stage) -> None:
    empty, *others = [start(stage).json()["id"] for _ in range(2)]
    assert start(stage).status_code == 201
    listed = stage.server.request("GET", "/uploads", stage.token).json()["items"]
    assert others[0] in [each["id"] for each in listed]
    assert stage.server.request("HEAD", f"/uploads/{empty}", stage.token).status_code == 404


def test_unfinished_uploads_together_have_at_most_twice_the_largest_file(stage: Stage) -> None:
    kept = [begun(stage, b"a", 4 << 20) for _ in range(2)]
    answer = start(stage, Upload_Length="1")
    assert (answer.status_code, answer.json()["code"]) == (429, "too-many-uploads")
    assert "more bytes than 2 of the largest files" in answer.json()["detail"]
    assert [how_far(stage, each)[0] for each in kept] == ["1", "1"]


def test_more_bytes_than_allowed_or_announced_are_refused(stage: Stage) -> None:
    large = start(stage, Upload_Length=str((4 << 20) + 1))
    assert (large.status_code, large.json()["code"]) == (413, "too-large")
    upload = begun(stage, FILE[:10], 20)
    more = append(stage, upload, 10, FILE[10:21])
    assert (more.status_code, more.json()["code"]) == (400, "upload-too-long")
    endless = start(stage).json()["id"]
    answer = append(stage, endless, 0, iter([b"x" * (1 << 20)] * 5))  # type: ignore[arg-type]
    assert (answer.status_code, answer.json()["code"]) == (413, "too-large")


@pytest.mark.parametrize("in_chunks", [False, True])
def test_a_body_that_is_longer_than_the_file_changes_nothing(stage: Stage, in_chunks: bool) -> None:
    whole = FILE * 300
    half = len(whole) // 2
    upload = begun(stage, whole[:half], len(whole))
    pieces = [whole[start : start + (1 << 16)] for start in range(0, len(whole), 1 << 16)]
    refused = append(stage, upload, half, iter(pieces) if in_chunks else whole)  # type: ignore[arg-type]
    assert (refused.status_code, refused.json()["code"]) == (400, "upload-too-long")
    assert how_far(stage, upload)[0] == str(half)
    assert stored_pieces(stage) == 1
    assert append(stage, upload, half, whole[half:]).status_code == 204
    assert sent_bytes(stage, submit(stage, upload).json()["id"]) == whole


def test_what_was_kept_in_a_silence_of_a_body_that_is_too_long_is_forgotten(stage: Stage) -> None:
    upload = begun(stage, length=1000)
    head = patch_head(stage, upload, 0).replace(b"Content-Length: 0", b"Transfer-Encoding: chunked")
    with stage.server.connect() as connection:
        connection.sendall(head + b"1F4\r\n" + b"x" * 500 + b"\r\n")
        assert eventually(lambda: how_far(stage, upload)[0] == "500", seconds=60)
        connection.sendall(b"1F5\r\n" + b"x" * 501 + b"\r\n0\r\n\r\n")
        answer = read_answer(connection)
    assert (answer.status, answer.json()["code"]) == (400, "upload-too-long")
    assert how_far(stage, upload)[0] == "0"
    assert stored_pieces(stage) == 0


WHOLE = b"%x\r\n%s\r\n" % (len(FILE), FILE)
"""All of the file as a chunk, after which its body goes on."""


@pytest.mark.parametrize(
    ("head", "end", "answered", "offset"),
    [
        (f"Content-Digest: {digest_of(FILE + b'x')}", b"0\r\n\r\n", (422, "digest-mismatch"), 0),
        (f"Content-Digest: {digest_of(FILE + b'x')}", b"", None, 0),
        (f"Content-Digest: {digest_of(FILE)}", b"0\r\n\r\n", (204, None), len(FILE)),
        ("Upload-Complete: ?1", b"0\r\n\r\n", (204, None), len(FILE)),
        ("Upload-Complete: ?0", b"1\r\nx\r\n0\r\n\r\n", (400, "upload-too-long"), 0),
    ],
    ids=["another file", "another file, cut", "the file", "the last bytes", "a byte more"],
)
def test_a_whole_file_is_not_kept_before_its_body_ends(
    stage: Stage,
    monkeypatch: pytest.MonkeyPatch,
    head: str,
    end: bytes,
    answered: tuple[int, str | None] | None,
    offset: int,
) -> None:
    rested = Event()

    def rest(appending: Any, act: Any = upload_pieces._Appending.rest) -> None:
        act(appending)
        rested.set()

    monkeypatch.setattr(upload_pieces._Appending, "rest", rest)
    monkeypatch.setattr(upload_pieces, "REST_SECONDS", 0.05)
    upload = begun(stage)
    length = b"Content-Length: 0"
    lines = b"Transfer-Encoding: chunked\r\n" + head.encode()
    with stage.server.connect() as connection:
        connection.sendall(patch_head(stage, upload, 0).replace(length, lines) + WHOLE)
        assert rested.wait(60)
        assert how_far(stage, upload)[0] == "0"
        assert submit(stage, upload).json()["code"] == "upload-busy"
        connection.sendall(end)
        if answered is not None:
            answer = read_answer(connection)
            assert (answer.status, answer.json()["code"] if answer.body else None) == answered
    assert eventually(lambda: not is_held(stage, upload))
    assert how_far(stage, upload)[0] == str(offset)
    assert stored_pieces(stage) == (1 if offset else 0)


def test_a_length_of_the_body_that_is_too_long_is_refused_before_the_body_comes(
    stage: Stage,
) -> None:
    upload = begun(stage, length=1000)
    with stage.server.connect() as connection:
        connection.sendall(patch_head(stage, upload, 1001))
        answer = read_answer(connection)
    assert (answer.status, answer.json()["code"]) == (400, "upload-too-long")
    assert how_far(stage, upload)[0] == "0"
    assert not is_held(stage, upload)


def test_an_upload_that_begins_with_too_many_bytes_is_not_made(stage: Stage) -> None:
    refused = start(stage, FILE, Upload_Length="10")
    assert (refused.status_code, refused.json()["code"]) == (400, "upload-too-long")
    assert stage.server.request("GET", "/uploads", stage.token).json()["items"] == []


def test_a_file_does_not_come_in_any_number_of_pieces(stage: Stage) -> None:
    upload = begun(stage)
    with stage.server.application.database.write() as session:
        row = session.get_one(Upload, upload)
        row.received = 9_999
        session.add_all(
            UploadPiece(upload_id=upload, start=number, bytes=1, sha256="0" * 64)
            for number in range(9_999)
        )
    assert append(stage, upload, 9_999, b"x").status_code == 204
    refused = append(stage, upload, 10_000, b"x")
    assert (refused.status_code, refused.json()["code"]) == (409, "too-many-pieces")
    assert stored_pieces(stage) == 1
    assert stage.server.request("DELETE", f"/uploads/{upload}", stage.token).status_code == 204
    assert stored_pieces(stage) == 0


def test_bodies_without_bytes_leave_nothing_behind(stage: Stage) -> None:
    upload = begun(stage)
    assert {append(stage, upload, 0, b"").status_code for _ in range(20)} == {204}
    assert stored_pieces(stage) == 0
    with stage.server.application.database.read() as session:
        assert session.query(UploadPiece).count() == 0


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({"Upload-Offset": "-1"}, "bad-upload-offset"),
        ({"Upload-Offset": "1e3"}, "bad-upload-offset"),
        ({"Upload-Offset": "9" * 16}, "bad-upload-offset"),
        ({}, "bad-upload-offset"),
        ({"Upload-Offset": "0", "Upload-Complete": "yes"}, "bad-upload-complete"),
        ({"Upload-Offset": "0", "Upload-Length": "many"}, "bad-upload-length"),
        ({"Upload-Offset": "0", "Upload-Length": "7"}, "bad-upload-length"),
        ({"Upload-Offset": "0", "Upload-Complete": "?1"}, "bad-upload-length"),
        ({"Upload-Offset": "0", "Content-Digest": "md5=:aa:"}, "bad-digest"),
    ],
)
def test_heads_that_make_no_sense_are_refused(
    stage: Stage, headers: dict[str, str], code: str
) -> None:
    upload = begun(stage)
    answer = stage.server.request(
        "PATCH", f"/uploads/{upload}", stage.token, content=b"abc", headers=headers
    )
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert how_far(stage, upload)[0] == "0"


def test_an_upload_that_expired_is_not_found_and_is_removed(stage: Stage) -> None:
    upload = begun(stage, FILE[:10])
    application = stage.server.application
    with application.database.write() as session:
        row = session.get_one(Upload, upload)
        row.expires_at = row.created_at
    assert stage.server.request("HEAD", f"/uploads/{upload}", stage.token).status_code == 404
    assert append(stage, upload, 10, FILE[10:]).status_code == 404
    assert submit(stage, upload).status_code == 404
    assert stored_pieces(stage) == 1
    assert remove_ended(application.database, application.storage) == 1
    assert stored_pieces(stage) == 0
    with application.database.read() as session:
        assert session.query(Upload).count() == 0
    assert remove_ended(application.database, application.storage) == 0


class TestALittleDisk:
    """An installation whose disk is nearly full."""

    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"min_free_bytes": 1 << 60})

    def test_without_room_nothing_is_started(self, stage: Stage) -> None:
        answer = start(stage, Upload_Length="1000")
        assert (answer.status_code, answer.json()["code"]) == (503, "storage-full")
        with stage.server.application.database.read() as session:
            assert session.query(Upload).count() == 0


class TestASlowStore:
    """More uploads at a time than there are threads for everything else (40)."""

    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        limits = {"unfinished_uploads": 60, "uploads_per_user": 60}
        return settings.model_copy(update=limits)

    def test_everybody_is_answered_while_pieces_and_files_wait_for_it(
        self, stage: Stage, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        change(stage, concurrent_uploads=60)
        ready = [
            start(stage, b"%d" % number, Upload_Complete="?1").json()["id"] for number in range(50)
        ]
        goes_on, read = Event(), LocalStorage.read

        def read_slowly(*given: Any) -> Iterator[bytes]:
            assert goes_on.wait(120)
            return read(*given)

        monkeypatch.setattr(LocalStorage, "read", read_slowly)
        address = stage.server.client.base_url.join("/api/v1/competitions/otto/submissions")
        head = {"Authorization": f"Bearer {stage.token}"}

        def send(upload: str) -> int:
            body = {"upload_id": upload}
            return httpx2.post(
                address, json=body, headers=head, timeout=120, verify=False
            ).status_code

        with ThreadPoolExecutor(50) as pool:
            answers = [pool.submit(send, upload) for upload in ready]
            try:
                assert eventually(lambda: stage.server.slots() == 50)
                board = stage.server.request("GET", "/competitions/otto/leaderboard?limit=7")
                assert board.status_code == 200
                assert not any(answer.done() for answer in answers)
            finally:
                goes_on.set()
            assert {answer.result() for answer in answers} == {202}
