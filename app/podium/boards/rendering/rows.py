"""Rows of a board as pages and the static archive show them: formatted scores, and changes of
place. No queries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from podium.boards.queries.rows import BoardRow
from podium.boards.schemas import RowOut, row_out
from podium.boards.service.board_pages import BoardPage
from podium.http.html.texts import decimals_of

BREADTH = 100
"""Units of the small picture of an interval, from the least to the greatest end on the page."""


@dataclass(frozen=True, slots=True)
class PlaceChange:
    """The change of a team's place: by `places` `up` or `down`, the `same` one, or `new`."""

    way: Literal["up", "down", "same", "new"]
    places: int = 0


@dataclass(frozen=True, slots=True)
class Whisker:
    """A 95 % interval as text, and as places in a picture that is `BREADTH` units wide."""

    low: str
    high: str
    start: float
    middle: float
    end: float


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a board: `entry` is the API's row; `score` and `diagnostics`, by the id of the
    metric, have all their digits."""

    entry: RowOut
    score: str
    diagnostics: Mapping[str, str | None]
    is_mine: bool
    is_tied: bool
    change: PlaceChange | None
    before: int | None
    whisker: Whisker | None


def shown_rows(
    board_page: BoardPage,
    *,
    is_final: bool,
    highest: float | None,
    own_team: str | None = None,
) -> list[Row]:
    """Formats the rows of a page. A final board is compared with the public one, every other board
    with itself at an earlier time, where that was requested. Intervals end at 0 and at the
    `highest` possible score: beyond, the normal approximation has no meaning."""
    earlier = board_page.public_ranks if is_final else board_page.earlier
    intervals = [_possible(row.interval, highest) for row in board_page.rows]
    ends = [end for interval in intervals if interval for end in interval]
    reach = (min(ends), max(ends)) if ends else (0.0, 0.0)
    return [
        Row(
            entry=row_out(row, board_page),
            score=f"{row.score:f}",
            diagnostics={
                metric: None if value is None else f"{value:f}"
                for metric, value in board_page.diagnostics.get(row.team_id, {}).items()
            },
            is_mine=row.team_id == own_team,
            is_tied=bool(row.tied_with_first) and row.rank != 1,
            change=_change(row, earlier.get(row.team_id)) if earlier else None,
            before=earlier.get(row.team_id),
            whisker=_whisker(row, interval, reach) if interval else None,
        )
        for row, interval in zip(board_page.rows, intervals, strict=True)
    ]


def _possible(
    interval: tuple[float, float] | None, highest: float | None
) -> tuple[float, float] | None:
    if interval is None:
        return None
    low, high = interval
    return max(0.0, low), high if highest is None else min(high, highest)


def _change(row: BoardRow, before: int | None) -> PlaceChange | None:
    if row.rank is None:
        return None
    if before is None:
        return PlaceChange("new")
    if before == row.rank:
        return PlaceChange("same")
    return PlaceChange("up" if row.rank < before else "down", abs(before - row.rank))


def _whisker(row: BoardRow, interval: tuple[float, float], reach: tuple[float, float]) -> Whisker:
    low, high = reach

    def place(value: float) -> float:
        return round(BREADTH * (value - low) / (high - low), 1) if high > low else BREADTH / 2

    # With as many decimals as the score beside it.
    decimals = max(0, -int(row.score.as_tuple().exponent))
    return Whisker(
        low=decimals_of(interval[0], decimals),
        high=decimals_of(interval[1], decimals),
        start=place(interval[0]),
        middle=place(float(row.score)),
        end=place(interval[1]),
    )
