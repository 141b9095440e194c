"""The people who were entered by rosters, from the links on their cards: who has signed in, and
whose card still works."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from podium.http.schemas import PersonOut
from podium.teams.rules import LinkKind, LinkState
from podium.teams.schemas.links import LinkOut

ONE_ROSTER = timedelta(minutes=1)
"""The longest time between two cards of one roster, which are created together."""


@dataclass(frozen=True, slots=True)
class RosterMember:
    """A person of a roster with the newest link for credentials; `signed_in_at` is None for those
    who have used none."""

    person: PersonOut
    link: LinkOut
    signed_in_at: datetime | None

    @property
    def needs_card(self) -> bool:
        """True for a person who has never signed in, and whose card has expired or was revoked."""
        return self.signed_in_at is None and self.link.state is not LinkState.OPEN


@dataclass(slots=True)
class ListedRoster:
    """A roster with the people whose accounts it created."""

    entered_at: datetime
    entered_by: PersonOut
    members: list[RosterMember]

    @property
    def signed_in(self) -> int:
        """The number of people who have signed in."""
        return sum(member.signed_in_at is not None for member in self.members)


def entered_rosters(
    links: Iterable[LinkOut], *, resets: Iterable[LinkOut] = ()
) -> list[ListedRoster]:
    """Groups links into rosters, newest first, with their people in the order of their names. Cards
    that one organizer creates within a minute of each other belong to one roster. A person who used
    one of the `resets` has signed in, too."""
    used = {
        link.person.id: link.used_at
        for link in resets
        if link.kind is LinkKind.RESET and link.person is not None and link.used_at is not None
    }
    cards: dict[str, tuple[PersonOut, list[LinkOut]]] = {}
    # Ids grow with time; times have whole seconds, and two cards of a person may share one.
    for link in sorted(links, key=lambda each: each.id):
        if link.kind is LinkKind.FIRST and link.person is not None:
            _, own = cards.setdefault(link.person.id, (link.person, []))
            own.append(link)
    rosters: list[ListedRoster] = []
    last: dict[str, tuple[ListedRoster, datetime]] = {}
    for person, own in cards.values():
        first = own[0]
        roster, before = last.get(first.created_by.id, (None, first.created_at))
        if roster is None or first.created_at - before > ONE_ROSTER:
            roster = ListedRoster(first.created_at, first.created_by, [])
            rosters.append(roster)
        last[first.created_by.id] = roster, first.created_at
        roster.members.append(_member(person, own, used))
    for roster in rosters:
        roster.members.sort(key=lambda member: member.person.name.casefold())
    return rosters[::-1]


def _member(
    person: PersonOut, own: Sequence[LinkOut], used: Mapping[str, datetime]
) -> RosterMember:
    times = (link.used_at for link in own if link.used_at is not None)
    return RosterMember(person, own[-1], next(times, used.get(person.id)))
