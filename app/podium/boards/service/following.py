"""Pagination of a board while it changes: no team appears twice, and none is left out.

A page follows the previous one as long as the same teams are before it, whatever else has changed.
Where others are before it now, the page is taken from the board as it was at the time of the first
page.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from hashlib import sha256

from sqlalchemy.orm import Session

from podium.boards.queries import rows as row_queries
from podium.boards.queries.rows import BoardRow
from podium.boards.service.board_pages import BoardPage, BoardQuery, picked, read_page
from podium.boards.service.history import rows_as_of, rows_until
from podium.core.models import Competition
from podium.errors import WrongState
from podium.errors.codes import ErrorCode

INSTANT = timedelta(microseconds=1)
"""The precision of the database's clock."""


@dataclass(frozen=True, slots=True)
class FollowingPage:
    """A page, its query (with `as_of` where it is one of the past), and the ids of the teams before
    it."""

    query: BoardQuery
    board_page: BoardPage
    before: Sequence[str]


def fingerprint(team_ids: Iterable[str]) -> str:
    """Hashes a set of teams, independently of their order."""
    return sha256("\n".join(sorted(team_ids)).encode()).hexdigest()[:16]


def page_of_now(
    session: Session, *, competition: Competition, query: BoardQuery
) -> FollowingPage | None:
    """Reads the page from the current board; None where other teams are before it than were
    shown."""
    before = row_queries.teams_before(
        session,
        competition_id=competition.id,
        board=query.board,
        count=query.offset,
        row_filter=query.row_filter,
    )
    if not _follows(query, before):
        return None
    return FollowingPage(query, read_page(session, competition=competition, query=query), before)


def following_page(
    session: Session, *, competition: Competition, query: BoardQuery
) -> FollowingPage:
    """Reads the page that follows the shown ones, from the current board or that of the time of the
    first page. Raises `WrongState` (`board-changed`) where the board of that time has changed, too:
    by a disqualification, a rejudging and the like."""
    board, moments, shown = query.board, query.moments, query.shown
    if moments.as_of is not None:
        past = rows_as_of(session, competition=competition, board=board, at=moments.as_of)
    else:
        found = page_of_now(session, competition=competition, query=query)
        if found is not None:
            return found
        assert shown is not None, "without shown teams every page follows"
        until = shown.at + INSTANT
        past = rows_until(session, competition=competition, board=board, until=until)
        query = replace(query, moments=replace(moments, as_of=shown.at.replace(microsecond=0)))
    before = [row.team_id for row in picked(past, query.row_filter)[: query.offset]]
    if not _follows(query, before):
        raise WrongState(
            "The board has changed since the first page, and other teams stand on the pages that"
            " you have. Begin again without a cursor; with a `limit` of 1000 fewer pages follow.",
            code=ErrorCode.BOARD_CHANGED,
        )
    board_page = read_page(session, competition=competition, query=query, past=past)
    return FollowingPage(query, board_page, before)


def shown_so_far(page: FollowingPage, rows: Sequence[BoardRow]) -> str:
    """Hashes the teams on this page and before it."""
    return fingerprint([*page.before, *(row.team_id for row in rows)])


def _follows(query: BoardQuery, before: Sequence[str]) -> bool:
    return query.shown is None or query.shown.fingerprint == fingerprint(before)
