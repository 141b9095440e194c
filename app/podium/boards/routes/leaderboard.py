"""Routes of the leaderboards, as JSON and as CSV, with a weak ETag per board version and page."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from typing import Annotated

from fastapi import Query, Request, Response
from sqlalchemy.orm import Session

from podium.accounts.authentication.callers import MaybeActor
from podium.boards.caching import NOT_MODIFIED, Rendered, RenderedBoards, board_headers, histories
from podium.boards.queries.rows import EVERYTHING, Order
from podium.boards.rendering.documents import document, whole_csv
from podium.boards.schemas import LeaderboardOut
from podium.boards.service import views
from podium.boards.service.board_pages import BoardQuery, ShownTeams, row_filter_of
from podium.boards.service.following import following_page, page_of_now, shown_so_far
from podium.boards.service.history import Moments, check_moments
from podium.core.database.engine import database_now
from podium.core.models import Competition
from podium.core.visibility import Board
from podium.errors.codes import ErrorCode
from podium.http import examples
from podium.http.caching import same_for_everybody
from podium.http.paging import LARGEST_INTEGER, Page, Paging, link_next
from podium.http.schemas import GivenTime, OpenApi, problems
from podium.http.streaming.strict_json import strict_router
from podium.http.transactions import Reading

Named = Annotated[
    str, Query(max_length=64, description="Only teams with a name that holds this, or reads so.")
]

OfTeam = Annotated[str | None, Query(max_length=64, description="Only the team with this id.")]

Sorted = Annotated[Order, Query(description="With `-` in front, the other way round.")]

router = strict_router(tag="leaderboard")

_rendered = RenderedBoards()

_RANKED = (
    "rank,team,team_id,score,submission_id,submissions,submitted_at,last_submitted_at,tags\n"
    f"1,Team Ada,{examples.TEAM},0.57123,{examples.SUBMISSION},3,"
    "2026-11-24T12:00:00Z,2026-11-24T12:00:00Z,\n"
)

CSV_ANSWER: dict[int | str, OpenApi] = {
    200: {"content": {"text/csv": {"schema": {"type": "string"}, "example": _RANKED}}}
}

Split = Annotated[Board, Query(description="`private` exists only after the reveal.")]

AsOf = Annotated[
    GivenTime | None, Query(description="The board as it was at the end of this second.")
]

Since = Annotated[
    GivenTime | None, Query(description="Fills `rank_change`: against the ranks of this time.")
]


@router.get(
    "/competitions/{slug}/leaderboard",
    operation_id="getLeaderboard",
    summary="The leaderboard",
    response_model=LeaderboardOut,
    responses=NOT_MODIFIED
    | problems(
        ErrorCode.BOARD_CHANGED,
        ErrorCode.IN_THE_FUTURE,
        ErrorCode.NOT_LAUNCHED,
        ErrorCode.NOT_REVEALED,
        ErrorCode.SINCE_AFTER_AS_OF,
    ),
)
def get_leaderboard(
    slug: str,
    actor: MaybeActor,
    session: Reading,
    page: Paging,
    request: Request,
    split: Split = "public",
    as_of: AsOf = None,
    since: Since = None,
    q: Named = "",
    team: OfTeam = None,
    sort: Sorted = "rank",
) -> Response:
    """Best first. The public board ranks by the shown value, the private one by the exact value,
    both with ties going to the earlier submission. With `as_of`, the board as it was then:
    submissions that were judged by the end of that second, with the scores, names and
    disqualifications of today; a rejudging counts for all times. `q`, `team` and `sort` choose rows
    and their order; ranks stay those of the whole board. Pages stay consistent while the board
    changes: see *Lists and pagination*."""
    competition = views.visible_board(session, slug=slug, actor=actor, board=split)
    offset, shown = _start(page)
    query = BoardQuery(
        split,
        page.limit,
        offset,
        row_filter_of(q, team, sort),
        Moments(as_of, since),
        with_members=views.may_see_members(session, competition=competition, actor=actor),
        shown=shown,
    )
    check_moments(session, competition=competition, board=split, moments=query.moments)
    named = _named(query)
    headers = board_headers(competition, split, named)
    same_for_everybody(request)
    rendered = _rendered.get(
        (competition.id, split, named),
        headers["ETag"],
        lambda: _page(session, competition, page, query),
    )
    answer = Response(rendered.body, media_type="application/json", headers=headers)
    link_next(request, answer, rendered.next_cursor)
    return answer


@router.get(
    "/competitions/{slug}/leaderboard.csv",
    operation_id="getLeaderboardCsv",
    summary="The whole leaderboard as CSV",
    response_class=Response,
    responses=CSV_ANSWER | NOT_MODIFIED | problems(ErrorCode.NOT_REVEALED),
)
def get_leaderboard_csv(
    slug: str, actor: MaybeActor, session: Reading, request: Request, split: Split = "public"
) -> Response:
    """RFC 4180. Cells that a spreadsheet would run as a formula begin with an apostrophe."""
    competition = views.visible_board(session, slug=slug, actor=actor, board=split)
    headers = board_headers(competition, split, "csv")
    same_for_everybody(request)
    rendered = _rendered.get(
        (competition.id, split, "csv"),
        headers["ETag"],
        lambda: Rendered(whole_csv(session, competition, split)),
    )
    headers["Content-Disposition"] = f'attachment; filename="{competition.slug}-{split}.csv"'
    return Response(rendered.body, media_type="text/csv; charset=utf-8", headers=headers)


def _start(page: Page) -> tuple[int, ShownTeams | None]:
    """Returns the number of rows before a page, and their teams, which cursors of earlier versions
    did not contain."""
    after = page.after(int, datetime, str, least=1)
    if after is None:
        return 0, None
    offset, *shown = after
    return min(max(offset, 0), LARGEST_INTEGER - page.fetch), ShownTeams(*shown) if shown else None


def _page(session: Session, competition: Competition, page: Page, query: BoardQuery) -> Rendered:
    # One row more than is shown, to find out whether there is a next page.
    more = replace(query, limit=page.fetch)
    found = None
    if query.moments == Moments():
        found = page_of_now(session, competition=competition, query=more)
    if found is None:
        with histories.entered():
            found = following_page(session, competition=competition, query=more)
    rows = found.board_page.rows
    changed = query.shown.at if query.shown else views.updated_at(competition)
    at = changed or database_now(session)
    so_far = shown_so_far(found, rows[: page.limit])
    _, next_cursor = page.cut(rows, key=lambda _: (query.offset + page.limit, at, so_far))
    shown = replace(found.query, limit=page.limit)
    body = document(competition, shown, found.board_page, next_cursor=next_cursor)
    return Rendered(body, next_cursor)


def _named(query: BoardQuery) -> str:
    """Returns a query as a part of a tag, without any text of the client."""
    moments, row_filter = query.moments, query.row_filter
    named = f"{query.limit}.{query.offset}" + "".join(
        f".{name}{moment.timestamp():.0f}"
        for name, moment in (("a", moments.as_of), ("s", moments.since))
        if moment is not None
    )
    if not query.with_members:
        named += ".n"
    if query.shown is not None:
        named += f".f{sha256(repr(query.shown).encode()).hexdigest()[:32]}"
    if row_filter != EVERYTHING:
        named += f".w{sha256(repr(row_filter).encode()).hexdigest()[:32]}"
    return named
