"""Judgings, their runs and verdicts, and rejudgings. A verdict is never edited: later results of a
private run are stored on that run, and in the private half."""

from __future__ import annotations

from datetime import datetime
from fractions import Fraction
from typing import NotRequired, TypedDict

from sqlalchemy import ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from podium.core.database.types import STORED_JSON, JsonObject, new_id
from podium.core.models.base import Base, Id, Leased


class Judging(Base):
    """One attempt to score one submission against one version of the ground truth.

    `state` is one of `core.judging_states.State`, and final once there is a verdict; from then on
    only the count of revealed bits changes. The work for it is that of its runs.
    """

    __tablename__ = "judgings"
    __table_args__ = (
        Index("ix_judgings_state", "state"),
        Index(
            "uq_judgings_live",
            "submission_id",
            "ground_truth_version",
            unique=True,
            sqlite_where=text("rejudging_id IS NULL"),
            postgresql_where=text("rejudging_id IS NULL"),
        ),
        Index(
            "uq_judgings_rejudged",
            "rejudging_id",
            "submission_id",
            "repeat",
            unique=True,
            sqlite_where=text("rejudging_id IS NOT NULL"),
            postgresql_where=text("rejudging_id IS NOT NULL"),
        ),
        Index("ix_judgings_rejudging_state", "rejudging_id", "state"),
    )

    id: Mapped[str] = mapped_column(Id, primary_key=True, default=new_id)
    submission_id: Mapped[str] = mapped_column(Id, ForeignKey("submissions.id"), index=True)
    competition_id: Mapped[str] = mapped_column(ForeignKey("competitions.id"), index=True)
    ground_truth_version: Mapped[int]
    rejudging_id: Mapped[str | None] = mapped_column(ForeignKey("rejudgings.id"), index=True)
    repeat: Mapped[int] = mapped_column(default=1, server_default="1")
    """The number of this judging among a rejudging's `times` judgings of the submission, from 1."""
    state: Mapped[str]
    created_at: Mapped[datetime]
    judged_at: Mapped[datetime | None]
    scorer_version: Mapped[str | None]
    counts: Mapped[JsonObject | None]
    problem: Mapped[JsonObject | None]
    failure: Mapped[str | None]
    """For the organizer's eyes: the reason of a failure that is ours."""
    hits_sha256: Mapped[str | None]
    """The stored file, of hits or of a custom metric's terms, from which comparisons are computed;
    that of a private run is used instead."""
    metric_version: Mapped[int | None]
    """The version of the custom metric that scored it, where one did."""
    told_bits: Mapped[float | None]
    """The most bits of the public split that it has revealed to its team: by the score or its
    absence, and by the output of a custom metric. None until it was shown as the effective judging;
    it never decreases (`standings.service.leaks`)."""
    told_detail_bits: Mapped[float | None]
    """The bits revealed by the scores of objectives and diagnostics."""


class Run(Leased, Base):
    """A worker's part in a judging: the run of its verdict, which has the judging's id and exists
    from the first dispatch on; and one for the private split where a custom metric has scored the
    public one alone.

    `child_deaths` are the file's fault and limited. Nothing that participants see depends on a run
    that `is_private`.
    """

    __tablename__ = "runs"
    __table_args__ = (
        Index("ix_runs_unfinished", "state", "lease_until"),
        Index("uq_runs_judging", "judging_id", "is_private", unique=True),
    )

    judging_id: Mapped[str] = mapped_column(Id, ForeignKey("judgings.id"))
    is_private: Mapped[bool] = mapped_column(default=False)
    child_deaths: Mapped[int] = mapped_column(default=0)
    hits_sha256: Mapped[str | None]
    """The stored file for comparisons that a private run has written, of both splits."""
    note: Mapped[JsonObject | None]
    """For the organizer's eyes: the output or exception of a custom metric, and the processor."""


class ObjectiveFigures(TypedDict):
    """An objective in one half of a verdict, as it is stored; `value` is exact, `p/q`."""

    hits: int
    denominator: int
    queries: int
    value: str


class DiagnosticFigures(TypedDict):
    """A diagnostic in one half of a verdict, as it is stored: the weighted score and the values by
    objective, exact, `p/q`; `notes` are counts by name and objective."""

    score: str
    objectives: dict[str, str]
    notes: NotRequired[dict[str, dict[str, int]]]


class ScoreHalf:
    """One half of a verdict: exact score, and integers per objective (organizers only)."""

    judging_id: Mapped[str] = mapped_column(ForeignKey("judgings.id"), primary_key=True)
    score: Mapped[Fraction]
    objectives: Mapped[dict[str, ObjectiveFigures]] = mapped_column(STORED_JSON)
    standard_error: Mapped[float | None]
    diagnostics: Mapped[dict[str, DiagnosticFigures] | None] = mapped_column(STORED_JSON)
    """By metric id; None for verdicts from before diagnostics were stored."""
    diagnostic_errors: Mapped[dict[str, float | None] | None] = mapped_column(STORED_JSON)
    """By metric id: the standard error of its score, or None."""


class PublicScore(ScoreHalf, Base):
    """The public half of a verdict."""

    __tablename__ = "public_scores"


class PrivateScore(ScoreHalf, Base):
    """The private half, in a table of its own that no query for the public board can name."""

    __tablename__ = "private_scores"


class JudgingPause(Base):
    """A ground truth whose stored bytes cannot be used: no file is judged against it before
    `retry_at`. Removed by the first judging that can read it."""

    __tablename__ = "judging_pauses"

    competition_id: Mapped[str] = mapped_column(ForeignKey("competitions.id"), primary_key=True)
    ground_truth_version: Mapped[int] = mapped_column(primary_key=True)
    because: Mapped[str]
    since: Mapped[datetime]
    attempts: Mapped[int]
    retry_at: Mapped[datetime]


class Rejudging(Base):
    """New judgings beside the old, applied or cancelled as a set.

    `state` is `running`, `applied` or `cancelled`; at most one of a competition is running. Up to
    the sequence `fed_until` every submission has its new judgings, later ones get theirs in
    portions. `settings` holds the settings that change with it; with `is_partial` it is about some
    submissions only, all of which have their judgings from the start.
    """

    __tablename__ = "rejudgings"
    __table_args__ = (
        Index(
            "uq_rejudgings_running",
            "competition_id",
            unique=True,
            sqlite_where=text("state = 'running'"),
            postgresql_where=text("state = 'running'"),
        ),
    )

    id: Mapped[str] = mapped_column(Id, primary_key=True, default=new_id)
    competition_id: Mapped[str] = mapped_column(ForeignKey("competitions.id"), index=True)
    ground_truth_version: Mapped[int]
    reason: Mapped[str]
    state: Mapped[str]
    settings: Mapped[JsonObject | None]
    times: Mapped[int] = mapped_column(default=1, server_default="1")
    is_partial: Mapped[bool] = mapped_column(default=False, server_default="0")
    fed_until: Mapped[int] = mapped_column(default=0, server_default="0")
    created_at: Mapped[datetime]
    created_by: Mapped[str] = mapped_column(ForeignKey("users.id"))
    finished_at: Mapped[datetime | None]


class RejudgingChange(Base):
    """The change that an applied rejudging caused for one team, in the order in which it is
    reported."""

    __tablename__ = "rejudging_changes"

    rejudging_id: Mapped[str] = mapped_column(ForeignKey("rejudgings.id"), primary_key=True)
    place: Mapped[int] = mapped_column(primary_key=True)
    change: Mapped[JsonObject]
