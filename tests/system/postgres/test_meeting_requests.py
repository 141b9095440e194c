"""Two requests that meet at any place leave what one after the other would have left.

On SQLite a writer is alone from its first read on; on PostgreSQL what a use case has read may have
changed before it writes. Each case below is tried at every statement of the first request, and with
either of the two as the first.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from podium.core.models import SigningKey
from tests.builders.installation import Person
from tests.builders.season import truth_with
from tests.builders.servers import postgres
from tests.builders.servers.interleaving import Act, Replicas, replicas_on
from tests.builders.uploads.server import Answer, eventually, read_answer

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.xdist_group("meeting requests"),
    pytest.mark.timeout(900),
]

numbers = itertools.count(1)

At = Callable[[Person], Person]
"""A person at the replica to which the request is to go."""


@dataclass(frozen=True)
class Meeting:
    """Two requests, and whether what both have answered, in this order, is right."""

    first: Callable[[At], Any]
    second: Callable[[At], Any]
    is_right: Callable[[Any, Any], bool]


@pytest.fixture(scope="module")
def replicas(
    postgres_server_url: str, migrated_postgres: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Replicas]:
    """Two replicas with some competitions that are open."""
    with (
        postgres.copied(postgres_server_url, migrated_postgres) as url,
        replicas_on(url, tmp_path_factory.mktemp("replicas")) as replicas,
    ):
        replicas.first.launched("otto", daily_limit=100)
        replicas.first.launched("once", daily_limit=1, concurrent_uploads=2)
        replicas.first.launched("pairs", team_size=2)
        replicas.first.launched("asking", registration="approval")
        yield replicas


def fresh(kind: str) -> str:
    """A name that is used nowhere else."""
    return f"{kind}-{next(numbers)}"


def member(replicas: Replicas, slug: str = "otto") -> Person:
    """A new person with a team of their own."""
    person = replicas.first.person(fresh("person"))
    made(person.post(f"/competitions/{slug}/teams", json={"name": fresh("team")}))
    return person


def made(answer: Any) -> Any:
    """The document of a request that must succeed."""
    assert answer.is_success, answer.text
    return answer.json() if answer.content else None


def one_of(first: Any, second: Any) -> bool:
    """One was done, and the other refused."""
    return bool(first.is_success) != bool(second.is_success)


def submissions_of(person: Person, slug: str) -> list[str]:
    """The ids of all submissions of this person's team."""
    found = made(person.get(f"/competitions/{slug}/submissions"))["items"]
    return [one["id"] for one in found]


def last_place_of_a_team(replicas: Replicas) -> Meeting:
    code = made(member(replicas, "pairs").get("/competitions/pairs/team"))["invite_code"]
    ada, bob = (replicas.first.person(fresh("person")) for _ in range(2))

    def join(person: Person) -> Callable[[At], Any]:
        path, body = "/competitions/pairs/teams/join", {"invite_code": code}
        return lambda at: at(person).post(path, json=body)

    return Meeting(join(ada), join(bob), one_of)


def two_teams_of_one_person(replicas: Replicas) -> Meeting:
    ada = replicas.first.person(fresh("person"))

    def make(name: str) -> Callable[[At], Any]:
        return lambda at: at(ada).post("/competitions/otto/teams", json={"name": name})

    return Meeting(make(fresh("team")), make(fresh("team")), one_of)


def one_name_for_two_teams(replicas: Replicas) -> Meeting:
    ada, bob = (replicas.first.person(fresh("person")) for _ in range(2))
    name = fresh("team")

    def make(person: Person) -> Callable[[At], Any]:
        return lambda at: at(person).post("/competitions/otto/teams", json={"name": name})

    return Meeting(make(ada), make(bob), one_of)


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


def a_link_for_one(replicas: Replicas) -> Meeting:
    answer = replicas.first.admin.post("/admin/invites", json={"organizer": True})
    code = made(answer)["address"].rpartition("/")[2]

    def use(name: str) -> Callable[[At], Any]:
        stranger = replicas.first.anonymous
        return lambda at: at(stranger).post(f"/links/{code}", json={"name": name})

    return Meeting(use(fresh("person")), use(fresh("person")), one_of)


