"""The diagnostics that a board shows beside the score: those of the submission in each row, on the
split of the board. They are seen by the one way in which submissions are shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from sqlalchemy.orm import Session

from podium.boards.queries.rows import BoardRow
from podium.core.configuration import settings_of
from podium.core.database.reading import batches
from podium.core.models import Competition
from podium.core.visibility import Board
from podium.submissions.service.submissions import known_submissions
from podium.submissions.service.views import present

AT_A_TIME = 1_000
"""Submissions that are read in one query."""

BoardDiagnostics = Mapping[str, Decimal | None]
"""The diagnostics of a row by the id of the metric, in the order of the columns; None where the
verdict has none."""


def diagnostics_of(
    session: Session, *, competition: Competition, board: Board, rows: Sequence[BoardRow]
) -> Mapping[str, BoardDiagnostics]:
    """Maps the ids of the teams in these rows to their diagnostics; empty where the board has no
    such columns."""
    wanted = settings_of(competition).board_diagnostics
    if not wanted:
        return {}
    teams = {row.standing.submission_id: row.team_id for row in rows}
    return {
        teams[view.submission.id]: {metric: view.diagnostic(metric, board) for metric in wanted}
        for ids in batches(teams, AT_A_TIME)
        for view in present(
            session, known_submissions(session, submission_ids=ids), is_organizer=False
        )
    }
