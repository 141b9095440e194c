"""Clients that ask for much and read nothing: each costs little, and not for ever."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import pytest

from tests.builders.installation import ADMIN_TOKEN
from tests.builders.processes.process import DEADLINE_SECONDS, DOWNLOADS, MEBIBYTE, Process

pytestmark = [pytest.mark.xdist_group("availability"), pytest.mark.timeout(600)]

CLIENTS = 30
"""Fewer than one account may have of downloads."""

EACH = 1.5 * MEBIBYTE
"""The cost of one of them at most: a piece on its way, and as much that waits for the network."""

FILE = "/api/v1/competitions/otto/files/large.bin"
SAMPLE = "/api/v1/competitions/sampled/sample-submission"

PATIENCE_SECONDS = 20 * DEADLINE_SECONDS


@pytest.fixture(scope="module")
def answers(process: Process) -> None:
    """A data file and a sample submission that no buffer of the system holds."""
    path = "/admin/competitions/otto/files/large.bin"
    assert process.admin.put(path, content=bytes(24 * MEBIBYTE)).status_code in (200, 201)
    process.draft("sampled")
    ids = "".join(f"{session}\n" for session in range(10_000_000, 10_400_000))
    path = "/admin/competitions/sampled/published-ids"
    assert process.admin.put(path, content=ids.encode()).status_code == 200


def _eventually(condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)
    return True


def _is_reset(connection: socket.socket) -> bool:
    """True where no more comes than what this end holds already."""
    try:
        while connection.recv(1 << 16):
            pass
    except ConnectionResetError:
        return True
    return False


@contextmanager
def _unread(
    process: Process, path: str, number: int, *, token: str | None = ADMIN_TOKEN
) -> Iterator[list[socket.socket]]:
    """So many clients to whom the answer has begun, and who read none of it."""
    with ExitStack() as open_ones:
        connections = []
        for _ in range(number):
            connection = process.ask(path, token=token, receives=4096)
            connections.append(open_ones.enter_context(connection))
        for connection in connections:
            assert connection.recv(15, socket.MSG_PEEK).startswith(b"HTTP/1.1 200")
        yield connections


@pytest.mark.usefixtures("answers")
@pytest.mark.parametrize("path", [FILE, SAMPLE])
def test_who_reads_nothing_costs_little_and_is_closed(process: Process, path: str) -> None:
    # Whatever is made once is made before: the sample, the threads.
    assert len(process.client.get(path, headers=_HEADERS).content) > 10 * MEBIBYTE
    with _unread(process, path, CLIENTS):
        pass
    assert _eventually(lambda: process.connections() < CLIENTS)
    connections, before = process.connections(), process.resident_bytes()
    process.forget_peak()
    with _unread(process, path, CLIENTS) as unread:
        assert process.client.get("/healthz").status_code == 200
        assert process.client.get("/competitions/otto/leaderboard").status_code == 200
        # None was read, and all of them are closed.
        assert _eventually(lambda: process.connections() <= connections + 2)
        assert process.peak_bytes() - before < CLIENTS * EACH
        # The system of the server keeps nothing for them either.
        assert sum(map(_is_reset, unread)) >= CLIENTS - 2


@pytest.mark.usefixtures("answers")
def test_an_answer_that_was_sent_whole_is_not_waited_for_either(process: Process) -> None:
    """The server does not pause there: the answer is whole, and only its end waits for the
    network."""
    connections = process.connections()
    with _unread(process, "/openapi.json", CLIENTS):
        assert _eventually(lambda: process.connections() <= connections + 2)


@pytest.mark.usefixtures("answers")
def test_who_reads_slowly_gets_all_of_it(process: Process) -> None:
    started, seen = time.monotonic(), 0
    with process.ask(FILE, token=ADMIN_TOKEN, receives=1 << 16) as connection:
        while seen < 24 * MEBIBYTE:
            # Slow at first, for longer than anybody is waited for who reads nothing.
            if time.monotonic() - started < 3 * DEADLINE_SECONDS:
                time.sleep(DEADLINE_SECONDS / 30)
            piece = connection.recv(1 << 16)
            assert piece, f"closed after {seen} bytes"
            seen += len(piece)
    assert time.monotonic() - started > 3 * DEADLINE_SECONDS


@pytest.mark.usefixtures("answers")
def test_who_reads_slowly_out_of_large_buffers_gets_all_of_it(process: Process) -> None:
    """The system's buffers hold megabytes, and ask for more only after a third of them."""
    started, seen = time.monotonic(), 0
    with process.ask(FILE, token=ADMIN_TOKEN) as connection:
        while seen < 24 * MEBIBYTE:
            # Five times what is nothing, so that it takes several deadlines for a megabyte.
            if time.monotonic() - started < 7 * DEADLINE_SECONDS:
                time.sleep(DEADLINE_SECONDS / 10)
                piece = connection.recv(1 << 15)
            else:
                piece = connection.recv(1 << 20)
            assert piece, f"closed after {seen} bytes"
            seen += len(piece)


