"""Documents about rejudgings and what they would change."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from podium.http import examples
from podium.http.members import CompetitionSlug, CreatedAt, Id, NextCursor, SubmissionId, TeamRef
from podium.http.schemas import Output, ShownTime


class SideOut(Output):
    """A team's scores before or after. All members are null where it has no scored submission."""

    submission_id: str | None
    """The submission that earned the team's place."""
    public: float | None
    """The public score of the submission."""
    private: float | None
    """The private score of the submission."""
    rank: int | None
    """The place on the public board. Null for teams without a rank."""
    private_rank: int | None
    """The place on the private board. Null for teams without a rank."""


class ChangeOut(Output):
    """What changes for a team."""

    team: TeamRef
    submission_id: str | None
    """The submission that will rank the team on the public board. Null: none."""
    old: SideOut
    """Scores and ranks before."""
    new: SideOut
    """Scores and ranks after."""


class LostScoreOut(Output):
    """A submission that loses its score."""

    submission_id: SubmissionId
    team: TeamRef
    status: Annotated[str, Field(examples=["rejected"])]
    """The final state of the new judging, such as `rejected`."""
    code: Annotated[str | None, Field(examples=["missing-ids"])]
    """The error code that explains it. Null: none."""


class RejudgingOut(Output):
    """A rejudging."""

    id: Annotated[Id, Field(examples=[examples.OTHER])]
    competition: CompetitionSlug
    status: Annotated[
        Literal["running", "ready", "applied", "cancelled"], Field(examples=["ready"])
    ]
    """`running` until everything is judged, then `ready`; at the end `applied` or `cancelled`."""
    reason: Annotated[str, Field(examples=["session 17 had a wrong label"])]
    """The organizer's reason."""
    ground_truth_version: int
    """The version of the ground truth that it judges with."""
    settings: Annotated[dict[str, Any], Field(examples=[{}])]
    """Settings that change when it is applied; empty if none do."""
    times: int
    """The number of judgings of each file."""
    only_some_submissions: bool
    """True if it was begun for chosen submissions only."""
    done: int
    """Judgings that have a verdict."""
    total: int
    """All judgings, including those of submissions that arrived meanwhile."""
    created_at: CreatedAt
    finished_at: ShownTime | None
    """The time at which it was applied or cancelled. Null before."""


class RejudgingDocument(RejudgingOut):
    """A rejudging with what it changes."""

    deterministic: Annotated[bool | None, Field(examples=[True])]
    """True if every file that was judged several times got the same scores. Null where nothing was
    judged twice."""
    changed_teams: Annotated[int | None, Field(examples=[2])]
    """The number of teams that change; baselines do not count. Null until the status is `ready`."""
    changes: list[ChangeOut]
    """A page of teams, the biggest movers first. Filled once the status is `ready`, and stored as
    of the moment of applying."""
    next_cursor: NextCursor
    lost_scores: Annotated[list[LostScoreOut], Field(examples=[[]])]
    """Submissions that would no longer have a score."""
    lost_score_count: Annotated[int, Field(examples=[0])]
    """The number of all such submissions."""
