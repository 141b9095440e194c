"""The page of a leaderboard: from the cache for anonymous visitors, with their own team marked for
users. It shows the content of `GET …/leaderboard`, from the same services."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from hashlib import sha256
from typing import Annotated, ClassVar
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from sqlalchemy.orm import Session

from podium.accounts.authentication.callers import MaybeActor
from podium.application import Application
from podium.boards.caching import EarlierRanks, board_headers, histories
from podium.boards.queries.rows import EVERYTHING, BoardFilter, BoardRow, Order
from podium.boards.rendering.rows import Row, shown_rows
from podium.boards.service import views
from podium.boards.service.board_pages import BoardPage, BoardQuery, read_page, row_filter_of
from podium.boards.service.history import Moments, check_moments, ranks_at, rows_as_of
from podium.competitions.pages.layout import CompetitionLayout, CompetitionPage, competition_layout
from podium.competitions.schemas.competitions import present
from podium.competitions.service import competitions
from podium.core.access import Actor
from podium.core.configuration import highest_score, settings_of
from podium.core.database.engine import database_now
from podium.core.models import Competition
from podium.core.visibility import Board
from podium.errors import InvalidInput, Unavailable
from podium.errors.codes import ErrorCode
from podium.http.caching import same_for_everybody
from podium.http.deps import App
from podium.http.pages.layout import rendered

ROWS_OF_A_PAGE = 100

DAYS = {1: "yesterday", 7: "a week ago", 30: "a month ago"}
"""Choices for the board that ranks are compared with, by its age in days."""

router = APIRouter(include_in_schema=False)

_earlier = EarlierRanks()

_NEWS = {True: "1.0", False: "1.0.n"}
"""The API's name for the page of one row that scripts request, with and without the names of
people."""


@dataclass(frozen=True, slots=True)
class LeaderboardParams:
    """The query of the page's address; `as_of` is a day, or a moment, as it was typed. Without a
    `split` it is the board that counts now."""

    split: Board | None = None
    page: int = 1
    q: str = ""
    sort: Order = "rank"
    as_of: str = ""
    days: int = 7

    @property
    def is_plain(self) -> bool:
        """True if all rows are shown in the order of the board."""
        return not self.q.strip() and self.sort == "rank"

    @property
    def moment(self) -> datetime | None:
        """The second whose board is requested: a day means its last one."""
        if not self.as_of.strip():
            return None
        try:
            if len(self.as_of) == len("2026-01-01"):
                return datetime.combine(
                    date.fromisoformat(self.as_of), time(23, 59, 59), tzinfo=UTC
                )
            moment = datetime.fromisoformat(self.as_of).replace(microsecond=0)
            return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC)
        except (ValueError, OverflowError):
            raise InvalidInput(
                "as_of is a day, such as 2026-11-20.", code=ErrorCode.BAD_DATE
            ) from None


def _leaderboard_params(
    split: Board | None = None,
    page: Annotated[int, Query(ge=1, le=100_000)] = 1,
    q: Annotated[str, Query(max_length=64)] = "",
    sort: Order = "rank",
    as_of: Annotated[str, Query(max_length=40)] = "",
    days: Annotated[int, Query(ge=1, le=30)] = 7,
) -> LeaderboardParams:
    return LeaderboardParams(split, page, q, sort, as_of, days if days in DAYS else 7)


@dataclass(frozen=True, slots=True)
class LeaderboardView:
    """A board as the page shows it. `first` and `own` are the rows of the leader and of the
    visitor's team, on any page; `own_page` is the page of the latter. `compared` describes the
    moment with which ranks are compared, `etag` identifies the shown version for scripts that poll
    for changes."""

    params: LeaderboardParams
    split: Board
    metric: str
    share: str | None
    is_ladder: bool
    rows: list[Row]
    total: int
    ranked: int
    first: Row | None
    own: Row | None
    own_page: int | None
    as_of: datetime | None
    compared: str | None
    etag: str | None

    @property
    def is_final(self) -> bool:
        """True for the final ranking."""
        return self.split == "private"

    @property
    def pages(self) -> int:
        """The number of pages, at least one."""
        return max(1, -(-self.total // ROWS_OF_A_PAGE))

    def address(self, **changes: object) -> str:
        """Builds the address of the same board with other parameters."""
        params = {
            name: getattr(self.params, name) for name in LeaderboardParams.__dataclass_fields__
        }
        query = {
            name: value
            for name, value in (params | {"page": 1} | changes).items()
            if value != getattr(LeaderboardParams(), name)
        }
        return f"?{urlencode(query)}"


@dataclass(frozen=True, kw_only=True)
class LeaderboardPage(CompetitionPage):
    """A page of a board; `days` are those with which ranks can be compared."""

    template: ClassVar[str] = "boards/leaderboard.html"

    board: LeaderboardView
    days: Mapping[int, str]
    today: str


@router.get("/competitions/{slug}/leaderboard")
async def show_leaderboard(
    request: Request,
    app: App,
    actor: MaybeActor,
    slug: str,
    params: Annotated[LeaderboardParams, Depends(_leaderboard_params)],
) -> Response:
    """Shows a page of a leaderboard; the private one exists only after the reveal."""
    if actor is None:
        layout, board = await run_in_threadpool(_for_anonymous, app, slug, params)
    else:
        layout = await competition_layout(request, slug, here="leaderboard")
        board = await run_in_threadpool(_for_visitor, app, actor, layout, params)
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    shown = LeaderboardPage(layout=layout, board=board, days=DAYS, today=today)
    page = await rendered(request, shown, visitor=layout.visitor)
    return kept_page(request, page) if actor is None else private_page(page)


def kept_page(request: Request, page: Response) -> Response:
    """Marks a page of public rows as cacheable, tagged with a hash of its content."""
    page.headers["ETag"] = f'W/"{sha256(page.body).hexdigest()[:32]}"'
    page.headers["Cache-Control"] = "no-cache"
    page.headers["Vary"] = "Authorization, Cookie"
    same_for_everybody(request)
    return page


def private_page(page: Response) -> Response:
    """Marks a page for one visitor as not cacheable."""
    page.headers["Cache-Control"] = "no-store"
    return page


def _for_anonymous(
    app: Application, slug: str, params: LeaderboardParams
) -> tuple[CompetitionLayout, LeaderboardView]:
    with app.database.read() as session:
        board = params.split or "public"
        competition = views.visible_board(session, slug=slug, actor=None, board=board)
        described = competitions.describe_found(session, actor=None, competition=competition)
        layout = CompetitionLayout(present(described), None, "leaderboard")
        sees_members = views.may_see_members(session, competition=competition, actor=None)
        return layout, _shown(session, competition, params, _BoardVisitor(None, sees_members))


def _for_visitor(
    app: Application, actor: Actor, layout: CompetitionLayout, params: LeaderboardParams
) -> LeaderboardView:
    with app.database.read() as session:
        board = params.split or "public"
        competition = views.visible_board(session, slug=layout.slug, actor=actor, board=board)
        own_team = layout.team.id if layout.team else None
        sees_members = views.may_see_members(session, competition=competition, actor=actor)
        return _shown(session, competition, params, _BoardVisitor(own_team, sees_members))


@dataclass(frozen=True, slots=True)
class _BoardVisitor:
    """The id of the visitor's team, and if they see the names of people."""

    own_team: str | None
    sees_members: bool


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads parts of one board at one moment for one visitor."""

    session: Session
    competition: Competition
    board: Board
    moments: Moments
    past: Sequence[BoardRow] | None
    earlier: Mapping[str, int]
    visitor: _BoardVisitor

    def rows(
        self, row_filter: BoardFilter = EVERYTHING, *, limit: int = 1, offset: int = 0
    ) -> tuple[list[Row], BoardPage]:
        query = BoardQuery(
            self.board, limit, offset, row_filter, self.moments, self.visitor.sees_members
        )
        board_page = read_page(
            self.session, competition=self.competition, query=query, past=self.past
        )
        board_page = replace(board_page, earlier=self.earlier)
        is_final = self.board == "private"
        shown = shown_rows(
            board_page,
            is_final=is_final,
            highest=highest_score(settings_of(self.competition)),
            own_team=self.visitor.own_team,
        )
        return shown, board_page

    def own(self) -> tuple[Row | None, int | None]:
        """Finds the visitor's row, and the number of its page."""
        if self.visitor.own_team is None:
            return None, None
        rows, board_page = self.rows(row_filter_of(team_id=self.visitor.own_team))
        if not rows:
            return None, None
        return rows[0], 1 + (board_page.rows[0].place - 1) // ROWS_OF_A_PAGE


