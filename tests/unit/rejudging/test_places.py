"""The places of teams before and after a rejudging, where they differ in which of their files."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction

from podium.rejudging.rules import Place, Rules, Scored, TeamChange, changes, places
from podium.standings.rules import BoardEntry

RULES = Rules(decimals=5, final_selections=2, chosen=(), ranked={"ada", "bob"}, is_revealed=False)


def scored(team_id: str, public: str, private: str | None, *, is_shown: bool = True) -> Scored:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    entry = BoardEntry(f"{team_id}'s", team_id, Fraction(public), at, 1, is_shown)
    return Scored(entry, None if private is None else Fraction(private))


def test_a_team_whose_only_score_a_ladder_holds_back_has_no_place_until_the_reveal() -> None:
    files = [scored("ada", "0.5", "0.4"), scored("bob", "0.6", "0.7", is_shown=False)]
    assert places(files, RULES) == {"ada": Place("ada's", 50_000, 40_000, 1, 2)}
    assert places(files, replace(RULES, is_revealed=True)) == {
        "ada": Place("ada's", 50_000, 40_000, 2, 2),
        "bob": Place("bob's", 60_000, 70_000, 1, 1),
    }


def test_teams_that_appear_or_are_gone_come_before_those_that_move() -> None:
    low, high = Place("low", 1, 1, 2, 2), Place("high", 2, 2, 1, 1)
    assert changes({"ada": low, "bob": high}, {"ada": high, "cy": low}) == [
        TeamChange("bob", high, None),
        TeamChange("cy", None, low),
        TeamChange("ada", low, high),
    ]


def test_a_file_without_a_private_score_has_a_place_on_the_public_board_alone() -> None:
    files = [scored("ada", "0.5", None), scored("bob", "0.4", "0.7")]
    found = {
        "ada": Place("ada's", 50_000, None, 1, None),
        "bob": Place("bob's", 40_000, 70_000, 2, 1),
    }
    assert places(files, RULES) == found
    assert places(files, replace(RULES, is_revealed=True)) == found
