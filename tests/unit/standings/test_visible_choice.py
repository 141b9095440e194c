"""The final selection is told to a team from scores that it sees, and from no others."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction

from podium.standings.rules import BoardEntry, finals, is_choice_visible

START = datetime(2026, 1, 1, tzinfo=UTC)
FREEZE = START + timedelta(minutes=4)


def entries_of(chance: random.Random) -> list[BoardEntry]:
    """Up to six files with few different scores, some after the freeze, some held back."""
    return [
        BoardEntry(
            f"file {number}",
            "team",
            Fraction(chance.randrange(4), 4),
            START + timedelta(minutes=number),
            number,
            is_shown=chance.random() < 0.7,
        )
        for number in range(chance.randrange(7))
    ]


def with_other_hidden_scores(
    entries: Sequence[BoardEntry], frozen_at: datetime | None, chance: random.Random
) -> list[BoardEntry]:
    """The same to the team's eyes: what it does not see has other scores."""
    return [
        replace(each, score=Fraction(chance.randrange(4), 4))
        if not each.is_shown or (frozen_at is not None and each.submitted_at >= frozen_at)
        else each
        for each in entries
    ]


def test_what_counts_is_told_exactly_where_no_hidden_score_decides() -> None:
    chance = random.Random(7)
    told = untold = 0
    for _ in range(3000):
        entries = entries_of(chance)
        chosen = {e.submission_id for e in entries if chance.random() < 0.3} | {"unscored"}
        places = chance.randrange(1, 4)
        frozen_at = chance.choice([None, FREEZE])
        seen = {
            frozenset(
                e.submission_id for e in finals(other, chosen=chosen, places=places, decimals=2)
            )
            for other in (with_other_hidden_scores(entries, frozen_at, chance) for _ in range(25))
        }
        is_visible = is_choice_visible(entries, chosen=chosen, places=places, frozen_at=frozen_at)
        assert not (is_visible and len(seen) > 1), (entries, chosen, places, frozen_at)
        told, untold = told + is_visible, untold + (len(seen) > 1)
    assert told > 1000
    assert untold > 100


def test_a_team_that_sees_all_its_scores_is_told_always() -> None:
    shown = [BoardEntry(f"f{n}", "team", Fraction(n), START, n) for n in range(4)]
    for chosen in ((), ("f1",), ("f1", "f2"), ("f1", "f2", "f3")):
        assert is_choice_visible(shown, chosen=chosen, places=2, frozen_at=None)
    assert is_choice_visible([], chosen=(), places=2, frozen_at=FREEZE)
