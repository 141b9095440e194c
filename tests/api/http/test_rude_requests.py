"""Small requests that cost much, claim to be something else, or come from somewhere else."""

from __future__ import annotations

import json
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

from podium.application import Application
from podium.core.competition_settings import CompetitionSettings
from podium.core.models import Job
from tests.builders.jobs.in_process import doing_jobs
from tests.builders.rows import add_live_worker
from tests.builders.uploads.changes import judge, look
from tests.builders.uploads.server import API, eventually, read_answer
from tests.builders.uploads.stage import Stage

JSON = {"Content-Type": "application/json"}


def test_a_file_name_ends_where_it_ends(stage: Stage) -> None:
    path = "/admin/competitions/otto/files/train.csv%0a"
    refused = stage.server.request("PUT", path, stage.admin_token, content=b"x")
    assert (refused.status_code, refused.json()["code"]) == (422, "bad-file-name")


def test_a_form_type_that_is_slow_to_take_apart_is_refused_by_its_length(stage: Stage) -> None:
    kind = {"Content-Type": 'multipart/form-data; x="' + ";" * 30_000}
    refused = stage.server.submit(stage.token, b"x", headers=kind)
    assert (refused.status_code, refused.json()["code"]) == (400, "bad-form")
    # Taken apart naively it keeps an idle machine busy for a second.
    assert "too long" in refused.json()["detail"]
    assert stage.server.slots() == 0


def test_a_form_may_name_its_file_in_any_alphabet(stage: Stage) -> None:
    body = (
        b"--XX\r\nContent-Disposition: form-data; name=\"file\"; filename*=utf-8''f%C3%BC.csv"
        b"\r\n\r\nhello\r\n--XX--\r\n"
    )
    kind = {"Content-Type": "multipart/form-data; boundary=XX"}
    answer = stage.server.submit(stage.token, body, headers=kind)
    assert answer.json()["filename"] == "fü.csv"


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://podium.evil.example"])
def test_pages_of_other_sites_follow_nothing(stage: Stage, origin: str) -> None:
    submission = stage.server.submit(stage.token).json()["id"]
    path = f"/submissions/{submission}/events"
    refused = stage.server.request("GET", path, stage.token, headers={"Origin": origin})
    assert (refused.status_code, refused.json()["code"]) == (403, "foreign-origin")


def test_a_page_of_this_site_follows(stage: Stage) -> None:
    submission = stage.server.submit(stage.token).json()["id"]
    judge(stage, submission, state="cancelled")
    origin = {"Origin": f"http://127.0.0.1:{stage.server.port}"}
    path = f"/submissions/{submission}/events"
    assert stage.server.request("GET", path, stage.token, headers=origin).status_code == 200


def test_a_body_of_very_many_values_is_not_looked_at(stage: Stage) -> None:
    body = json.dumps({f"x{number}": 1 for number in range(60_000)})
    answer = stage.server.request(
        "PATCH",
        "/admin/competitions/otto",
        stage.admin_token,
        content=body.encode(),
        headers=JSON,
    )
    assert (answer.status_code, answer.json()["code"]) == (400, "bad-json")


def test_only_ten_of_many_problems_are_listed_and_all_are_counted(stage: Stage) -> None:
    body = {f"x{number}": 1 for number in range(60)}
    problem = stage.server.request("POST", "/me/tokens", stage.token, json=body).json()
    assert (len(problem["errors"]), problem["error_count"]) == (10, 60)


def test_little_of_the_senders_own_text_comes_back(stage: Stage) -> None:
    body = {"<script>\u202e\n" * 100: 1}
    problem = stage.server.request("POST", "/me/tokens", stage.token, json=body).json()
    assert len(problem["detail"]) <= 280
    assert problem["errors"][0]["column"] == ("body." + "<script>??" * 100)[:64]


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "text/plain", None])
def test_json_of_another_type_is_told_what_to_say(stage: Stage, kind: str | None) -> None:
    headers = {"Content-Type": kind} if kind else {}
    answer = stage.server.request(
        "POST", "/me/tokens", stage.token, content=b'{"label": "x"}', headers=headers
    )
    assert (answer.status_code, answer.json()["code"]) == (415, "not-json")
    assert "application/json" in answer.json()["detail"]


