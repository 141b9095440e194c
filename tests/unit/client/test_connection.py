"""The client's handling of refusals and of a bad network."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from podium import errors
from podium.client import Organizer, Podium, connection
from podium.client.downloads import download
from podium.client.uploads import RESUMABLE_BYTES
from podium.errors.codes import ErrorCode
from tests.unit.client.scripted import Answer, scripted

BUSY = Answer(503, {"code": "storage-full", "detail": "The disk is full."}, {"Retry-After": "0"})


def problem(status: int, code: str, **headers: str) -> Answer:
    return Answer(status, {"code": code, "detail": f"It is {code}.", "request_id": "r1"}, headers)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (problem(400, "bad-request"), errors.BadRequest),
        (problem(401, "not-authenticated"), errors.NotAuthenticated),
        (problem(403, "not-allowed"), errors.NotAllowed),
        (problem(404, "not-found"), errors.NotFound),
        (problem(409, "competition-closed"), errors.WrongState),
        (problem(412, "precondition-failed"), errors.PreconditionFailed),
        (problem(413, "too-large"), errors.TooLarge),
        (problem(415, "unsupported-media-type"), errors.UnsupportedContainer),
        (problem(422, "invalid"), errors.InvalidInput),
    ],
)
def test_a_problem_document_becomes_the_error_of_its_status(
    answer: Answer, kind: type[errors.PodiumError]
) -> None:
    with (
        scripted(answer) as server,
        Podium(server.url, "t") as podium,
        pytest.raises(kind) as caught,
    ):
        podium.competition("otto")
    assert type(caught.value) is kind
    assert caught.value.code == answer.document["code"]
    assert caught.value.detail == answer.document["detail"]
    assert caught.value.facts["request_id"] == "r1"


def test_an_exhausted_quota_says_how_long_to_wait() -> None:
    answer = problem(429, "quota-exhausted", **{"Retry-After": "3600"})
    with (
        scripted(answer) as server,
        Podium(server.url, "t") as podium,
        pytest.raises(errors.QuotaExhausted) as caught,
    ):
        podium.create_team("otto", "A")
    assert caught.value.retry_after == 3600


def test_the_problems_of_an_invalid_input_are_kept() -> None:
    found = [{"code": "bad-label", "line": 7, "detail": "No number.", "hint": None}]
    document = {"code": "bad-label", "detail": "No number.", "errors": found, "error_count": 12}
    with (
        scripted(Answer(422, document)) as server,
        Podium(server.url) as podium,
        pytest.raises(errors.InvalidInput) as caught,
    ):
        podium.create_team("otto", "A")
    assert caught.value.problems == found
    assert caught.value.problem_count == 12


PAGE = b"<!DOCTYPE html><title>Not found</title>"


@pytest.mark.parametrize(
    "answer",
    [
        Answer(404),
        Answer(404, ["a", "list"]),
        Answer(403, {"error": "of another program"}),
        Answer(404, content=PAGE),
        Answer(200, content=PAGE),
    ],
    ids=["nothing", "a list", "other JSON", "a page", "a good page"],
)
def test_an_answer_that_no_podium_gives_means_a_wrong_address(answer: Answer) -> None:
    with (
        scripted(answer) as server,
        Podium(server.url) as podium,
        pytest.raises(errors.NotConfigured) as caught,
    ):
        podium.me()
    assert caught.value.detail == (
        f"{server.url} is not the address of a Podium server. Give the one that its pages begin"
        " with."
    )


def test_a_server_that_has_moved_is_told_with_its_new_address() -> None:
    moved = Answer(301, None, {"Location": "https://podium.example/api/v1/me"})
    with (
        scripted(moved) as server,
        Podium(server.url) as podium,
        pytest.raises(errors.NotConfigured, match=r"to https://podium\.example\. Use that address"),
    ):
        podium.me()


@pytest.mark.parametrize(
    ("status", "kind", "told"),
    [
        (413, errors.TooLarge, "a proxy before the server sets the limit"),
        (502, errors.Unavailable, "cannot answer right now"),
        (504, errors.Unavailable, "cannot answer right now"),
    ],
)
def test_what_a_proxy_refuses_is_told_without_talk_of_http(
    status: int, kind: type[errors.PodiumError], told: str
) -> None:
    with (
        scripted(Answer(status, content=PAGE)) as server,
        Podium(server.url, "t") as podium,
        pytest.raises(kind) as caught,
    ):
        podium.create_team("otto", "A")
    assert told in caught.value.detail
    # The port of the server may be any number.
    assert str(status) not in caught.value.detail.replace(server.url, "")


def test_a_repetition_is_told_before_it_begins(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"x" * (1 << 20))
    told: list[str] = []
    accepted = Answer(202, {"id": "s1"})
    with scripted(Answer(cut=10), accepted) as server, Podium(server.url, "t") as podium:
        podium.submit("otto", tmp_path / "a.csv", ask_first=False, on_retry=told.append)
    [sentence] = told
    assert sentence.startswith(f"The upload was interrupted: {server.url} does not answer: ")
    assert sentence.endswith(" Trying again …")


def test_reading_is_tried_again_while_the_server_is_busy() -> None:
    with scripted(BUSY, Answer(cut=0), Answer(200, {"name": "ada"})) as server:
        with Podium(server.url) as podium:
            assert podium.me() == {"name": "ada"}
        assert [seen.path for seen in server.seen] == ["/api/v1/me", "/api/v1/me"]


def test_reading_gives_up_after_four_attempts() -> None:
    with scripted(BUSY, BUSY, BUSY, BUSY) as server, Podium(server.url) as podium:
        with pytest.raises(errors.Unavailable, match="disk is full"):
            podium.me()
        assert len(server.seen) == 4


def test_writing_is_not_tried_again() -> None:
    with scripted(BUSY, Answer(201, {"id": "t1"})) as server, Podium(server.url) as podium:
        with pytest.raises(errors.Unavailable):
            podium.create_team("otto", "A")
        assert len(server.answers) == 1


def test_a_server_that_is_not_there_is_unreachable() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with Podium(f"http://127.0.0.1:{port}") as podium, pytest.raises(errors.Unavailable) as caught:
        podium.create_team("otto", "A")
    assert caught.value.code == "unreachable"


def test_the_token_goes_into_the_header_and_nowhere_else() -> None:
    with scripted(Answer(200, {"name": "ada"})) as server, Podium(server.url, "secret") as podium:
        podium.me()
    assert server.seen[0].headers["authorization"] == "Bearer secret"
    assert "secret" not in server.seen[0].path


@pytest.mark.parametrize(
    ("slug", "sent"),
    [("../admin?x=1", "..%2Fadmin%3Fx%3D1"), ("..", "%2E%2E"), (".", "%2E"), ("a.b", "a.b")],
)
def test_a_slug_cannot_leave_its_place_in_the_path(slug: str, sent: str) -> None:
    with scripted(Answer(200, {})) as server, Podium(server.url) as podium:
        podium.competition(slug)
    assert server.seen[0].path == f"/api/v1/competitions/{sent}"


def test_a_download_that_breaks_off_leaves_no_file(tmp_path: Path) -> None:
    short = Answer(200, None, {"Content-Length": "10"})
    with (
        scripted(short) as server,
        Podium(server.url) as podium,
        pytest.raises(errors.PodiumError),
    ):
        podium.sample_submission("otto", tmp_path / "sample.csv")
    assert list(tmp_path.iterdir()) == []


RUNNING = Answer(503, {"code": "still-running", "detail": "It goes on."}, {"Retry-After": "0"})


def test_work_that_takes_longer_than_a_request_is_waited_for() -> None:
    launched = Answer(200, {"slug": "otto"})
    with scripted(*[RUNNING] * 6, launched) as server, Organizer(server.url, "t") as organizer:
        assert organizer.launch("otto") == {"slug": "otto"}
    assert len(server.seen) == 7


def test_a_file_is_sent_again_until_it_was_read(tmp_path: Path) -> None:
    (tmp_path / "items.csv").write_text("item\n1\n")
    told = Answer(201, {"items": 1})
    with scripted(RUNNING, RUNNING, told) as server, Organizer(server.url, "t") as organizer:
        assert organizer.describe_items("otto", tmp_path / "items.csv") == {"items": 1}
    assert {request.body for request in server.seen} == {b"item\n1\n"}


def test_a_launch_that_no_worker_would_check_is_not_repeated() -> None:
    anonymous = problem(503, "no-worker")
    with (
        scripted(anonymous) as server,
        Organizer(server.url, "t") as organizer,
        pytest.raises(errors.Unavailable),
    ):
        organizer.launch("otto")
    assert len(server.seen) == 1


@pytest.fixture
def silent() -> Iterator[socket.socket]:
    """A server that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server


