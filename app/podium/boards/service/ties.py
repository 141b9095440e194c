"""Statistical ties with the first one on a final board: computed after the reveal.

A team is tied when the paired difference of its score and the first one's is no more than 1.96
standard errors. SE(Δ) is never above SE_a + SE_b, so that the files of most teams need not be read;
the others are compared in the sandbox, in portions, and every portion gives the board a new
version. The next round continues where one stops.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from podium.boards.queries import ties as tie_queries
from podium.boards.queries.ties import FinalRow
from podium.boards.service.stored_hits import StoredHits, looked_at, stored_hits
from podium.core import locks
from podium.core.database.engine import Database, ReadSession, WriteSession, database_now
from podium.core.models import Competition
from podium.core.visibility import Board
from podium.jobs.means import Means
from podium.sandbox.definitions.hits import FindTies
from podium.scoring.uncertainty import SIGMAS
from podium.submissions.service.submissions import known_submission

PORTION = 20
"""Teams that one child compares; each takes about a second at full size."""

BoardState = tuple[str, str, int]
"""A competition, a board of it and its version."""


@dataclass(frozen=True, slots=True)
class Portion:
    """Some rows of a board that must be compared with the first one, whose hits come first."""

    state: BoardState
    competition_id: str
    board: Board
    first: FinalRow
    others: tuple[FinalRow, ...]
    stored: StoredHits


def may_be_unsettled(database: Database) -> bool:
    """True if a final board may have ranked rows whose ties are not known yet."""
    return tie_queries.MAY_BE_UNSETTLED.passes(database)


def has_clear_cases(session: ReadSession) -> bool:
    """True if `settle_clear_cases` has anything to do."""
    return any(
        _clear_cases(tie_queries.final_rows(session, competition_id=competition.id, board=board))
        for competition, board in tie_queries.unsettled(session)
    )


def settle_clear_cases(session: WriteSession) -> None:
    """Settles every row that can be decided without hits: the first one, and those too far
    behind."""
    for competition, board in tie_queries.unsettled(session):
        locked = locks.lock_board(session, competition_id=competition.id)
        rows = tie_queries.final_rows(session, competition_id=locked.id, board=board)
        _settle(session, locked.id, board, rows, _clear_cases(rows))


def next_portion(session: ReadSession, *, besides: Collection[BoardState]) -> Portion | None:
    """Finds rows that a child must compare; None without any. `besides` are boards to skip."""
    for competition, board in tie_queries.unsettled(session):
        state = (competition.id, board, competition.board_version)
        if state in besides:
            continue
        first, *others = tie_queries.final_rows(session, competition_id=competition.id, board=board)
        close = [row for row in _open(others) if _may_be_compared(first, row)]
        if close:
            some = tuple(close[:PORTION])
            return Portion(
                state=state,
                competition_id=competition.id,
                board=board,
                first=first,
                others=some,
                stored=_stored(session, competition, [first, *some]),
            )
    return None


def look(portion: Portion, means: Means) -> list[bool]:
    """Computes in the sandbox which teams of the portion are tied. Raises `Unavailable`."""
    found = looked_at(
        portion.stored, lambda judged: FindTies(judged=judged, split=portion.board), means
    )
    return list(found.ties)


def record(session: WriteSession, *, portion: Portion, ties: Sequence[bool]) -> None:
    """Stores the computed ties, unless another team is first by now."""
    locked = locks.lock_board(session, competition_id=portion.competition_id)
    rows = tie_queries.final_rows(session, competition_id=locked.id, board=portion.board)
    if not rows or rows[0].submission_id != portion.first.submission_id:
        return
    tied = {row.team_id: tie for row, tie in zip(portion.others, ties, strict=True)}
    _settle(session, locked.id, portion.board, portion.others, tied)


def _settle(
    session: WriteSession,
    competition_id: str,
    board: Board,
    rows: Sequence[FinalRow],
    tied: dict[str, bool],
) -> None:
    if tied:
        tie_queries.settle(
            session, competition_id=competition_id, board=board, rows=rows, tied=tied
        )
        locks.touch_board(session, competition_id=competition_id, now=database_now(session))


def _open(rows: Sequence[FinalRow]) -> list[FinalRow]:
    return [row for row in rows if row.is_tied is None and row.standard_error is not None]


def _clear_cases(rows: Sequence[FinalRow]) -> dict[str, bool]:
    """Maps teams to ties, where these are open and the numbers alone decide them."""
    found = {row.team_id: _at_once(rows[0], row) for row in _open(rows)}
    return {team_id: tie for team_id, tie in found.items() if tie is not None}


def _at_once(first: FinalRow, row: FinalRow) -> bool | None:
    """True or False if the numbers of a row alone decide that it is tied or not; None otherwise."""
    if row.submission_id == first.submission_id or (
        row.hits_sha256 == first.hits_sha256
        and row.ground_truth_version == first.ground_truth_version
    ):
        return True
    if first.standard_error is None or row.standard_error is None:
        return None
    reach = SIGMAS * (first.standard_error + row.standard_error)
    return False if abs(first.score - row.score) > reach else None


def _may_be_compared(first: FinalRow, row: FinalRow) -> bool:
    return (
        row.hits_sha256 is not None
        and first.hits_sha256 is not None
        and row.ground_truth_version == first.ground_truth_version
    )


def _stored(session: ReadSession, competition: Competition, rows: Sequence[FinalRow]) -> StoredHits:
    found = [known_submission(session, submission_id=row.submission_id) for row in rows]
    known = [each for each in found if each is not None]
    return stored_hits(session, competition=competition, found=known)
