"""The effect of a rejudging: each team's place before and after, the biggest movers first.

Rules about whole boards; which submissions are judged anew, and when, is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from podium.standings.rules import (
    BoardEntry,
    best_shown,
    finals,
    private_key,
    public_key,
    shown_units,
    standing_final,
)


@dataclass(frozen=True, slots=True)
class Scored:
    """A scored submission that counts, with both of its exact scores."""

    entry: BoardEntry
    """The row of the board, whose score is the public one."""
    private: Fraction | None
    """None where a custom metric failed on the private split."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules besides the scores that decide places. `ranked` are the teams that have a rank."""

    decimals: int
    final_selections: int
    chosen: Collection[str]
    ranked: Collection[str]
    is_revealed: bool


@dataclass(frozen=True, slots=True)
class Place:
    """A team's place, with the submission that earned it. Scores are in units of the last shown
    digit; `rank` is that on the public board, `private_rank` that in the final ranking."""

    submission_id: str
    public: int
    private: int | None
    rank: int | None
    private_rank: int | None


@dataclass(frozen=True, slots=True)
class TeamChange:
    """A team's place before and after; None where it has no scored submission."""

    team_id: str
    old: Place | None
    new: Place | None

    @property
    def is_change(self) -> bool:
        """True if the place before and the place after differ."""
        return self.old != self.new


def places(scored: Sequence[Scored], rules: Rules) -> dict[str, Place]:
    """Computes every team's place among these submissions, ignoring any freeze."""
    exact = {one.entry.submission_id: one.private for one in scored if one.private is not None}
    by_team: dict[str, list[BoardEntry]] = {}
    for one in scored:
        by_team.setdefault(one.entry.team_id, []).append(one.entry)
    last: dict[str, BoardEntry] = {}
    shown: dict[str, BoardEntry] = {}
    for team_id, entries in by_team.items():
        candidates = finals(
            [entry for entry in entries if entry.submission_id in exact],
            chosen=rules.chosen,
            places=rules.final_selections,
            decimals=rules.decimals,
        )
        if candidates:
            last[team_id] = standing_final(candidates, exact)
        final = last.get(team_id) if rules.is_revealed else None
        best = final or best_shown(entries, rules.decimals)
        if best is not None:
            shown[team_id] = best
    ranks = _ranks(
        sorted(shown.values(), key=lambda entry: public_key(entry, rules.decimals)), rules
    )
    final_ranks = _ranks(sorted(last.values(), key=lambda entry: _final_key(entry, exact)), rules)
    return {
        team_id: Place(
            submission_id=entry.submission_id,
            public=shown_units(entry.score, rules.decimals),
            private=_units(exact.get(entry.submission_id), rules),
            rank=ranks.get(team_id),
            private_rank=final_ranks.get(team_id),
        )
        for team_id, entry in shown.items()
    }


def changes(old: Mapping[str, Place], new: Mapping[str, Place]) -> list[TeamChange]:
    """Returns all teams of both, the biggest movers first: by ranks, then by scores, then by
    team."""
    every = [TeamChange(team, old.get(team), new.get(team)) for team in old.keys() | new.keys()]
    return sorted(every, key=_movement)


def _units(score: Fraction | None, rules: Rules) -> int | None:
    return None if score is None else shown_units(score, rules.decimals)


def _ranks(ordered: Sequence[BoardEntry], rules: Rules) -> dict[str, int]:
    ranked = [entry.team_id for entry in ordered if entry.team_id in rules.ranked]
    return {team_id: rank for rank, team_id in enumerate(ranked, start=1)}


def _final_key(entry: BoardEntry, exact: Mapping[str, Fraction]) -> tuple[object, ...]:
    private = exact[entry.submission_id]
    return private_key(
        BoardEntry(entry.submission_id, entry.team_id, private, entry.submitted_at, entry.sequence)
    )


def _movement(change: TeamChange) -> tuple[object, ...]:
    old, new = change.old, change.new
    if old is None or new is None:
        # A team that appears or disappears sorts before any that moves.
        return (0, 0, 0, 0, change.team_id)
    moved = abs((new.rank or 0) - (old.rank or 0))
    finally_moved = abs((new.private_rank or 0) - (old.private_rank or 0))
    by = abs(new.public - old.public) + abs((new.private or 0) - (old.private or 0))
    return (1, -moved, -finally_moved, -by, change.team_id)
