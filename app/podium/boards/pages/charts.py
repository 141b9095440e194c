"""The charts of a leaderboard: the figures that `GET …/charts` answers, drawn, with the same
figures as tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, ClassVar

from fastapi import APIRouter, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from markupsafe import Markup

from podium.boards.pages.leaderboard import kept_page, private_page
from podium.boards.rendering.time_axis import end_of_charts, time_axis
from podium.boards.schemas import ChartsOut, MoveOut, TeamObjectivesOut
from podium.competitions.pages.layout import CompetitionPage, competition_layout
from podium.core.visibility import Board
from podium.http.html import charts
from podium.http.html.charts import Picture
from podium.http.html.charts.kinds import ChartRow, HistogramBin, Mark, Series, Spot
from podium.http.pages.api_calls import ask, at
from podium.http.pages.layout import rendered

MOVES_IN_TABLE = 100
"""Rows of the table of teams with both ranks; all of them are drawn, and in the JSON."""

SPLITS = ("public", "private")

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart with its table and legend. `legend` holds classes and words; `rows` are the table's,
    the first cell of each being its head. With `has_dots`, the legend shows dots instead of
    lines."""

    name: str
    title: str
    about: str
    svg: Markup
    columns: tuple[str, ...]
    rows: list[tuple[object, ...]]
    legend: list[tuple[str, str]]
    is_wide: bool = False
    has_dots: bool = False


@dataclass(frozen=True, kw_only=True)
class ChartsPage(CompetitionPage):
    """All charts of a board, and the time of its last change."""

    template: ClassVar[str] = "boards/charts.html"

    split: Board
    charts: list[Chart]
    updated_at: datetime | None


@router.get("/competitions/{slug}/charts")
async def show_charts(
    request: Request, slug: str, split: Annotated[Board | None, Query()] = None
) -> Response:
    """Shows all charts of a board, by default of the one that counts now; those of the private one
    exist only after the reveal."""
    layout = await competition_layout(request, slug, here="charts")
    split = split or ("private" if layout.competition.revealed_at else "public")
    team = layout.team.id if layout.team else None
    path = at("/competitions/{}/charts", slug)
    answer = await ask(request, "GET", path, params={"split": split, "team": team})
    if answer.status == 404 and team is not None:
        # A team without a score is on no board.
        answer = await ask(request, "GET", path, params={"split": split})
    figures = answer.read(ChartsOut)
    shown = ChartsPage(
        layout=layout,
        split=split,
        charts=await run_in_threadpool(
            drawn,
            figures,
            launched_at=layout.competition.launched_at,
            end=end_of_charts(layout.competition, datetime.now(UTC)),
        ),
        updated_at=figures.updated_at,
    )
    page = await rendered(request, shown, visitor=layout.visitor)
    return kept_page(request, page) if layout.visitor is None else private_page(page)


def drawn(figures: ChartsOut, *, launched_at: datetime | None, end: datetime) -> list[Chart]:
    """Draws the charts that the figures of a board allow, up to this end. Charts that are not wide
    are laid out in pairs."""
    if not figures.ranks:
        return []
    best = best_over_time(figures, launched_at=launched_at, end=end)
    found = [best, spread(figures), score_by_rank(figures)]
    if figures.moves:
        found.append(moves(figures, figures.moves))
    if figures.objectives:
        found += [objectives(figures, figures.objectives, split) for split in SPLITS]
    return found


def best_over_time(figures: ChartsOut, *, launched_at: datetime | None, end: datetime) -> Chart:
    """Draws a line for each of the first teams, and for the visitor's own."""
    own = figures.own.team.id if figures.own else None
    lines = [line for line in figures.best if line.points]
    series: list[Series] = []
    legend: list[tuple[str, str]] = []
    rows: list[tuple[object, ...]] = []
    for number, line in enumerate(lines):
        is_own = line.team.id == own
        name = line.team.name
        of_class = "series-own" if is_own else f"series-{number % 10}"
        values = [(point.at, point.score) for point in line.points]
        series.append(Series(name, of_class, values))
        place = f"#{line.rank} " if line.rank else ""
        legend.append((of_class, f"{place}{name}{' (you)' if is_own else ''}"))
        rows.extend((name, at, _score(figures, score)) for at, score in values)
    leader = legend[0][1] if legend else "nobody"
    moments = [at for one in series for at, _ in one.values] or [end]
    times = time_axis(moments, launched_at=launched_at, end=end)
    picture = Picture(
        name="best",
        title="Best public score over time",
        description=f"Each line is a team's best public score; at the end the first is {leader}.",
        x_label="Time of the submission (UTC)",
        y_label="Best public score",
    )
    return Chart(
        name="best",
        title=picture.title,
        about="Scores on the public board of the first ten teams, each from when it was submitted.",
        svg=charts.steps(picture, series, times, _reach(series)),
        columns=("Team", "From", "Score"),
        rows=rows,
        legend=legend,
        is_wide=True,
    )


