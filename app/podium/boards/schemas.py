"""Documents of boards, charts, comparisons and segments."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from podium.boards.queries.rows import BoardRow
from podium.boards.service.board_pages import BoardPage
from podium.competitions.schemas.metrics import MetricOut
from podium.core.visibility import Board
from podium.http import examples
from podium.http.members import (
    CompetitionSlug,
    Id,
    JudgedWith,
    NextCursor,
    SubmissionId,
    TeamRef,
    TeamTags,
)
from podium.http.schemas import Document, Output, ShownTime, example


class RowOut(Output):
    """A team's place on a board."""

    rank: Annotated[int | None, Field(examples=[1])]
    """The team's rank, from 1. Null for teams that are shown but not ranked; they stand where their
    score belongs and take no rank from others."""
    place: Annotated[int, Field(examples=[1])]
    """Its line on the whole board, from 1, including unranked teams."""
    team: TeamRef
    members: Annotated[list[str], Field(examples=[["ada"]])]
    """Account names of the members, for readers who may see them (`member_names`); else empty."""
    score: Annotated[float, Field(examples=[0.57123])]
    """The score that the team is ranked by, rounded on the public board."""
    submission_id: SubmissionId
    submissions: int
    """Submissions of the team that were scored."""
    submitted_at: ShownTime
    """The time at which the submission was sent; ties go to the earlier one."""
    last_submitted_at: Annotated[ShownTime, Field(examples=["2026-11-24T12:00:00Z"])]
    """The time of the team's last submission that was scored."""
    tags: TeamTags
    rank_change: Annotated[int | None, Field(examples=[3])] = None
    """Places gained since the time `since`; negative if lost. Null without `since`, or without a
    rank then."""
    public_rank: Annotated[int | None, Field(examples=[7])] = None
    """On the private board: the rank of the same submission on the public one. Else null."""
    standard_error: Annotated[float | None, Field(examples=[0.00072])] = None
    """The standard error of the score. Null before the reveal, or until it is computed."""
    interval: tuple[float, float] | None = None
    """The 95 % interval of the score, lower end first: if the test were repeated, 95 % of such
    intervals would contain the true score. Null before the reveal, or until it is computed."""
    tied_with_first: Annotated[bool | None, Field(examples=[True])] = None
    """True if the score does not differ significantly from the first one's (a paired test, session
    by session). Null before the reveal, or until it is computed."""

    diagnostics: dict[str, float | None] = Field(
        default={}, exclude_if=lambda beside: not beside, examples=[{"mrr@20": 0.31251}]
    )
    """The diagnostics that stand beside the score (`board_diagnostics`), on the same split and
    rounded likewise, by the id in the settings. Null for a verdict without one. Missing where the
    board has no such columns."""


class BoardState(Output):
    """The board that a document is about, as of now."""

    competition: CompetitionSlug
    split: Board
    """The part of the sessions that scores come from."""
    version: Annotated[str, Field(examples=["17.0"])]
    """The board's version: it changes whenever anything shown does; the `ETag` contains it."""
    updated_at: ShownTime | None
    """The time at which the board last changed. Null: it has no row yet."""


class LeaderboardOut(BoardState):
    """A page of a board."""

    model_config = example(
        competition="otto",
        split="public",
        version="17.0",
        updated_at="2026-11-24T12:00:41Z",
        metric={
            "id": "recall_capped@20",
            "full_id": "recall_capped@20:micro",
            "name": "recall_capped",
            "k": 20,
            "average": "micro",
            "formula": "hits / min(20, relevant)",
            "source": "The OTTO competition's evaluation.",
            "higher_is_better": True,
        },
        rows=[
            {
                "rank": 1,
                "place": 1,
                "team": {"id": examples.TEAM, "name": "Team Ada"},
                "members": ["ada"],
                "score": 0.57123,
                "submission_id": examples.SUBMISSION,
                "submissions": 3,
                "submitted_at": "2026-11-24T12:00:00Z",
                "last_submitted_at": "2026-11-24T12:00:00Z",
                "tags": [],
            }
        ],
        total=1,
        ranked=1,
        next_cursor=None,
    )

    metric: MetricOut
    """The metric of the scores."""
    diagnostics: list[MetricOut] = Field(default=[], exclude_if=lambda shown: not shown)
    """The diagnostics that stand beside the score, in their order. Missing where there are none."""
    rows: list[RowOut]
    """The rows of this page, in order."""
    total: Annotated[int, Field(examples=[2600])]
    """The number of rows that match, on all pages."""
    ranked: Annotated[int, Field(examples=[2590])]
    """The number of teams with a rank: no baselines, organizers' or disqualified teams."""
    next_cursor: NextCursor
    as_of: Annotated[ShownTime | None, Field(examples=[None])] = None
    """The time of the board's state: the requested `as_of`, or that of the first page if the teams
    before this page have changed since. Null: the current board."""
    since: ShownTime | None = None
    """The time that ranks are compared with. Null: none was requested."""


