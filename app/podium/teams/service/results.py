"""The results of a competition by person, for a lecturer's list of grades."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

from sqlalchemy.orm import Session

from podium.boards.service import views
from podium.core.access import Actor, competition_for_organizer
from podium.core.models import Competition, Team
from podium.core.spreadsheets import harmless
from podium.core.visibility import Board
from podium.standings.rules import UNRANKED_TAGS
from podium.teams import queries

BOARDS: tuple[Board, ...] = ("public", "private")

COLUMNS = (
    *("person", "team", "public_rank", "public_score"),
    *("final_rank", "private_score", "submissions", "remark"),
)

BYTE_ORDER_MARK = "\ufeff"
"""Spreadsheets need it to recognize UTF-8."""


def people_csv(session: Session, *, slug: str, actor: Actor) -> bytes:
    """Writes a line for each person in a team, RFC 4180 in UTF-8 with its mark: by final rank,
    public rank and name. Ranks and scores are empty for teams that are not on a board, and private
    ones before the reveal; `remark` has the reason for which a team has no rank. Raises
    `NotFound`."""
    competition = competition_for_organizer(session, slug=slug, actor=actor)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    lines = sorted(_lines(session, competition), key=_place)
    writer.writerows(lines)
    return (BYTE_ORDER_MARK + text.getvalue()).encode()


def _place(line: Sequence[str]) -> tuple[float, float, str]:
    person, _, public_rank, _, final_rank, *_ = line
    ranks = [float(rank or "inf") for rank in (final_rank, public_rank)]
    return ranks[0], ranks[1], person.casefold()


def _lines(session: Session, competition: Competition) -> Iterator[list[str]]:
    public, private = (_results(session, competition, board) for board in BOARDS)
    for person, team in queries.people_by_team(session, competition_id=competition.id):
        rank, score, submissions = public.get(team.id, ("", "", "0"))
        final_rank, final_score, _ = private.get(team.id, ("", "", ""))
        results = (rank, score, final_rank, final_score, submissions, _remark(team))
        yield [harmless(person), harmless(team.name), *results]


def _remark(team: Team) -> str:
    if team.disqualified_at is not None:
        return "disqualified"
    return "" if UNRANKED_TAGS.isdisjoint(team.tags) else "not ranked"


def _results(
    session: Session, competition: Competition, board: Board
) -> dict[str, tuple[str, str, str]]:
    """Maps team ids to rank, score and number of submissions on a board."""
    rows = views.board_rows(session, competition=competition, board=board, limit=None, offset=0)
    return {
        row.team_id: (
            "" if row.rank is None else str(row.rank),
            f"{row.score:f}",
            str(row.standing.submissions),
        )
        for row in rows
    }
