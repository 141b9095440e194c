"""Decisions that are made before the body is read, and how refused clients get to see why."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from podium.core.models import QuotaSlot
from podium.submissions.service.quota import release_slot
from tests.builders.uploads.server import read_answer, send_until_refused
from tests.builders.uploads.stage import Stage

MEBIBYTE = 1 << 20
GIBIBYTE = 1 << 30


def test_a_stranger_with_a_huge_body_gets_401_and_little_of_it_is_read(stage: Stage) -> None:
    head = stage.server.head(None, f"Content-Length: {GIBIBYTE}")
    with stage.server.connect() as connection:
        # Small buffers on our side, so that what we sent is what was taken in.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 65536)
        answer = send_until_refused(connection, head, 64 * MEBIBYTE)
    assert answer.status == 401
    assert answer.headers["www-authenticate"].startswith("Bearer")
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["code"] == "not-authenticated"
    assert answer.sent <= 16 * MEBIBYTE


def test_a_token_in_the_address_is_no_token(stage: Stage) -> None:
    assert stage.server.request("GET", f"/me?token={stage.token}").status_code == 401


@pytest.mark.parametrize("who", ["nobody", "stranger"])
def test_who_asks_first_is_refused_before_any_body(stage: Stage, who: str) -> None:
    token = None if who == "nobody" else stage.stranger_token
    with stage.server.connect() as connection:
        connection.sendall(stage.server.head(token, "Content-Length: 5", "Expect: 100-continue"))
        answer = read_answer(connection)
    assert answer.status == (401 if who == "nobody" else 403)


def test_who_asks_first_and_may_submit_is_told_to_go_on(stage: Stage) -> None:
    with stage.server.connect() as connection:
        connection.sendall(
            stage.server.head(stage.token, "Content-Length: 5", "Expect: 100-continue")
        )
        assert connection.recv(1000).startswith(b"HTTP/1.1 100 ")
        assert stage.server.slots() == 1
        connection.sendall(b"a,b\n1")
        assert read_answer(connection).status == 202


def test_who_asks_first_with_a_used_up_quota_sends_nothing(stage: Stage) -> None:
    set_settings(stage, daily_limit=1)
    assert stage.server.submit(stage.token).status_code == 202
    with stage.server.connect() as connection:
        connection.sendall(
            stage.server.head(stage.token, "Content-Length: 5", "Expect: 100-continue")
        )
        answer = read_answer(connection)
    assert answer.status == 429
    assert answer.json()["code"] == "quota-exhausted"
    assert 0 < int(answer.headers["retry-after"]) <= 24 * 3600


def test_an_announced_length_over_the_limit_is_refused_at_once(stage: Stage) -> None:
    for length in (4 * MEBIBYTE + 1, 99999999999999999999):
        with stage.server.connect() as connection:
            connection.sendall(stage.server.head(stage.token, f"Content-Length: {length}"))
            answer = read_answer(connection)
        assert answer.status == 413
        assert answer.json()["code"] == "too-large"
    assert stage.server.slots() == 0


def test_a_body_of_exactly_the_limit_is_taken(stage: Stage) -> None:
    assert stage.server.submit(stage.token, b"x" * (4 * MEBIBYTE)).status_code == 202


def test_a_growing_body_is_cut_at_the_limit(stage: Stage) -> None:
    with stage.server.connect() as connection:
        connection.sendall(stage.server.head(stage.token, "Transfer-Encoding: chunked"))
        chunk = b"100000\r\n" + b"x" * MEBIBYTE + b"\r\n"
        for _ in range(4):
            connection.sendall(chunk)
        connection.sendall(b"1\r\ny\r\n")
        answer = read_answer(connection)
        assert answer.status == 413
        assert answer.headers["connection"] == "close"
        assert connection.recv(100) == b""
    assert stage.server.slots() == 0
    assert stage.server.unfinished_files() == []


def test_a_client_that_sends_everything_before_it_reads_sees_the_refusal(stage: Stage) -> None:
    body = b"x" * (4 * MEBIBYTE)
    with stage.server.connect() as connection:
        connection.sendall(stage.server.head(stage.stranger_token, f"Content-Length: {len(body)}"))
        connection.sendall(body)
        answer = read_answer(connection)
    assert answer.status == 403
    assert answer.json()["code"] == "not-joined"
    assert answer.json()["address"] == "/api/v1/competitions/otto/teams"


def test_a_refused_body_that_never_ends_is_given_up(stage: Stage) -> None:
    with stage.server.connect() as connection:
        connection.sendall(stage.server.head(None, "Content-Length: 1000000"))
        assert read_answer(connection).status == 401
        assert connection.recv(100) == b""


def test_a_compressed_request_is_refused_by_its_header(stage: Stage) -> None:
    answer = stage.server.submit(stage.token, b"x", headers={"Content-Encoding": "gzip"})
    assert answer.status_code == 415


@pytest.mark.parametrize("kind", ["image/png", "application/x-www-form-urlencoded", None])
def test_the_content_type_of_a_raw_body_means_nothing(stage: Stage, kind: str | None) -> None:
    with stage.server.connect() as connection:
        lines = ["Content-Length: 5"] + ([f"Content-Type: {kind}"] if kind else [])
        connection.sendall(stage.server.head(stage.token, *lines) + b"a=b&c")
        answer = read_answer(connection)
    assert answer.status == 202
    assert answer.json()["bytes"] == 5


@pytest.mark.parametrize("note", ["x" * 501, "two\nlines", "bell\x07"])
def test_a_bad_note_is_refused_before_the_quota(stage: Stage, note: str) -> None:
    path = "/competitions/otto/submissions"
    answer = stage.server.request("POST", path, stage.token, content=b"x", params={"note": note})
    assert answer.status_code == 422
    assert answer.json()["code"] == "bad-note"
    assert stage.server.slots() == 0


def test_more_uploads_at_a_time_than_allowed_are_refused(stage: Stage) -> None:
    open_connections = []
    limit = stage.server.application.settings.uploads_per_user
    try:
        for _ in range(limit):
            connection = stage.server.connect()
            connection.sendall(
                stage.server.head(stage.token, "Content-Length: 5", "Expect: 100-continue")
            )
            assert connection.recv(100).startswith(b"HTTP/1.1 100")
            open_connections.append(connection)
        answer = stage.server.submit(stage.token)
        assert answer.status_code == 429
        assert answer.json()["code"] == "too-many-uploads"
        assert int(answer.headers["retry-after"]) >= 1
    finally:
        for connection in open_connections:
            connection.close()


def test_closed_and_unknown_competitions_answer_before_the_body(stage: Stage) -> None:
    for member, code in (
        ("closed_at", "competition-closed"),
        ("starts_at", "competition-not-open"),
    ):
        with stage.server.application.database.write() as session:
            competition = session.get_one(type(stage.competition), stage.competition.id)
            competition.closed_at = competition.starts_at = None
            setattr(competition, member, competition.created_at.replace(year=2999))
        answer = stage.server.submit(stage.token)
        assert (answer.status_code, answer.json()["code"]) == (409, code)
    path = "/competitions/nothing/submissions"
    assert stage.server.request("POST", path, stage.token, content=b"x").status_code == 404


def test_the_slot_of_an_upload_that_was_given_away_is_not_used(stage: Stage) -> None:
    with stage.server.connect() as connection:
        connection.sendall(
            stage.server.head(stage.token, "Content-Length: 5", "Expect: 100-continue")
        )
        connection.recv(100)
        with stage.server.application.database.write() as session:
            (slot,) = session.query(QuotaSlot)
            release_slot(session, slot_id=slot.id)
        connection.sendall(b"a,b\n1")
        answer = read_answer(connection)
    assert (answer.status, answer.json()["code"]) == (503, "upload-lapsed")
    assert stage.server.submissions() == 0


def set_settings(stage: Stage, **settings: Any) -> None:
    with stage.server.application.database.write() as session:
        competition = session.get_one(type(stage.competition), stage.competition.id)
        competition.settings = competition.settings | settings
