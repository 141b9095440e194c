"""Two requests that meet at any place leave what one after the other would have left.

On SQLite a writer is alone from its first read on; on PostgreSQL what a use case has read may have
changed before it writes. Each case below is tried at every statement of the first request.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from tests.builders.installation import Person
from tests.builders.servers import postgres
from tests.builders.servers.interleaving import Act, Replicas, replicas_on
from tests.builders.uploads.server import Answer, eventually, read_answer

pytestmark = [pytest.mark.postgres, pytest.mark.xdist_group("meeting requests")]

OWN = "/competitions/otto/submissions"

numbers = itertools.count(1)


@pytest.fixture(scope="module")
def replicas(
    postgres_server_url: str, migrated_postgres: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Replicas]:
    """Two replicas with an open competition."""
    with (
        postgres.copied(postgres_server_url, migrated_postgres) as url,
        replicas_on(url, tmp_path_factory.mktemp("replicas")) as replicas,
    ):
        replicas.first.launched(daily_limit=100)
        yield replicas


def member(replicas: Replicas) -> Person:
    """A new person with a team of their own."""
    person = replicas.first.person(f"person {next(numbers)}")
    answer = person.post("/competitions/otto/teams", json={"name": f"of {person.id}"})
    assert answer.status_code == 201, answer.text
    return person


def submissions_of(person: Person) -> set[str]:
    """The ids of all submissions of this person's team."""
    return {one["id"] for one in person.get(OWN).json()["items"]}


def test_a_key_that_is_sent_again_while_its_first_request_ends_stands_for_one_submission(
    replicas: Replicas,
) -> None:
    people: list[Person] = []

    def resent() -> tuple[Act, Act]:
        person = member(replicas)
        people.append(person)
        key = f"key-{next(numbers)}"
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

        return lambda: person.post(OWN, content=b"abc", headers={"Idempotency-Key": key}), end

    for after, again, first in replicas.meetings(resent):
        assert first.status == 202, after
        assert submissions_of(people[-1]) == {first.json()["id"]}, (after, again.text)
        assert again.status_code in (202, 409), (after, again.text)