def address_of(server: socket.socket) -> str:
    return f"http://127.0.0.1:{server.getsockname()[1]}"


def connections_to(server: socket.socket) -> int:
    """The number of connections that wait to be accepted."""
    server.setblocking(False)
    count = 0
    with suppress(BlockingIOError):
        while True:
            server.accept()[0].close()
            count += 1
    return count


def test_a_silent_server_gets_two_attempts_and_its_silence_is_told_once(
    silent: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "READ_SECONDS", 0.3)
    told: list[str] = []
    with (
        Podium(address_of(silent), on_slow=told.append, slow_seconds=0.01) as podium,
        pytest.raises(errors.Unavailable, match="no answer came in time") as caught,
    ):
        podium.competition("otto")
    assert caught.value.code == ErrorCode.UNREACHABLE
    assert connections_to(silent) == 2
    assert told == [f"{address_of(silent)} has not answered for 1 s. Still waiting …"]


def test_a_call_waits_no_longer_than_its_timeout(silent: socket.socket) -> None:
    with (
        Podium(address_of(silent), timeout=0.1) as podium,
        pytest.raises(errors.Unavailable) as caught,
    ):
        podium.competition("otto")
    assert caught.value.code == ErrorCode.WAIT_TIMED_OUT
    assert connections_to(silent) == 1