@pytest.mark.usefixtures("answers")
@pytest.mark.parametrize("token", [ADMIN_TOKEN, None])
def test_one_asker_has_only_so_many_downloads_and_all_others_theirs(
    process: Process, token: str | None
) -> None:
    """An account, wherever it asks from; all strangers of an address together."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    another = process.person(f"beside-{'account' if token else 'strangers'}")
    with _unread(process, FILE, DOWNLOADS, token=token):
        refused = process.client.get(FILE, headers=headers)
        assert (refused.status_code, refused.json()["code"]) == (429, "too-many-downloads")
        assert refused.json()["detail"].startswith(f"{DOWNLOADS} downloads are already running")
        assert int(refused.headers["retry-after"]) > 0
        # A class behind one address: users who are signed in have seats of their own.
        theirs = another.get(FILE.removeprefix("/api/v1"), headers=_FIRST)
        assert theirs.status_code == 206
        for path in ("/healthz", "/competitions/otto/leaderboard", FILE.rpartition("/")[0]):
            assert process.client.get(path).status_code == 200
        # What is not streamed needs no seat.
        head = process.client.head(FILE, headers=headers)
        assert head.status_code in (200, 429)
    assert _eventually(
        lambda: process.client.get(FILE, headers=headers | _FIRST).status_code == 206
    )


@pytest.mark.usefixtures("answers")
def test_the_sample_is_served_like_a_file(process: Process) -> None:
    whole = process.client.get(SAMPLE, headers=_HEADERS)
    assert whole.headers["content-type"].startswith("text/csv")
    assert whole.headers["accept-ranges"] == "bytes"
    assert whole.headers["content-length"] == str(len(whole.content))
    assert whole.content.startswith(b"session_type,labels\n10000000_clicks,")
    assert whole.content.count(b"\n") == 1 + 3 * 400_000
    part = process.client.get(SAMPLE, headers=_HEADERS | {"Range": "bytes=20-99"})
    assert (part.status_code, part.content) == (206, whole.content[20:100])
    assert part.headers["content-range"] == f"bytes 20-99/{len(whole.content)}"
    tag = whole.headers["etag"]
    known = process.client.get(SAMPLE, headers=_HEADERS | {"If-None-Match": tag})
    assert (known.status_code, known.content) == (304, b"")
    beyond = process.client.get(SAMPLE, headers=_HEADERS | {"Range": "bytes=999999999-"})
    assert beyond.status_code == 416


def test_the_sample_follows_the_settings_and_the_ids(process: Process) -> None:
    process.draft("changing")
    admin, path = process.admin, "/competitions/changing/sample-submission"
    ids = "/admin/competitions/changing/published-ids"
    assert admin.put(ids, content=b"1\n2\n").status_code == 200
    first = admin.get(path)
    assert first.content.startswith(b"session_type,labels\n1_clicks,")
    assert admin.patch("/admin/competitions/changing", json={"labels_column": "items"}).is_success
    second = admin.get(path)
    assert second.content.startswith(b"session_type,items\n1_clicks,")
    assert admin.put(ids, content=b"3\n").status_code == 200
    third = admin.get(path)
    assert third.content.startswith(b"session_type,items\n3_clicks,")
    assert len({first.headers["etag"], second.headers["etag"], third.headers["etag"]}) == 3


_HEADERS = {"Authorization": f"Bearer {ADMIN_TOKEN}"}
_FIRST = {"Range": "bytes=0-0"}
