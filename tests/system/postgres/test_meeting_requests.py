"""Two requests about files that meet at any place leave what one after the other would have left.

On SQLite a writer is alone from its first read on; on PostgreSQL what a use case has read may have
changed before it writes. Each case below is tried at every statement of the first request, and with
either of the two as the first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from podium.core.models import SigningKey
from tests.builders.installation import Person
from tests.builders.servers.interleaving import Act, Replicas
from tests.builders.servers.meetings import (
    At,
    Makes,
    Meeting,
    fresh,
    in_both_orders,
    made,
    meet,
    member,
    one_of,
)
from tests.builders.uploads.server import Answer, eventually, read_answer

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.xdist_group("meeting requests"),
    pytest.mark.timeout(900),
]


@pytest.fixture(scope="module")
def replicas(place: Replicas) -> Replicas:
    """Two replicas with some competitions that are open."""
    place.first.launched("otto", daily_limit=100)
    place.first.launched("once", daily_limit=1, concurrent_uploads=2)
    return place


def submissions_of(person: Person, slug: str) -> list[str]:
    """The ids of all submissions of this person's team."""
    found = made(person.get(f"/competitions/{slug}/submissions"))["items"]
    return [one["id"] for one in found]


def last_file_of_the_day(replicas: Replicas) -> Meeting:
    ada = member(replicas, "once")

    def send(content: bytes) -> Callable[[At], Any]:
        return lambda at: at(ada).post("/competitions/once/submissions", content=content)

    return Meeting(send(b"a"), send(b"b"), one_of)


def last_place_for_an_upload(replicas: Replicas) -> Meeting:
    ada = member(replicas)
    for _ in range(2):
        begin_upload(ada, b"ab")

    def start(at: At) -> Any:
        return at(ada).post("/uploads", headers={"Upload-Length": "4"})

    return Meeting(start, start, lambda *_: len(made(ada.get("/uploads"))["items"]) <= 3)


def an_empty_upload_that_begins_and_makes_room(replicas: Replicas) -> Meeting:
    ada = member(replicas)
    for _ in range(2):
        begin_upload(ada, b"ab")
    path = begin_upload(ada, b"")

    def is_right(appended: Any, started: Any) -> bool:
        unfinished = made(ada.get("/uploads"))["items"]
        kept = ada.get(path).status_code == 200
        # Bytes that were acknowledged are kept, and there are no more than three.
        return bool((kept or not appended.is_success) and len(unfinished) <= 3)

    return Meeting(
        lambda at: at(ada).patch(path, content=b"ab", headers=from_offset(0)),
        lambda at: at(ada).post("/uploads", headers={"Upload-Length": "4"}),
        is_right,
    )


def two_pieces_at_one_place(replicas: Replicas) -> Meeting:
    ada = member(replicas)
    path = begin_upload(ada, b"")

    def append(piece: bytes) -> Callable[[At], Any]:
        return lambda at: at(ada).patch(path, content=piece, headers=from_offset(0))

    return Meeting(append(b"ab"), append(b"cd"), one_of)


def two_submissions_of_one_upload(replicas: Replicas) -> Meeting:
    ada = member(replicas)
    upload_id = begin_upload(ada, b"abcd").rpartition("/")[2]

    def submit(at: At) -> Any:
        return at(ada).post("/competitions/otto/submissions", json={"upload_id": upload_id})

    return Meeting(submit, submit, lambda *_: len(submissions_of(ada, "otto")) == 1)


def the_first_receipts(replicas: Replicas) -> Meeting:
    with replicas.second.application.database.write() as session:
        session.query(SigningKey).delete()

    def ask(at: At) -> Any:
        return at(replicas.first.anonymous).get("/signing-key")

    return Meeting(ask, ask, lambda *_: len(made(ask(lambda person: person))["keys"]) == 1)


def begin_upload(person: Person, content: bytes) -> str:
    """The path of a resumable upload of four bytes with the first of these."""
    path = path_of(person.post("/uploads", headers={"Upload-Length": "4"}))
    if content:
        made(person.patch(path, content=content, headers=from_offset(0)))
    return path


def path_of(answer: Any) -> str:
    made(answer)
    return str(answer.headers["location"]).removeprefix("/api/v1")


def from_offset(offset: int) -> dict[str, str]:
    return {
        "Upload-Offset": str(offset),
        "Content-Type": "application/offset+octet-stream",
        "Tus-Resumable": "1.0.0",
    }


MEETINGS = [
    last_file_of_the_day,
    an_empty_upload_that_begins_and_makes_room,
    two_pieces_at_one_place,
]

ALIKE = [
    last_place_for_an_upload,
    two_submissions_of_one_upload,
    the_first_receipts,
]
"""Those of a request with the same request."""


@in_both_orders(MEETINGS, ALIKE)
def test_the_two_leave_what_one_after_the_other_would(
    replicas: Replicas, meeting: Makes, swapped: bool | None
) -> None:
    meet(replicas, meeting, swapped=swapped)


def test_a_key_that_is_sent_again_while_its_first_request_ends_stands_for_one_submission(
    replicas: Replicas,
) -> None:
    people: list[Person] = []

    def resent() -> tuple[Act, Act]:
        person = member(replicas)
        people.append(person)
        key = fresh("key")
        slots = replicas.second.slots()
        first = replicas.second.connect()
        line = f"Idempotency-Key: {key}"
        head = replicas.second.head(person.token, line, "Content-Length: 3")
        first.sendall(head + b"ab")
        assert eventually(lambda: replicas.second.slots() == slots + 1)

        def end() -> Answer:
            with first:
                first.sendall(b"c")
                return read_answer(first)

        path, headers = "/competitions/otto/submissions", {"Idempotency-Key": key}
        return lambda: person.post(path, content=b"abc", headers=headers), end

    for after, again, first in replicas.meetings(resent):
        assert first.status == 202, after
        assert submissions_of(people[-1], "otto") == [first.json()["id"]], (after, again.text)
        assert again.status_code in (202, 409), (after, again.text)
