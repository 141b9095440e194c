"""Documents about rejudgings and what they would change."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from podium.http.schemas import Output, PersonOut, ShownTime


class SideOut(Output):
    """A team before or after; all null where it has no scored submission."""

    submission_id: str | None
    public: float | None
    private: float | None
    rank: int | None
    private_rank: int | None


class ChangeOut(Output):
    """A team's line. `submission_id` is the one that it will stand with on the public board."""

    team: PersonOut
    submission_id: str | None
    old: SideOut
    new: SideOut


class LostScoreOut(Output):
    """A submission that gets no score any more, and why."""

    submission_id: str
    team: PersonOut
    status: str
    code: str | None


class RejudgingOut(Output):
    """A rejudging. `done` and `total` count judgings, those of late arrivals included."""

    id: str
    competition: str
    status: Annotated[
        Literal["running", "ready", "applied", "cancelled"], Field(examples=["ready"])
    ]
    reason: str
    ground_truth_version: int
    settings: dict[str, Any]
    times: int
    only_some_submissions: bool
    done: int
    total: int
    created_at: ShownTime
    finished_at: ShownTime | None


class RejudgingDocument(RejudgingOut):
    """A rejudging with what it changes, the biggest movers first; a page of teams.

    `deterministic` is null where nothing was judged twice. `changes` is filled once the status is
    `ready`, and stays as it was at the moment of applying.
    """

    deterministic: bool | None
    changed_teams: int | None
    changes: list[ChangeOut]
    next_cursor: str | None
    lost_scores: list[LostScoreOut]
    lost_score_count: int
