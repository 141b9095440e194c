"""Meetings of two requests, each tried at every place where they can meet, and what they need."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import pytest
from sqlalchemy import select

from podium.core.models import Competition, Membership, Rejudging, Team, User
from tests.builders.installation import Person
from tests.builders.servers.interleaving import Act, Replicas

numbers = itertools.count(1)

At = Callable[[Person], Person]
"""A person at the replica to which the request is to go."""

Sends = Callable[[At], Any]


@dataclass(frozen=True)
class Meeting:
    """Two requests, and whether what both have answered, in this order, is right."""

    first: Sends
    second: Sends
    is_right: Callable[[Any, Any], bool]


Makes = Callable[[Replicas], Meeting]


def in_both_orders(meetings: Iterable[Makes], alike: Iterable[Makes] = ()) -> pytest.MarkDecorator:
    """Gives a test each `meeting`, as it is and `swapped`; those of a request with the same request
    once, `swapped` being None."""
    cases = [
        pytest.param(make, swapped, id=f"{make.__name__}-{'swapped' * bool(swapped)}")
        for every, orders in ((meetings, (False, True)), (alike, (None,)))
        for make in every
        for swapped in orders
    ]
    return pytest.mark.parametrize(("meeting", "swapped"), cases)


def meet(replicas: Replicas, meeting: Makes, *, swapped: bool | None) -> None:
    """Lets two requests meet at every statement of the first of them, or `swapped` of the second:
    neither may fail, and what they leave must be right each time."""
    prepared: list[Meeting] = []

    def make() -> tuple[Act, Act]:
        made = meeting(replicas)
        assert (made.first is made.second) == (swapped is None), "to be tried in both orders?"
        prepared.append(made)
        held_up, other = (made.second, made.first) if swapped else (made.first, made.second)
        return lambda: held_up(lambda person: person), lambda: other(replicas.at_second)

    for after, held_up, other in replicas.meetings(make):
        answers = (other, held_up) if swapped else (held_up, other)
        told = [(each.status_code, each.text[:200]) for each in answers]
        assert all(each.status_code < 500 for each in answers), (after, told)
        assert prepared[-1].is_right(*answers), (after, told)


def fresh(kind: str) -> str:
    """A name that is used nowhere else."""
    return f"{kind}-{next(numbers)}"


def made(answer: Any) -> Any:
    """The document of a request that must succeed."""
    assert answer.is_success, answer.text
    return answer.json() if answer.content else None


def one_of(first: Any, second: Any) -> bool:
    """One was done, and the other refused."""
    return bool(first.is_success) != bool(second.is_success)


def newcomer(replicas: Replicas) -> Person:
    """A new person."""
    return replicas.newcomers.one()


def member(replicas: Replicas, slug: str = "otto") -> Person:
    """A new person with a team of their own."""
    return replicas.newcomers.one(slug)


def name_of(replicas: Replicas, person: Person) -> str:
    """The name of a person's account."""
    with replicas.first.application.database.read() as session:
        return session.get_one(User, person.id).name


def team_of(replicas: Replicas, person: Person, slug: str = "otto") -> Team | None:
    """The team of a person; None without one."""
    query = (
        select(Team)
        .join(Membership, Membership.team_id == Team.id)
        .join(Competition, Competition.id == Team.competition_id)
        .where(Membership.user_id == person.id, Competition.slug == slug)
    )
    with replicas.first.application.database.read() as session:
        return session.scalars(query).one_or_none()


def own_team(replicas: Replicas, person: Person, slug: str = "otto") -> Team:
    """The team of a person who has one."""
    team = team_of(replicas, person, slug)
    assert team is not None, "there is no team"
    return team


def log_of(replicas: Replicas, slug: str) -> list[Any]:
    """The last entries of a competition's log, in their order."""
    answer = replicas.first.admin.get("/admin/audit", params={"competition": slug, "limit": 100})
    return list(reversed(made(answer)["items"]))


def came_before(log: list[Any], first: str, second: str) -> bool:
    """True if the last act of one kind came before the last one of the other."""
    actions = [entry["action"] for entry in log]
    return len(actions) - actions[::-1].index(first) < len(actions) - actions[::-1].index(second)


def cancel_rejudgings(replicas: Replicas, slug: str) -> None:
    """Sees to it that no rejudging of a competition is under way."""
    query = (
        select(Rejudging.id)
        .join(Competition, Competition.id == Rejudging.competition_id)
        .where(Competition.slug == slug, Rejudging.state == "running")
    )
    with replicas.first.application.database.read() as session:
        running = session.scalars(query).all()
    for one in running:
        made(replicas.first.admin.post(f"/admin/rejudgings/{one}/cancel", json={}))
