"""Inputs of boards, and the rows that are stored. Private scores are read by one function only,
which only the private board calls."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any, TypeVarTuple

from sqlalchemy import Select, delete, func, insert, select, update
from sqlalchemy.orm import Session

from podium.core.database.engine import WriteSession
from podium.core.judging_states import State
from podium.core.models import (
    GroundTruthVersion,
    Judging,
    PrivateScore,
    PublicScore,
    Standing,
    Submission,
)
from podium.core.models.judgings import DiagnosticFigures, ObjectiveFigures
from podium.core.visibility import Board
from podium.standings.rules import BoardEntry

_Columns = TypeVarTuple("_Columns")


def public_entries(
    session: Session,
    *,
    competition_id: str,
    team_ids: Sequence[str] | None = None,
    before: datetime | None,
) -> list[BoardEntry]:
    """Lists the scored submissions that count on the public board, with public scores.

    `before` excludes submissions at or after a freeze.
    """
    query = (
        _counting(select(*_ENTRY, PublicScore.score))
        .join(PublicScore, PublicScore.judging_id == Judging.id)
        .where(Submission.competition_id == competition_id)
    )
    if team_ids is not None:
        query = query.where(Submission.team_id.in_(team_ids))
    if before is not None:
        query = query.where(Submission.submitted_at < before)
    return [
        BoardEntry(i, t, score, at, seq, is_shown=not held_back)
        for i, t, at, seq, held_back, score in session.execute(query)
    ]


def private_scores(session: Session, *, competition_id: str) -> dict[str, Fraction]:
    """Maps the ids of submissions that count to their exact private scores. For the private board
    alone."""
    query = (
        _counting(select(Submission.id, PrivateScore.score))
        .join(PrivateScore, PrivateScore.judging_id == Judging.id)
        .where(Submission.competition_id == competition_id)
    )
    return {row.id: row.score for row in session.execute(query)}


def standard_errors(session: Session, competition_id: str, board: Board) -> dict[str, float | None]:
    """Maps the ids of scored submissions to the standard error on the split of this board."""
    table = PrivateScore if board == "private" else PublicScore
    query = (
        select(Submission.id, table.standard_error)
        .join(Judging, Judging.id == Submission.judging_id)
        .join(table, table.judging_id == Judging.id)
        .where(Submission.competition_id == competition_id)
    )
    return {row.id: row.standard_error for row in session.execute(query)}


def replace_board(
    session: WriteSession, *, competition_id: str, board: Board, rows: Sequence[dict[str, Any]]
) -> None:
    """Replaces all rows of one board by these, given by their columns."""
    session.execute(
        delete(Standing).where(Standing.competition_id == competition_id, Standing.board == board)
    )
    if rows:
        whose = {"competition_id": competition_id, "board": board}
        session.execute(insert(Standing), [whose | row for row in rows])


_ENTRY = (
    Submission.id,
    Submission.team_id,
    Submission.submitted_at,
    Submission.sequence,
    Submission.is_held_back,
)


def _counting(query: Select[*_Columns]) -> Select[*_Columns]:
    return (
        query.select_from(Submission)
        .join(Judging, Judging.id == Submission.judging_id)
        .where(
            Judging.state == State.SCORED,
            Submission.disqualified_at.is_(None),
            Submission.is_late.is_(False),
        )
    )


@dataclass(frozen=True, slots=True)
class ScoredSubmission:
    """A scored submission with the public half of its effective verdict."""

    submission_id: str
    judging_id: str
    ground_truth_version: int
    hits_sha256: str | None
    score: Fraction
    standard_error: float | None


def best_shown(session: Session, *, team_id: str, besides: str) -> ScoredSubmission | None:
    """Finds the best of a team's submissions whose scores it has seen, by the exact public score,
    the earliest of equals; `besides` is excluded, and so are disqualified ones."""
    query = (
        select(
            Submission.id,
            Judging.id,
            Judging.ground_truth_version,
            Judging.hits_sha256,
            PublicScore.score,
            PublicScore.standard_error,
        )
        .join(Judging, Judging.id == Submission.judging_id)
        .join(PublicScore, PublicScore.judging_id == Judging.id)
        .where(
            Submission.team_id == team_id,
            Submission.id != besides,
            Judging.state == State.SCORED,
            Submission.is_held_back.is_(False),
            Submission.disqualified_at.is_(None),
        )
        .order_by(Submission.sequence)
    )
    found = [ScoredSubmission(*row) for row in session.execute(query)]
    return max(found, key=lambda one: one.score, default=None)


def count_scored(session: Session, *, team_id: str, besides: str) -> int:
    """Counts the scored submissions of a team, except for `besides`."""
    query = (
        select(func.count())
        .select_from(Submission)
        .join(Judging, Judging.id == Submission.judging_id)
        .where(
            Submission.team_id == team_id,
            Submission.id != besides,
            Judging.state == State.SCORED,
        )
    )
    return session.scalar(query) or 0


def scored_since(session: Session, *, competition_id: str, since: datetime) -> Sequence[str]:
    """Lists the ids of the scored submissions from a moment on, in the order of their
    acceptance."""
    query = (
        select(Submission.id)
        .join(Judging, Judging.id == Submission.judging_id)
        .where(
            Submission.competition_id == competition_id,
            Submission.submitted_at >= since,
            Judging.state == State.SCORED,
        )
        .order_by(Submission.sequence)
    )
    return session.scalars(query).all()


def show_everything(session: WriteSession, *, competition_id: str) -> None:
    """Releases all withheld scores of a competition."""
    session.execute(
        update(Submission)
        .where(Submission.competition_id == competition_id, Submission.is_held_back)
        .values(is_held_back=False)
    )


def hold_back(session: WriteSession, *, submission_ids: Sequence[str]) -> None:
    """Withholds the scores of these submissions, whatever was decided before."""
    session.execute(
        update(Submission).where(Submission.id.in_(list(submission_ids))).values(is_held_back=True)
    )


@dataclass(frozen=True, slots=True)
class EndedJudging:
    """A judging with a verdict, its file, and the bits counted so far. The figures are filled where
    they were requested, and there is a score."""

    id: str
    state: str
    problem: Mapping[str, Any] | None
    ground_truth_version: int
    told_bits: float | None
    told_detail_bits: float | None
    is_effective: bool
    team_id: str
    sha256: str
    submitted_at: datetime
    is_held_back: bool
    score: Fraction | None
    objectives: Mapping[str, ObjectiveFigures] | None = None
    diagnostics: Mapping[str, DiagnosticFigures] | None = None


def ended_judgings(
    session: Session,
    *,
    competition_id: str,
    with_figures: bool,
    of_file: tuple[str, str] | None = None,
) -> list[EndedJudging]:
    """Lists the judgings of a competition with a verdict, in the order of their submissions;
    `of_file` limits them to the submissions of one team with one hash."""
    columns: tuple[Any, ...] = (
        Judging.id,
        Judging.state,
        Judging.problem,
        Judging.ground_truth_version,
        Judging.told_bits,
        Judging.told_detail_bits,
        (Submission.judging_id == Judging.id).label("is_effective"),
        Submission.team_id,
        Submission.sha256,
        Submission.submitted_at,
        Submission.is_held_back,
        PublicScore.score,
    )
    if with_figures:
        columns += (PublicScore.objectives, PublicScore.diagnostics)
    query = (
        select(*columns)
        .join(Submission, Submission.id == Judging.submission_id)
        .outerjoin(PublicScore, PublicScore.judging_id == Judging.id)
        .where(
            Submission.competition_id == competition_id,
            Judging.state.in_((State.SCORED, State.REJECTED, State.FAILED)),
        )
        .order_by(Submission.sequence, Judging.id)
    )
    if of_file is not None:
        query = query.where(Submission.team_id == of_file[0], Submission.sha256 == of_file[1])
    return [EndedJudging(*tuple(row)) for row in session.execute(query)]


def store_bits(session: WriteSession, *, rows: Sequence[Mapping[str, Any]]) -> None:
    """Stores the bits that judgings have revealed, by their ids."""
    if rows:
        session.execute(update(Judging), list(rows))


def bits_by_team(
    session: Session, *, competition_id: str, team_ids: Collection[str] | None = None
) -> dict[str, float]:
    """Maps team ids to the bits that were revealed to them; teams without any may be missing."""
    query = (
        select(Submission.team_id, func.sum(_REVEALED_BITS))
        .join(Judging, Judging.submission_id == Submission.id)
        .where(Submission.competition_id == competition_id)
        .group_by(Submission.team_id)
    )
    if team_ids is not None:
        query = query.where(Submission.team_id.in_(list(team_ids)))
    return {row[0]: row[1] for row in session.execute(query)}


def bits_by_submission(session: Session, *, team_id: str) -> list[tuple[str, float]]:
    """Lists the submissions of a team in their order, with the bits that each has revealed."""
    query = (
        select(Submission.id, func.sum(_REVEALED_BITS))
        .join(Judging, Judging.submission_id == Submission.id)
        .where(Submission.team_id == team_id)
        .group_by(Submission.id, Submission.sequence)
        .order_by(Submission.sequence)
    )
    return [(row[0], row[1]) for row in session.execute(query)]


_REVEALED_BITS = func.coalesce(Judging.told_bits, 0.0) + func.coalesce(
    Judging.told_detail_bits, 0.0
)


def truth_summaries(session: Session, *, competition_id: str) -> dict[int, dict[str, Any]]:
    """Maps the version numbers of the ground truth to the counts of each."""
    query = select(GroundTruthVersion).where(GroundTruthVersion.competition_id == competition_id)
    rows = session.scalars(query)
    return {row.version: row.summary or {} for row in rows if row.version is not None}
