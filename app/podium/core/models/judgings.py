"""Judgings, their verdicts and rejudgings. A judging is never edited once it has a verdict."""

from __future__ import annotations

from datetime import datetime
from fractions import Fraction
from typing import NotRequired, TypedDict

from sqlalchemy import ForeignKey, Index, String, text
from sqlalchemy.orm import Mapped, mapped_column

from podium.core.database.types import STORED_JSON, JsonObject, new_id
from podium.core.judging_states import PrivateRun, State
from podium.core.models.base import Base, Id


class Judging(Base):
    """One attempt to score one submission against one version of the ground truth.

    `state` is one of `core.judging_states.State`. The lease (`worker_id`, `lease_until` by the
    database's clock) says who is at it; `fence` grows with every lease, and a verdict counts only
    with the current one, so that a worker that was declared dead changes nothing. `child_deaths`
    are the file's fault and limited; `worker_deaths` are ours and never used against it.
    """

    __tablename__ = "judgings"
    __table_args__ = (
        Index("ix_judgings_unfinished", "state", "lease_until"),
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
        Index("ix_judgings_rejudging_state", "rejudging_id", "state", "dispatches"),
    )

    id: Mapped[str] = mapped_column(Id, primary_key=True, default=new_id)
    submission_id: Mapped[str] = mapped_column(Id, ForeignKey("submissions.id"), index=True)
    competition_id: Mapped[str] = mapped_column(ForeignKey("competitions.id"), index=True)
    ground_truth_version: Mapped[int]
    rejudging_id: Mapped[str | None] = mapped_column(ForeignKey("rejudgings.id"), index=True)
    repeat: Mapped[int] = mapped_column(default=1, server_default="1")
    """The number of this judging among a rejudging's `times` judgings of the submission, from 1."""
    state: Mapped[str]
    priority: Mapped[int]
    dispatches: Mapped[int] = mapped_column("offers", key="dispatches", default=0)
    """Number of times the job was given to the engine; part of the engine's job name."""
    created_at: Mapped[datetime]
    started_at: Mapped[datetime | None]
    judged_at: Mapped[datetime | None]
    worker_id: Mapped[str | None]
    lease_until: Mapped[datetime | None]
    fence: Mapped[int] = mapped_column(default=0)
    cancel_requested: Mapped[bool] = mapped_column(default=False)
    child_deaths: Mapped[int] = mapped_column(default=0)
    worker_deaths: Mapped[int] = mapped_column(default=0)
    own_failures: Mapped[int] = mapped_column(default=0)
    progress: Mapped[float] = mapped_column(default=0.0)
    scorer_version: Mapped[str | None]
    counts: Mapped[JsonObject | None]
    problem: Mapped[JsonObject | None]
    failure: Mapped[str | None]
    """For the organizer's eyes: why we failed."""
    hits_sha256: Mapped[str | None]
    metric_version: Mapped[int | None]
    """The version of the organizer's metric that scored it, where one did."""
    private_run: Mapped[str | None]
    """For an organizer's metric: `pending` while the private score is still to be computed,
    `failed` where it could not be. Nothing that participants see depends on it."""
    metric_notes: Mapped[JsonObject | None]
    """For the organizer's eyes: what the metric printed or raised, by split; and the processor."""
    told_bits: Mapped[float | None]
    """The most bits of the public split that its team has been told by it: by the score or its
    absence, and by what an organizer's metric wrote. None until it was shown as the effective
    judging; never less than once told (`standings.service.leaks`)."""
    told_detail_bits: Mapped[float | None]
    """The same of scores of objectives and diagnostics."""
    request_id: Mapped[str | None]
    """The id of the request that asked for it, for logs and traces; none where a round made it."""
    traceparent: Mapped[str | None] = mapped_column(String(64))
    """The span of that request as W3C Trace Context; none without traces."""

    @property
    def is_private_due(self) -> bool:
        """True if there is a verdict, and the organizer's metric has not run for the private
        split."""
        return self.state == State.SCORED and self.private_run == PrivateRun.PENDING


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


class PublicScore(Base):
    """The public half of a verdict: exact score, and integers per objective (organizers only)."""

    __tablename__ = "public_scores"

    judging_id: Mapped[str] = mapped_column(ForeignKey("judgings.id"), primary_key=True)
    score: Mapped[Fraction]
    objectives: Mapped[dict[str, ObjectiveFigures]] = mapped_column(STORED_JSON)
    standard_error: Mapped[float | None]
    diagnostics: Mapped[dict[str, DiagnosticFigures] | None] = mapped_column(STORED_JSON)
    """By metric id; None for verdicts that are older than diagnostics."""
    diagnostic_errors: Mapped[dict[str, float | None] | None] = mapped_column(STORED_JSON)
    """By metric id: the standard error of its score, or None."""


class PrivateScore(Base):
    """The private half, in a table of its own that no query for the public board can name."""

    __tablename__ = "private_scores"

    judging_id: Mapped[str] = mapped_column(ForeignKey("judgings.id"), primary_key=True)
    score: Mapped[Fraction]
    objectives: Mapped[dict[str, ObjectiveFigures]] = mapped_column(STORED_JSON)
    standard_error: Mapped[float | None]
    diagnostics: Mapped[dict[str, DiagnosticFigures] | None] = mapped_column(STORED_JSON)
    diagnostic_errors: Mapped[dict[str, float | None] | None] = mapped_column(STORED_JSON)


class JudgingPause(Base):
    """A ground truth whose stored bytes cannot be used: nothing is judged against it before
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
    """The change that an applied rejudging made to one team, in the order in which it is told."""

    __tablename__ = "rejudging_changes"

    rejudging_id: Mapped[str] = mapped_column(ForeignKey("rejudgings.id"), primary_key=True)
    place: Mapped[int] = mapped_column(primary_key=True)
    change: Mapped[JsonObject]