def an_approval_that_is_taken_back(replicas: Replicas) -> Meeting:
    ada = replicas.first.person(fresh("person"))
    request = made(ada.post("/competitions/asking/join-request", json={}))["id"]
    decision = f"/admin/join-requests/{request}"
    made(replicas.first.admin.post(f"{decision}/approve"))
    return Meeting(
        lambda at: at(ada).post("/competitions/asking/teams", json={"name": fresh("team")}),
        lambda at: at(replicas.first.admin).post(f"{decision}/decline", json={}),
        one_of,
    )


def one_slug_for_two_competitions(replicas: Replicas) -> Meeting:
    body = {"slug": fresh("slug"), "title": "Any", "preset": "otto"}

    def make(at: At) -> Any:
        return at(replicas.first.admin).post("/admin/competitions", json=body)

    return Meeting(make, make, one_of)


def two_launches(replicas: Replicas) -> Meeting:
    slug = fresh("launched")
    replicas.first.draft(slug, split={"public_fraction": 0.5})
    replicas.first.upload_truth(slug)

    def launch(at: At) -> Any:
        return at(replicas.first.admin).post(f"/admin/competitions/{slug}/launch")

    return Meeting(launch, launch, one_of)


def two_ground_truths(replicas: Replicas) -> Meeting:
    slug = fresh("truths")
    replicas.first.draft(slug)
    path = f"/admin/competitions/{slug}/ground-truth"

    def upload(truth: bytes) -> Callable[[At], Any]:
        return lambda at: at(replicas.first.admin).post(path, content=truth)

    def is_right(*answers: Any) -> bool:
        versions = [one["version"] for one in made(replicas.first.admin.get(path))["items"]]
        done = sum(bool(each.is_success) for each in answers)
        return len(set(versions)) == len(versions) == done

    return Meeting(upload(truth_with(1)), upload(truth_with(2)), is_right)


def two_rejudgings(replicas: Replicas) -> Meeting:
    slug = fresh("rejudged")
    replicas.first.launched(slug)
    path = f"/admin/competitions/{slug}/rejudgings"

    def start(at: At) -> Any:
        return at(replicas.first.admin).post(path, json={"reason": "by hand"})

    return Meeting(start, start, one_of)


def the_only_organizers_who_take_each_other_out(replicas: Replicas) -> Meeting:
    ada, bob = (replicas.first.person(fresh("person"), organizer=True) for _ in range(2))
    slug = fresh("organized")
    made(ada.post("/admin/competitions", json={"slug": slug, "title": "Any", "preset": "otto"}))
    path = f"/admin/competitions/{slug}/organizers"
    made(ada.post(path, json={"user_id": bob.id}))

    def remove(actor: Person, other: Person) -> Callable[[At], Any]:
        return lambda at: at(actor).delete(f"{path}/{other.id}")

    return Meeting(remove(ada, bob), remove(bob, ada), one_of)


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
    last_place_of_a_team,
    two_teams_of_one_person,
    one_name_for_two_teams,
    last_file_of_the_day,
    last_place_for_an_upload,
    an_empty_upload_that_begins_and_makes_room,
    two_pieces_at_one_place,
    two_submissions_of_one_upload,
    a_link_for_one,
    an_approval_that_is_taken_back,
    one_slug_for_two_competitions,
    two_launches,
    two_ground_truths,
    two_rejudgings,
    the_only_organizers_who_take_each_other_out,
    the_first_receipts,
]


@pytest.mark.parametrize("swapped", [False, True], ids=["", "swapped"])
@pytest.mark.parametrize("meeting", MEETINGS, ids=lambda make: make.__name__)
def test_the_two_leave_what_one_after_the_other_would(
    replicas: Replicas, meeting: Callable[[Replicas], Meeting], swapped: bool
) -> None:
    prepared: list[Meeting] = []

    def make() -> tuple[Act, Act]:
        made = meeting(replicas)
        prepared.append(made)
        held_up, other = (made.second, made.first) if swapped else (made.first, made.second)
        return lambda: held_up(lambda person: person), lambda: other(replicas.at_second)

    for after, held_up, other in replicas.meetings(make):
        answers = (other, held_up) if swapped else (held_up, other)
        told = [(each.status_code, each.text[:200]) for each in answers]
        assert all(each.status_code < 500 for each in answers), (after, told)
        assert prepared[-1].is_right(*answers), (after, told)


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