def spread(figures: ChartsOut) -> Chart:
    """Draws the distribution of scores: the number of teams in each bin."""
    bins = [HistogramBin(one.low, one.high, one.teams) for one in figures.spread]
    own = figures.own
    mark = Mark(own.score, f"you: {_score(figures, own.score)}") if own else None
    teams = sum(one.count for one in bins)
    fullest = max(bins, key=lambda one: one.count)
    end = "last" if figures.is_error else "first"
    picture = Picture(
        name="spread",
        title="Distribution of scores",
        description=(
            f"Of {teams} ranked teams, {fullest.count} have a score from"
            f" {_score(figures, fullest.low)} to {_score(figures, fullest.high)}."
        ),
        x_label="Score",
        y_label="Teams",
    )
    return Chart(
        name="spread",
        title="Distribution",
        about=f"Ranked teams by score; the {end} bar counts worse scores too.",
        svg=charts.bars(picture, bins, mark),
        columns=("From", "To below", "Teams"),
        rows=[(_score(figures, one.low), _score(figures, one.high), one.count) for one in bins],
        legend=[],
    )


def score_by_rank(figures: ChartsOut) -> Chart:
    """Draws the score at each rank."""
    values = [(one.rank, one.score) for one in figures.ranks]
    (_, best), (last, worst) = values[0], values[-1]
    picture = Picture(
        name="ranks",
        title="Rank against score",
        description=(
            f"From {_score(figures, best)} at rank 1 to {_score(figures, worst)} at rank {last}."
        ),
        x_label="Rank",
        y_label="Score",
    )
    return Chart(
        name="ranks",
        title="Rank against score",
        about="How far apart neighbors are: where the line is flat, a small gain moves you up many"
        " places.",
        svg=charts.curve(picture, values, _own_spot(figures)),
        columns=("Rank", "Score"),
        rows=[(rank, _score(figures, score)) for rank, score in values],
        legend=[("series-own", "you")] if figures.own and figures.own.rank else [],
        has_dots=True,
    )


def moves(figures: ChartsOut, found: Sequence[MoveOut]) -> Chart:
    """Draws the places of teams on the public board against those on the final one."""
    pairs = [(one.public_rank, one.private_rank) for one in found]
    own = figures.own.team.id if figures.own else None
    mine = next((one for one in found if one.team.id == own), None)
    spot = Spot(mine.public_rank, mine.private_rank, "you") if mine else None
    up = sum(public > private for public, private in pairs)
    down = sum(public < private for public, private in pairs)
    picture = Picture(
        name="moves",
        title="Public rank against final rank",
        description=f"Of {len(pairs)} teams, {up} came up, {down} fell, the others stayed.",
        x_label="Public rank",
        y_label="Final rank",
    )
    return Chart(
        name="moves",
        title="Shake-up",
        about="Each point is a team's final submission. Above the line, the final rank is better.",
        svg=charts.points(picture, pairs, spot, last=max(max(pair) for pair in pairs)),
        columns=("Team", "Public", "Final", "Places"),
        rows=[
            (
                one.team.name,
                one.public_rank,
                one.private_rank,
                f"{one.public_rank - one.private_rank:+d}",
            )
            for one in found[:MOVES_IN_TABLE]
        ],
        legend=[("series-own", "you")] if mine else [],
        is_wide=True,
        has_dots=True,
    )


def objectives(figures: ChartsOut, teams: Sequence[TeamObjectivesOut], split: str) -> Chart:
    """Draws the parts of the first teams' scores by objective, on one split."""
    names = list(teams[0].objectives)
    classes = {name: f"series-{number % 10}" for number, name in enumerate(names)}
    rows = [
        ChartRow(
            name=one.team.name,
            label=f"#{one.rank}" if one.rank else "–",
            values={n: v for n, by in one.objectives.items() if (v := by[split]) is not None},
        )
        for one in teams
    ]
    picture = Picture(
        name=f"objectives-{split}",
        title=f"Objectives on the {split} part",
        description=f"{', '.join(names)} of {len(teams)} teams.",
        x_label="Value of the objective",
        y_label="Team",
    )
    return Chart(
        name=f"objectives-{split}",
        title=f"Per objective, {split}",
        about="What the scores of the first teams are made of.",
        svg=charts.dots(picture, rows, classes),
        columns=("Team", *names),
        rows=[
            (one.name, *(_score(figures, one.values[n]) if n in one.values else "–" for n in names))
            for one in rows
        ],
        legend=[(classes[name], name) for name in names],
        has_dots=True,
    )


def _own_spot(figures: ChartsOut) -> Spot | None:
    own = figures.own
    if own is None or own.rank is None:
        return None
    return Spot(own.rank, own.score, f"you: #{own.rank}, {_score(figures, own.score)}")


def _reach(series: list[Series]) -> tuple[float, float]:
    """Computes the axis of scores over time: the first scores of teams may be far from the decisive
    range, and are drawn at the edge."""
    last = [one.values[-1][1] for one in series]
    begun = [one.values[len(one.values) // 3][1] for one in series]
    low, high = min([*last, *begun], default=0.0), max([*last, *begun], default=1.0)
    room = 0.08 * (high - low) or abs(low) * 0.01 or 0.5
    return low - room, high + room


def _score(figures: ChartsOut, score: float) -> str:
    return f"{score:.{figures.decimals}f}"
