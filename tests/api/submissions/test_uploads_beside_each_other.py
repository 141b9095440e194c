"""Uploads that come at once take turns at being read, and none loses anything by that."""

from __future__ import annotations

import threading
import time
from contextlib import ExitStack
from datetime import datetime

import pytest

from podium.core.database.engine import database_now
from podium.core.models import Competition, Submission
from podium.settings import Settings
from podium.submissions.service.quota import release_lapsed
from tests.builders.uploads.server import Answer, eventually, read_answer
from tests.builders.uploads.stage import Stage

SLOW = 12
"""More than are read at a time, and fewer than one account may have under way."""

LEASE_SECONDS = 1.0


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"upload_lease_seconds": LEASE_SECONDS})


@pytest.fixture
def stage(stage: Stage) -> Stage:
    """A team that may have many uploads under way."""
    with stage.server.application.database.write() as session:
        competition = session.get_one(Competition, stage.competition.id)
        competition.settings = {**competition.settings, "concurrent_uploads": SLOW + 1}
    return stage


def begun(stage: Stage, beginning: bytes, length: int, stack: ExitStack) -> threading.Event:
    """An upload of which the beginning was sent, and then a byte now and then; it ends with the
    event."""
    connection = stack.enter_context(stage.server.connect())
    head = stage.server.head(stage.token, f"Content-Length: {length}")
    connection.sendall(head + beginning)
    over = threading.Event()

    def drip() -> None:
        while not over.wait(0.005):
            connection.sendall(b"x")

    thread = threading.Thread(target=drip)
    thread.start()
    stack.callback(thread.join)
    stack.callback(over.set)
    return over


def test_slow_uploads_do_not_keep_a_fast_one(stage: Stage) -> None:
    with ExitStack() as stack:
        for _ in range(SLOW):
            begun(stage, b"slow", 1 << 20, stack)
        assert eventually(lambda: stage.server.slots() == SLOW)
        answer = stage.server.submit(stage.token, bytes(3 << 20))
        assert answer.status_code == 202, answer.text
        assert stage.server.slots() == SLOW + 1


def test_large_uploads_at_once_are_all_taken_with_the_bytes_of_each(stage: Stage) -> None:
    bodies = [bytes([number]) * (2 << 20) for number in range(SLOW)]
    answers: dict[int, Answer] = {}

    def send(number: int) -> None:
        with stage.server.connect() as connection:
            length = f"Content-Length: {len(bodies[number])}"
            connection.sendall(stage.server.head(stage.token, length) + bodies[number])
            answers[number] = read_answer(connection)

    threads = [threading.Thread(target=send, args=[number]) for number in range(SLOW)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number, body in enumerate(bodies):
        assert answers[number].status == 202, answers[number].body
        path = f"/submissions/{answers[number].json()['id']}/file"
        assert stage.server.request("GET", path, stage.token).content == body


def test_an_upload_that_began_before_the_end_is_in_time_however_long_it_waits(
    stage: Stage,
) -> None:
    database = stage.server.application.database
    with stage.server.connect() as connection:
        connection.sendall(stage.server.head(stage.token, "Content-Length: 3") + b"a")
        assert eventually(lambda: stage.server.slots() == 1)
        with database.write() as session:
            ends_at = database_now(session)
            session.get_one(Competition, stage.competition.id).ends_at = ends_at
        assert stage.server.submit(stage.token, b"abc").json()["code"] == "competition-closed"
        with ExitStack() as stack:
            waits_until = time.monotonic() + 3 * LEASE_SECONDS
            stack.callback(connection.sendall, b"bc")
            while time.monotonic() < waits_until:
                with database.write() as session:
                    assert release_lapsed(session) == 0
                time.sleep(0.05)
        answer = read_answer(connection)
    assert answer.status == 202, answer.body
    document = answer.json()
    assert (document["late"], document["charged"]) == (False, True)
    with database.read() as session:
        submitted_at: datetime = session.query(Submission.submitted_at).scalar()
    assert submitted_at < ends_at
