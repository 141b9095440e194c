"""Meetings of two requests, each tried at every place where they can meet, and what they need."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import pytest

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


def in_both_orders(meetings: Iterable[Makes]) -> pytest.MarkDecorator:
    """Gives a test each `meeting`, as it is and `swapped`."""
    cases = [
        pytest.param(make, swapped, id=f"{make.__name__}-{'swapped' * swapped}")
        for make in meetings
        for swapped in (False, True)
    ]
    return pytest.mark.parametrize(("meeting", "swapped"), cases)


def meet(replicas: Replicas, meeting: Makes, *, swapped: bool) -> None:
    """Lets two requests meet at every statement of the first of them, or `swapped` of the second:
    neither may fail, and what they leave must be right each time."""
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
    return replicas.first.person(fresh("person"))


def member(replicas: Replicas, slug: str = "otto") -> Person:
    """A new person with a team of their own."""
    person = newcomer(replicas)
    made(person.post(f"/competitions/{slug}/teams", json={"name": fresh("team")}))
    return person


def team_of(person: Person, slug: str = "otto") -> Any:
    """The team of a person; None without one."""
    answer = person.get(f"/competitions/{slug}/team")
    return answer.json() if answer.is_success else None


def log_of(replicas: Replicas, slug: str) -> list[Any]:
    """The last entries of a competition's log, in their order."""
    answer = replicas.first.admin.get("/admin/audit", params={"competition": slug, "limit": 100})
    return list(reversed(made(answer)["items"]))


def came_before(log: list[Any], first: str, second: str) -> bool:
    """True if the last act of one kind came before the last one of the other."""
    actions = [entry["action"] for entry in log]
    return len(actions) - actions[::-1].index(first) < len(actions) - actions[::-1].index(second)