def row_out(row: BoardRow, board_page: BoardPage) -> RowOut:
    """Returns the document of one row of a page."""
    before = board_page.earlier.get(row.team_id)
    return RowOut.of(
        row,
        row.standing,
        members=board_page.members.get(row.team_id, ()),
        rank_change=None if before is None or row.rank is None else before - row.rank,
        public_rank=board_page.public_ranks.get(row.team_id),
        diagnostics=board_page.diagnostics.get(row.team_id, {}),
    )


class TimedScoreOut(Output):
    """A best score and its beginning."""

    at: ShownTime
    """The time at which it was reached."""
    score: Annotated[float, Field(examples=[0.57123])]
    """The best score from then on."""


class PlacedTeam(Output):
    """A team and its place."""

    team: TeamRef
    rank: int | None
    """Its place on the board now. Null for teams without a rank."""


class BestOut(PlacedTeam):
    """A team's best public score over time."""

    points: list[TimedScoreOut]
    """The steps of its best score, the earliest first."""


class BinOut(Output):
    """A bar of the histogram of scores."""

    low: Annotated[float, Field(examples=[0.56])]
    """The lower end of the bar, inclusive. The bar of the worst scores also counts those beyond
    it."""
    high: Annotated[float, Field(examples=[0.58])]
    """The upper end, exclusive."""
    teams: Annotated[int, Field(examples=[214])]
    """Teams with a score in between."""


class RankedScoreOut(Output):
    """The score at a rank."""

    rank: int
    """The place on the board, from 1."""
    score: float
    """The score at this place."""


class OwnOut(PlacedTeam):
    """The place of the requested team."""

    score: float
    """The score that it is ranked by."""


class MoveOut(Output):
    """The ranks of the same submission of a team on both boards."""

    team: TeamRef
    public_rank: Annotated[int, Field(examples=[1])]
    """Its place on the public board."""
    private_rank: int
    """Its place on the private board."""


class TeamObjectivesOut(PlacedTeam):
    """The objectives of a team's submission on the board."""

    objectives: dict[str, dict[str, float | None]]
    """By objective and split: its score. Null if there is none."""


class ChartsOut(BoardState):
    """The figures of a board's charts."""

    is_error: bool
    """True if the metric is an error, so that lower is better."""
    decimals: int
    """Decimals with which scores are shown."""
    until: Annotated[ShownTime | None, Field(examples=["2026-11-24T12:00:00Z"])]
    """The time of the last submission on the board. Null: there is none."""
    best: list[BestOut]
    """Best public scores over time: of the first ten teams and the requested one."""
    spread: list[BinOut]
    """A histogram of the scores of ranked teams."""
    ranks: list[RankedScoreOut]
    """Scores by rank: the first fifty, then some of the others."""
    own: OwnOut | None
    """The requested team. Null: none was requested."""
    moves: list[MoveOut] | None
    """Public against private ranks. Null before the reveal."""
    objectives: list[TeamObjectivesOut] | None
    """Scores of objectives of the first teams. Null before the reveal, with a single objective, and
    if organizers hide them."""


class EstimateOut(Output):
    """A value with its 95 % interval."""

    value: Annotated[float, Field(examples=[0.57123])]
    """The figure itself."""
    standard_error: Annotated[float | None, Field(examples=[0.00072])]
    """Its standard error. Null where a split is too small."""
    interval: tuple[float, float] | None
    """The 95 % interval, lower end first: if the test were repeated, 95 % of such intervals would
    contain the true value. Null where a split is too small."""


class DifferenceOut(EstimateOut):
    """The first minus the second, paired by session. `better` is after Holm's correction."""

    p: Annotated[float | None, Field(examples=[0.0116])]
    """The p-value of the difference alone. Null where a split is too small."""
    p_holm: Annotated[float, Field(examples=[0.0232])]
    """The p-value after Holm's correction for all pairs."""
    better: Literal["first", "second"] | None
    """The one that is significantly better after the correction. Null: neither."""


class FiguresOut(Document):
    """The figures of one submission."""

    score: EstimateOut
    """The weighted score."""
    objectives: dict[str, EstimateOut] = Field(default={})
    """Each objective's value; empty if there is only one."""
    metrics: dict[str, EstimateOut] = Field(default={})
    """Diagnostics that are computed from the ranks of hits, by id."""


