"""Which of a team's submissions count for the final ranking."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from podium.domain.ranking import Entry, private_key, public_key


def finals(
    entries: Sequence[Entry], *, chosen: Collection[str], places: int, decimals: int
) -> list[Entry]:
    """At most `places` of a team's scored submissions: the chosen ones, then the best public ones.

    `entries` carry public scores. Chosen submissions that are not among `entries` (not scored, or
    disqualified) leave their place free. Where more are chosen than there are places, because the
    limit was lowered, the best public ones of them stay. What a ladder holds back fills no
    place, unless the team would be left without any.
    """
    ordered = sorted(entries, key=lambda entry: public_key(entry, decimals))
    first = [entry for entry in ordered if entry.submission_id in chosen]
    rest = [e for e in ordered if e.submission_id not in chosen and e.is_shown]
    return (first + rest or ordered)[:places]


def standing_final(candidates: Sequence[Entry], exact: Mapping[str, Fraction]) -> Entry:
    """The one of a team's finals that it stands with: the best by exact private score, the earlier
    one of equals. It keeps the public score that it came with."""
    return min(
        candidates,
        key=lambda entry: private_key(replace(entry, score=exact[entry.submission_id])),
    )