def _shown(
    session: Session,
    competition: Competition,
    params: LeaderboardParams,
    visitor: _BoardVisitor,
) -> LeaderboardView:
    now = database_now(session)
    as_of = params.moment if params.moment is None or params.moment <= now else None
    moments, split = Moments(as_of=as_of), params.split or board_of_now(competition)
    check_moments(session, competition=competition, board=split, moments=moments)
    past = None
    if as_of is not None:
        with histories.entered():
            past = rows_as_of(session, competition=competition, board=split, at=as_of)
    since = _since(competition, split, params.days, as_of or now)
    earlier = _earlier_ranks(session, competition, split, since) if since else {}
    reader = _Reader(session, competition, split, moments, past, earlier, visitor)
    offset = (params.page - 1) * ROWS_OF_A_PAGE
    row_filter = row_filter_of(params.q, order=params.sort)
    rows, board_page = reader.rows(row_filter, limit=ROWS_OF_A_PAGE, offset=offset)
    first = rows if params.page == 1 and params.is_plain else reader.rows()[0]
    own, own_page = reader.own()
    settings = settings_of(competition)
    return LeaderboardView(
        params=params,
        split=split,
        metric=settings.metric_line,
        share=share_of(split, settings.split.public_fraction),
        is_ladder=settings.board == "ladder",
        rows=rows,
        total=board_page.total,
        ranked=board_page.ranked,
        first=first[0] if first else None,
        own=own,
        own_page=own_page,
        as_of=as_of,
        compared=DAYS[params.days] if earlier else None,
        etag=None
        if as_of
        else board_headers(competition, split, _NEWS[visitor.sees_members])["ETag"],
    )