class PairOut(Document):
    """The differences of two submissions."""

    first: Annotated[int, Field(examples=[0])]
    """The index of one of them in `submissions`, from 0."""
    second: Annotated[int, Field(examples=[1])]
    """The index of the other, from 0."""
    score: DifferenceOut
    """The difference of the scores."""
    objectives: dict[str, DifferenceOut] = Field(default={})
    """The difference of each objective; empty if there is only one."""
    metrics: dict[str, DifferenceOut] = Field(default={})
    """The difference of each diagnostic, by id."""


class SplitComparisonOut(Output):
    """The comparison on one split."""

    sessions: Annotated[int, Field(examples=[551_695])]
    """Sessions of the split."""
    method: Literal["closed-form", "bootstrap"]
    """`closed-form`, or `bootstrap` if the split is too small for it."""
    replicates: Annotated[int | None, Field(examples=[2000])]
    """The number of resamples that the bootstrap drew. Null for the closed form."""
    submissions: list[FiguresOut]
    """Figures, in the order in which submissions were named."""
    pairs: list[PairOut]
    """Each pair of submissions."""


class ComparedOut(Output):
    """One of the compared submissions."""

    id: Annotated[Id, Field(examples=[examples.SUBMISSION])]
    team: TeamRef


class ComparisonOut(Output):
    """Submissions compared under one version of the ground truth."""

    competition: CompetitionSlug
    ground_truth_version: JudgedWith
    submissions: list[ComparedOut]
    """The submissions, in the order in which they were named."""
    splits: dict[str, SplitComparisonOut]
    """The comparison on each split, by its name."""


class ObjectivePartOut(Output):
    """An objective's figures in a group."""

    value: Annotated[float | None, Field(examples=[0.5])] = None
    """The metric's value on the group's queries. Null for groups of labels."""
    queries: Annotated[int | None, Field(examples=[None])] = None
    """Queries of the objective in the group. Null for groups of labels."""
    labels: Annotated[int | None, Field(examples=[31_206])] = None
    """Labels of the objective in the group. Null for groups of sessions."""
    found: Annotated[int | None, Field(examples=[20_415])] = None
    """The number of these labels that were found. Null for groups of sessions."""


class GroupOut(Output):
    """A group of at least 30 sessions."""

    group: Annotated[str, Field(examples=["3 to 4"])]
    """The range or value that its members share; `other` combines groups that are too small."""
    sessions: int
    """Sessions in the group."""
    score: float | None = None
    """The weighted score. Null if an objective has no query in the group, and for groups of
    labels."""
    objectives: dict[str, ObjectivePartOut]
    """Figures of each objective."""
    joined: Annotated[list[str] | None, Field(examples=[["2"]])] = None
    """The groups of at least 30 sessions that are part of `other`, because the small ones in it
    could otherwise be computed by difference. Null if there are none."""


class SegmentsOut(Output):
    """A submission's score by segments."""

    submission_id: SubmissionId
    popularity_by: Literal["users", "labels"]
    """The way in which popularity was counted: by `users` of the item file, or by `labels`."""
    splits: dict[str, dict[str, list[GroupOut]]]
    """By split and kind of group: `labels`, `popularity`, `rank` of hits, and the columns of the
    organizers' file about sessions."""
    differences: dict[str, dict[str, dict[str, dict[str, float]]]]
    """By split, kind and objective: `miss_rate`, the groups' mean distance from it (`mred`) and
    `largest` difference."""


class FinalPlaceOut(Output):
    """A team's place in the final ranking as of now."""

    team: TeamRef
    rank: Annotated[int | None, Field(examples=[2])]
    """Its place in the final ranking. Null for teams that are shown without one."""
    public_rank: Annotated[int | None, Field(examples=[9])]
    """Its rank on the current public board. Null for teams without one."""
    submission_id: SubmissionId
    public_score: Annotated[float, Field(examples=[0.57123])]
    """The submission's score on the public split."""
    private_score: Annotated[float, Field(examples=[0.56987])]
    """The submission's score on the private split, by which it would be ranked."""


class FinalPreviewOut(Output):
    """The final ranking that a reveal would publish now."""

    places: list[FinalPlaceOut]
    """The final ranking, best first."""
    unjudged: Annotated[int, Field(examples=[0])]
    """Submissions without a verdict, for which a reveal waits."""
    uploads: Annotated[int, Field(examples=[0])]
    """Files that are still arriving, for which a reveal waits."""
