"""Which of a team's submissions count for the final ranking."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from app.domain.ranking import Entry, public_key


def finals(
    entries: Sequence[Entry], *, chosen: Collection[str], places: int, decimals: int
) -> list[Entry]:
    """At most `places` of a team's scored submissions: the chosen ones, then the best public ones.

    `entries` carry public scores. Chosen submissions that are not among `entries` (not scored, or
    disqualified) leave their place free. Where more are chosen than there are places, because the
    limit was lowered, the best public ones of them stay.
    """
    ordered = sorted(entries, key=lambda entry: public_key(entry, decimals))
    first = [entry for entry in ordered if entry.submission_id in chosen]
    rest = [entry for entry in ordered if entry.submission_id not in chosen]
    return (first + rest)[:places]
