"""Fingerprints of scored files: kept by the verdict, compared for organizers.

Participants learn nothing of them: not even that another team has sent the same file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

from podium.db.models import Competition
from podium.db.queries import fingerprints
from podium.db.queries.fingerprints import Marked
from podium.domain.permissions import Actor
from podium.scoring.fingerprint import Likeness, likeness, sampled_lists
from podium.services.access import competition_for_organizer
from podium.services.tasks import settings_of

LEAST_SHARE = 0.9
"""Files of two teams with fewer equal lists are not called alike, unless more is asked for."""

NEIGHBOURS = 5
"""With so many of the first and of the last files that share a list a file is compared: in a crowd
of copies everybody is found without comparing everybody with everybody."""

PROBES = 24
"""Sampled queries by which files to compare are found: of files with 90 % equal lists none of so
many being equal has a chance of 1e-24."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two files of different teams, the earlier one first."""

    first: Marked
    second: Marked
    likeness: Likeness

    @property
    def is_identical(self) -> bool:
        """Whether no list is known to differ."""
        return self.first.content == self.second.content


def alike(
    session: Session, *, actor: Actor, slug: str, least_share: float = LEAST_SHARE
) -> Sequence[Pair]:
    """Files of different teams with so many equal lists, the most alike first, then the earliest.

    Teams of organizers and baselines are left out: what they publish, many will send. Raises
    `NotFound`.
    """
    competition = competition_for_organizer(session, slug=slug, actor=actor)
    marked = fingerprints.marked(session, competition_id=competition.id)
    size = lists_of(session, competition)
    found = []
    for first, second in _candidates(marked):
        seen = likeness(first.sketch, second.sketch, queries=size)
        if first.content == second.content or seen.lists >= least_share:
            found.append(Pair(first, second, seen))
    return sorted(found, key=_order)


def lists_of(session: Session, competition: Competition) -> int:
    """How many lists a complete file of the competition has."""
    sessions = fingerprints.session_count(session, competition_id=competition.id)
    return sessions * len(settings_of(competition).objectives)


def _candidates(marked: Sequence[Marked]) -> Iterator[tuple[Marked, Marked]]:
    """Pairs of different teams' files that share at least one of the lists that are looked at."""
    holders: dict[tuple[Any, ...], list[int]] = {}
    for number, one in enumerate(marked):
        others: set[int] = set()
        lists = sampled_lists(one.sketch, PROBES)
        keys: list[tuple[Any, ...]] = [(one.scheme, one.content)]
        keys += [(one.scheme, place, of_list) for place, of_list in lists]
        for key in keys:
            known = holders.setdefault(key, [])
            near = known[:NEIGHBOURS] + known[-NEIGHBOURS:]
            others.update(other for other in near if marked[other].team_id != one.team_id)
            known.append(number)
        yield from ((marked[other], one) for other in sorted(others))


def _order(pair: Pair) -> tuple[bool, float, datetime, str]:
    return (
        not pair.is_identical,
        -pair.likeness.lists,
        pair.second.submitted_at,
        pair.second.submission_id,
    )