def share_of(split: Board, public_fraction: Decimal | None) -> str | None:
    """Formats the share of the sessions that a board scores; None where the organizers chose them.

    >>> share_of("public", Decimal("0.33")), share_of("private", Decimal("0.33"))
    ('33 %', '67 %')
    """
    if public_fraction is None:
        return None
    share = public_fraction if split == "public" else 1 - public_fraction
    return f"{share * 100:.0f} %"


def board_of_now(competition: Competition) -> Board:
    """Chooses the board that counts: the final one after the reveal."""
    return "public" if competition.revealed_at is None else "private"


def _since(competition: Competition, split: Board, days: int, at: datetime) -> datetime | None:
    """Finds the whole hour with which ranks are compared; None for the final board, and where there
    was no board."""
    since = (at - timedelta(days=days)).replace(minute=0, second=0, microsecond=0)
    launched = competition.launched_at
    if split == "private" or launched is None or since < launched:
        return None
    return None if competition.revealed_at is not None else since


def _earlier_ranks(
    session: Session, competition: Competition, split: Board, since: datetime
) -> Mapping[str, int]:
    def compute() -> Mapping[str, int]:
        with histories.entered():
            return ranks_at(session, competition=competition, board=split, at=since)

    key = (competition.id, split, str(competition.version), since.isoformat())
    try:
        return _earlier.get(key, compute)
    except Unavailable:
        # The current board is shown all the same, without changes of rank.
        return {}