@pytest.mark.parametrize("size", [3, RESUMABLE_BYTES + 1])
def test_a_file_waits_no_longer_than_its_timeout_for_an_answer(
    silent: socket.socket, tmp_path: Path, size: int
) -> None:
    file, told = tmp_path / "truth.csv", list[str]()
    file.write_bytes(b"x" * size)
    with (
        Organizer(
            address_of(silent), timeout=0.3, on_slow=told.append, slow_seconds=0.01
        ) as organizer,
        pytest.raises(errors.Unavailable, match="has not answered after 1 s") as caught,
    ):
        organizer.upload_ground_truth("otto", file)
    assert caught.value.code == ErrorCode.WAIT_TIMED_OUT
    assert connections_to(silent) == 1
    assert told == [f"{address_of(silent)} has not answered for 1 s. Still waiting …"]


def test_a_download_waits_no_longer_than_its_timeout(silent: socket.socket, tmp_path: Path) -> None:
    with (
        Podium(address_of(silent), timeout=0.1) as podium,
        pytest.raises(errors.Unavailable) as caught,
    ):
        download(podium.connection, "/file", tmp_path / "file", size=3, sha256="0" * 64)
    assert caught.value.code == ErrorCode.WAIT_TIMED_OUT
    assert connections_to(silent) == 1


def test_a_dead_proxy_is_named_without_its_password(
    silent: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://ada:secret@127.0.0.1:1")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with (
        Podium(address_of(silent)) as podium,
        pytest.raises(errors.Unavailable) as caught,
    ):
        podium.create_team("otto", "A")
    told = "does not answer by way of the proxy http://127.0.0.1:1: no program listens there."
    assert caught.value.detail == f"{address_of(silent)} {told}"
    assert connections_to(silent) == 0


def test_a_server_that_no_proxy_names_is_reached_without_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with Podium("http://127.0.0.1:2") as podium, pytest.raises(errors.Unavailable) as caught:
        podium.create_team("otto", "A")
    assert "proxy" not in caught.value.detail
