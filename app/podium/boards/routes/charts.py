"""The route of the figures for charts of a board."""

from __future__ import annotations

from hashlib import sha256
from typing import Annotated

from fastapi import Query, Request, Response
from sqlalchemy.orm import Session

from podium.accounts.authentication.callers import MaybeActor
from podium.boards.caching import NOT_MODIFIED, Rendered, RenderedBoards, board_headers
from podium.boards.schemas import (
    BestOut,
    ChartsOut,
    TeamObjectivesOut,
    TimedScoreOut,
)
from podium.boards.service import views
from podium.boards.service.charts import TeamObjectives, TeamScores, figures_of
from podium.core.configuration import is_of_errors, settings_of
from podium.core.models import Competition
from podium.core.visibility import Board
from podium.errors.codes import ErrorCode
from podium.http.caching import same_for_everybody
from podium.http.schemas import problems
from podium.http.streaming.strict_json import strict_router
from podium.http.transactions import Reading

router = strict_router(tag="leaderboard")

_rendered = RenderedBoards()

Split = Annotated[Board, Query(description="`private` exists only after the reveal.")]

OwnTeam = Annotated[
    str | None, Query(max_length=64, description="A team to show beside the first ones, by its id.")
]


@router.get(
    "/competitions/{slug}/charts",
    operation_id="getCharts",
    summary="Figures of the leaderboard for charts",
    response_model=ChartsOut,
    responses=NOT_MODIFIED | problems(ErrorCode.NOT_REVEALED),
)
def get_charts(
    slug: str,
    actor: MaybeActor,
    session: Reading,
    request: Request,
    split: Split = "public",
    team: OwnTeam = None,
) -> Response:
    """Best scores over time, the distribution of scores, the score at each rank, and after the
    reveal the changes of ranks and the objectives of the first teams. Based only on what boards
    show or have shown, so that a freeze applies here, too."""
    competition = views.visible_board(session, slug=slug, actor=actor, board=split)
    named = "charts" if team is None else f"charts.{sha256(team.encode()).hexdigest()[:32]}"
    headers = board_headers(competition, split, named)
    same_for_everybody(request)
    rendered = _rendered.get(
        (competition.id, split, named),
        headers["ETag"],
        lambda: Rendered(_document(session, competition, split, team)),
    )
    return Response(rendered.body, media_type="application/json", headers=headers)


def _document(
    session: Session, competition: Competition, split: Board, team_id: str | None
) -> bytes:
    figures = figures_of(session, competition=competition, board=split, team_id=team_id)
    settings = settings_of(competition)
    found = ChartsOut.of(
        figures,
        competition=competition.slug,
        split=split,
        version=views.version_of(competition),
        updated_at=views.updated_at(competition),
        is_error=is_of_errors(settings),
        decimals=settings.decimals,
        best=[_best(one) for one in figures.best],
        objectives=(
            None if figures.objectives is None else [_objectives(one) for one in figures.objectives]
        ),
    )
    return found.model_dump_json().encode()


def _best(one: TeamScores) -> BestOut:
    points = [TimedScoreOut(at=at, score=float(score)) for at, score in one.points]
    return BestOut.of(one.row, points=points)


def _objectives(one: TeamObjectives) -> TeamObjectivesOut:
    return TeamObjectivesOut.of(one.row, objectives=one.scores)