def test_who_repeats_a_running_upload_is_told_when_to_ask_again(stage: Stage) -> None:
    head = stage.server.head(stage.token, "Content-Length: 5", "Idempotency-Key: k")
    with stage.server.connect() as first:
        first.sendall(head)
        assert eventually(lambda: stage.server.slots() == 1)
        refused = stage.server.submit(stage.token, b"12345", headers={"Idempotency-Key": "k"})
        assert (refused.status_code, refused.json()["code"]) == (409, "idempotency-running")
        assert refused.headers["retry-after"] == "2"
        first.sendall(b"12345")
        assert read_answer(first).status == 202


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("expanded-too-large", 413),
        ("unsupported-media-type", 415),
        ("header-mismatch", 422),
        ("resource-limit", 422),
    ],
)
def test_a_rejection_has_the_status_of_its_kind(stage: Stage, code: str, status: int) -> None:
    submission = stage.server.submit(stage.token).json()["id"]
    problem = {"code": code, "detail": "No.", "errors": [], "error_count": 0}
    judge(stage, submission, state="rejected", problem=problem)
    assert look(stage, submission, stage.token).json()["problem"]["status"] == status


def test_organizers_who_wait_take_no_thread_from_other_users(stage: Stage) -> None:
    application = stage.server.application
    path = f"{API}/admin/competitions/otto/published-ids"
    with application.database.write() as session:
        competition = session.merge(stage.competition)
        competition.launched_at = None
        competition.settings = CompetitionSettings().model_dump(mode="json")
        add_live_worker(session)

    def put(_: int) -> int:
        headers = {"Authorization": f"Bearer {stage.admin_token}"}
        with stage.server.another_client() as client:
            return int(client.put(path, content=b"1\n2\n", headers=headers).status_code)

    # More than the framework has threads.
    many = 60
    with ThreadPoolExecutor(many) as pool:
        waiting = [pool.submit(put, number) for number in range(many)]
        assert eventually(lambda: _jobs(application) == 1)
        began = time.monotonic()
        assert stage.server.client.get(f"{API}/competitions").status_code == 200
        assert time.monotonic() - began < application.settings.answer_seconds / 3
        assert not any(answer.done() for answer in waiting)
        with doing_jobs(application):
            assert {answer.result() for answer in waiting} == {200}
    assert _jobs(application) == 1


def _jobs(application: Application) -> int:
    with application.database.read() as session:
        return session.query(Job).count()


def test_one_account_follows_only_so_much_at_a_time(stage: Stage) -> None:
    submission = stage.server.submit(stage.token).json()["id"]
    path = f"{API}/submissions/{submission}/events"
    request = _asking(path, stage.token)
    with ExitStack() as streams:
        for _ in range(16):
            connection = streams.enter_context(stage.server.connect())
            connection.sendall(request)
            assert b"event: submission" in _until_first_event(connection)
        refused = stage.server.client.get(path, headers={"Authorization": f"Bearer {stage.token}"})
        assert (refused.status_code, refused.json()["code"]) == (429, "too-many-streams")
        assert refused.headers["retry-after"] == "10"
    judge(stage, submission, state="cancelled")
    assert eventually(lambda: look(stage, f"{submission}/events", stage.token).status_code == 200)


def test_those_who_ask_at_the_same_moment_follow_no_more(stage: Stage) -> None:
    submission = stage.server.submit(stage.token).json()["id"]
    path = f"{API}/submissions/{submission}/events"
    request = _asking(path, stage.token)
    with ExitStack() as streams:
        connections = [streams.enter_context(stage.server.connect()) for _ in range(64)]
        for connection in connections:
            connection.sendall(request)
        statuses = [read_answer(connection).status for connection in connections]
        assert sorted(statuses) == [200] * 16 + [429] * 48
        # Another account has streams of its own.
        assert look(stage, f"{submission}/events", stage.stranger_token).status_code == 404
        for connection in connections:
            connection.close()
    judge(stage, submission, state="cancelled")
    assert eventually(lambda: look(stage, f"{submission}/events", stage.token).status_code == 200)


def _until_first_event(connection: socket.socket) -> bytes:
    seen = b""
    while b"event: submission" not in seen and (piece := connection.recv(65536)):
        seen += piece
    return seen


def _asking(path: str, token: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: podium\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
