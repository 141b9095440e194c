"""Sending again is harmless: keys by which a client names one submission."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import httpx2
import pytest

from podium.core.judging_states import State
from podium.core.models import Competition, IdempotencyKey, Judging
from tests.builders.uploads.server import eventually, read_answer
from tests.builders.uploads.stage import Stage

KEY = {"Idempotency-Key": "3f1c-first"}


def test_the_same_key_and_bytes_get_the_first_answer_again(stage: Stage) -> None:
    first = stage.server.submit(stage.token, b"abc", "?filename=a.csv&note=one", headers=KEY)
    with stage.server.application.database.write() as session:
        session.query(Judging).update({"state": State.REJECTED, "problem": {"code": "x"}})
    again = stage.server.submit(stage.token, b"abc", headers=KEY)
    assert "idempotency-replayed" not in first.headers
    assert again.headers["idempotency-replayed"] == "true"
    assert (again.status_code, again.json()) == (202, first.json())
    assert again.headers["location"] == first.headers["location"]
    assert stage.server.slots() == 1
    assert stage.server.submissions() == 1


def test_the_same_key_with_other_bytes_is_refused(stage: Stage) -> None:
    stage.server.submit(stage.token, b"abc", headers=KEY)
    answer = stage.server.submit(stage.token, b"abd", headers=KEY)
    assert (answer.status_code, answer.json()["code"]) == (422, "idempotency-mismatch")
    assert stage.server.submissions() == 1


def test_quotes_around_a_key_do_not_make_another_key(stage: Stage) -> None:
    first = stage.server.submit(stage.token, b"abc", headers={"Idempotency-Key": '"k"'})
    again = stage.server.submit(stage.token, b"abc", headers={"Idempotency-Key": "k"})
    assert again.json()["id"] == first.json()["id"]


def test_a_key_is_looked_up_before_quota_and_phase(stage: Stage) -> None:
    with stage.server.application.database.write() as session:
        competition = session.get_one(Competition, stage.competition.id)
        competition.settings = {"daily_limit": 1}
    first = stage.server.submit(stage.token, b"abc", headers=KEY)
    assert stage.server.submit(stage.token, b"abc").status_code == 429
    assert stage.server.submit(stage.token, b"abc", headers=KEY).json() == first.json()
    with stage.server.application.database.write() as session:
        competition = session.get_one(Competition, stage.competition.id)
        competition.closed_at = competition.created_at
    assert stage.server.submit(stage.token, b"abc").status_code == 409
    assert stage.server.submit(stage.token, b"abc", headers=KEY).json() == first.json()


def test_a_key_whose_first_request_still_runs_is_refused(stage: Stage) -> None:
    line = f"Idempotency-Key: {KEY['Idempotency-Key']}"
    with stage.server.connect() as connection:
        connection.sendall(stage.server.head(stage.token, line, "Content-Length: 3") + b"ab")
        assert eventually(lambda: stage.server.slots() == 1)
        answer = stage.server.submit(stage.token, b"abc", headers=KEY)
        assert (answer.status_code, answer.json()["code"]) == (409, "idempotency-running")
        connection.sendall(b"c")
        first = read_answer(connection)
    assert first.status == 202
    assert stage.server.submit(stage.token, b"abc", headers=KEY).json() == first.json()


def test_the_key_of_a_cut_upload_is_free_again(stage: Stage) -> None:
    line = f"Idempotency-Key: {KEY['Idempotency-Key']}"
    with stage.server.connect() as connection:
        connection.sendall(stage.server.head(stage.token, line, "Content-Length: 3") + b"ab")
        assert eventually(lambda: stage.server.slots() == 1)
    assert eventually(lambda: stage.server.slots() == 0)
    with stage.server.application.database.read() as session:
        assert session.query(IdempotencyKey).count() == 0
    answer = stage.server.submit(stage.token, b"other", headers=KEY)
    assert answer.status_code == 202
    assert "idempotency-replayed" not in answer.headers


def test_a_key_belongs_to_one_person(stage: Stage) -> None:
    stage.server.submit(stage.token, b"abc", headers=KEY)
    answer = stage.server.submit(stage.stranger_token, b"abc", headers=KEY)
    assert answer.status_code == 403


@pytest.mark.parametrize("key", ["", '""', "k" * 256, "k" * 10_000, "two words", "tab\there"])
def test_keys_of_another_shape_are_refused(stage: Stage, key: str) -> None:
    answer = stage.server.submit(stage.token, b"abc", headers={"Idempotency-Key": key})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad-idempotency-key")
    assert stage.server.slots() == 0


def test_a_key_of_255_characters_is_taken(stage: Stage) -> None:
    answer = stage.server.submit(stage.token, b"abc", headers={"Idempotency-Key": "~" * 255})
    assert answer.status_code == 202


def test_fifty_at_once_with_one_key_make_one_submission(stage: Stage) -> None:
    def send(_: int) -> httpx2.Response:
        with stage.server.another_client(timeout=30) as client:
            return client.post(
                "/api/v1/competitions/otto/submissions",
                headers=KEY | {"Authorization": f"Bearer {stage.token}"},
                content=b"abc" * 1000,
            )

    with ThreadPoolExecutor(50) as pool:
        answers = list(pool.map(send, range(50)))
    statuses = Counter(answer.status_code for answer in answers)
    assert set(statuses) <= {202, 409}
    accepted = [answer.json() for answer in answers if answer.status_code == 202]
    assert all(document == accepted[0] for document in accepted)
    replayed = [answer.headers.get("idempotency-replayed") for answer in answers]
    assert replayed.count(None) == 1 + statuses[409]
    assert stage.server.submissions() == 1
    assert stage.server.slots() == 1
