"""Documents of boards, charts, comparisons and segments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from podium.boards.queries.rows import BoardRow
from podium.boards.service.board_pages import BoardPage
from podium.competitions.schemas.metrics import MetricOut
from podium.core.visibility import Board
from podium.http.schemas import Output, PersonOut, ShownTime, example

COLUMNS: Mapping[str, Callable[[BoardRow], object]] = {
    "rank": attrgetter("rank"),
    "team": attrgetter("team.name"),
    "team_id": attrgetter("team.id"),
    "score": attrgetter("score"),
    "submission_id": attrgetter("standing.submission_id"),
    "submissions": attrgetter("standing.submissions"),
    "submitted_at": attrgetter("standing.submitted_at"),
    "last_submitted_at": attrgetter("standing.last_submitted_at"),
    "tags": attrgetter("tags"),
}
"""The columns of a board as CSV, and what stands in them."""


class RowOut(Output):
    """A team's place. `rank` is null for teams that are shown but not ranked; they stand where
    their score belongs and take no rank from others. `place` counts all rows of the board, from 1.
    `members` are the names of the team's people, for readers who may see them (the competition's
    `member_names`). `rank_change` is how many places the team has come
    up `since` the given time: null where that was not asked, or it had no rank then. On the private
    board, `public_rank` is where the same submission stands on the public one.

    After the reveal, `interval` is the 95 % interval of the score, and `tied_with_first` says that
    the score could as well be the first one's (a paired test, session by session); null until that
    was looked at."""

    rank: Annotated[int | None, Field(examples=[1])]
    place: Annotated[int, Field(examples=[1])]
    team: PersonOut
    members: Annotated[list[str], Field(examples=[["ada"]])]
    score: Annotated[float, Field(examples=[0.57123])]
    submission_id: str
    submissions: int
    submitted_at: ShownTime
    last_submitted_at: ShownTime
    tags: list[str]
    rank_change: Annotated[int | None, Field(examples=[3])] = None
    public_rank: Annotated[int | None, Field(examples=[7])] = None
    standard_error: Annotated[float | None, Field(examples=[0.00072])] = None
    interval: tuple[float, float] | None = None
    tied_with_first: bool | None = None


class LeaderboardOut(Output):
    """A page of a board. `version` changes with everything that is shown; `total` counts the rows
    that were asked for, on all pages; `as_of` and `since` are the times that were asked for."""

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
                "team": {"id": "019a9f6c-0000-7000-8000-000000000002", "name": "Team Ada"},
                "members": ["ada"],
                "score": 0.57123,
                "submission_id": "019a9f6c-0000-7000-8000-000000000001",
                "submissions": 3,
                "submitted_at": "2026-11-24T12:00:00Z",
                "last_submitted_at": "2026-11-24T12:00:00Z",
                "tags": [],
            }
        ],
        total=1,
        next_cursor=None,
    )

    competition: str
    split: Board
    version: str
    updated_at: ShownTime | None
    metric: MetricOut
    rows: list[RowOut]
    total: Annotated[int, Field(examples=[2600])]
    next_cursor: str | None
    as_of: ShownTime | None = None
    since: ShownTime | None = None


def row_out(row: BoardRow, board_page: BoardPage) -> RowOut:
    """One line of a page."""
    before = board_page.earlier.get(row.team_id)
    return RowOut.of(
        row,
        row.standing,
        members=board_page.members.get(row.team_id, ()),
        rank_change=None if before is None or row.rank is None else before - row.rank,
        public_rank=board_page.public_ranks.get(row.team_id),
    )


class TimedScoreOut(Output):
    """A score that held from this moment on."""

    at: ShownTime
    score: Annotated[float, Field(examples=[0.57123])]


class BestOut(Output):
    """A team's best public score over time."""

    team: PersonOut
    rank: int | None
    points: list[TimedScoreOut]


class BinOut(Output):
    """How many teams have a score from `low` to below `high`. The bin of the worst scores counts
    those beyond it too."""

    low: float
    high: float
    teams: int


class RankedScoreOut(Output):
    """The score at a rank."""

    rank: int
    score: float


class OwnOut(Output):
    """The place of the team that was asked for; no rank where it holds none."""

    team: PersonOut
    rank: int | None
    score: float


class MoveOut(Output):
    """Where the same submission of a team stands on both boards."""

    team: PersonOut
    public_rank: int
    private_rank: int


class TeamObjectivesOut(Output):
    """The objectives of a team's submission on the board, by split."""

    team: PersonOut
    rank: int | None
    objectives: dict[str, dict[str, float | None]]


class ChartsOut(Output):
    """Figures of a board. `best` holds the first ten teams and the one that was asked for, over
    time and by public score; `spread` and `ranks` (the first fifty, then some of the others) the
    teams that are ranked. `moves` and `objectives` are null before the reveal, and `objectives`
    wherever the organizers keep them."""

    competition: str
    split: Board
    version: str
    updated_at: ShownTime | None
    is_error: bool
    decimals: int
    until: ShownTime | None
    best: list[BestOut]
    spread: list[BinOut]
    ranks: list[RankedScoreOut]
    own: OwnOut | None
    moves: list[MoveOut] | None
    objectives: list[TeamObjectivesOut] | None


class EstimateOut(Output):
    """A value with its 95 % interval; neither error nor interval where a split says too little."""

    value: Annotated[float, Field(examples=[0.57123])]
    standard_error: Annotated[float | None, Field(examples=[0.00072])]
    interval: tuple[float, float] | None


class DifferenceOut(EstimateOut):
    """The first minus the second, paired by session. `better` after Holm's correction."""

    p: float | None
    p_holm: float
    better: Literal["first", "second"] | None


class FiguresOut(BaseModel):
    """The score, each objective if there are several, and diagnostics made from ranks of hits."""

    score: EstimateOut
    objectives: dict[str, EstimateOut] = {}
    metrics: dict[str, EstimateOut] = {}


class PairOut(BaseModel):
    """Two submissions by their place in the list, from 0."""

    first: int
    second: int
    score: DifferenceOut
    objectives: dict[str, DifferenceOut] = {}
    metrics: dict[str, DifferenceOut] = {}


class SplitComparisonOut(Output):
    """One split. `method` is `bootstrap` where a split is too small for the closed form, with so
    many `replicates`."""

    sessions: int
    method: Literal["closed-form", "bootstrap"]
    replicates: int | None
    submissions: list[FiguresOut]
    pairs: list[PairOut]


class ComparedOut(Output):
    """A submission that takes part."""

    id: str
    team: PersonOut


class ComparisonOut(Output):
    """Submissions side by side under one version of the ground truth, by split."""

    competition: str
    ground_truth_version: int
    submissions: list[ComparedOut]
    splits: dict[str, SplitComparisonOut]


class ObjectivePartOut(Output):
    """One objective in a group: of queries the metric's value, of labels how many were found."""

    value: Annotated[float | None, Field(examples=[0.5])] = None
    queries: int | None = None
    labels: int | None = None
    found: int | None = None


class GroupOut(Output):
    """At least 30 sessions. `score` is null where an objective has no query in the group, and for
    groups of labels."""

    group: Annotated[str, Field(examples=["3 to 4"])]
    sessions: int
    score: float | None = None
    objectives: dict[str, ObjectivePartOut]


class SegmentsOut(Output):
    """By split and kind of group: `labels`, `popularity` and `rank` of hits, and whatever the
    organizer knows about sessions. Groups of fewer than 30 sessions are part of `other`."""

    submission_id: str
    popularity_by: Literal["users", "labels"]
    splits: dict[str, dict[str, list[GroupOut]]]


class FinalPlaceOut(Output):
    """A team as it would stand in the final ranking. `public_rank` is that of the public board of
    now; either rank is null for teams that are shown without one."""

    team: PersonOut
    rank: Annotated[int | None, Field(examples=[2])]
    public_rank: Annotated[int | None, Field(examples=[9])]
    submission_id: str
    public_score: Annotated[float, Field(examples=[0.57123])]
    private_score: Annotated[float, Field(examples=[0.56987])]


class FinalPreviewOut(Output):
    """What a reveal would publish now. It waits for submissions without a verdict (`unjudged`) and
    for `uploads` in progress."""

    places: list[FinalPlaceOut]
    unjudged: int
    uploads: int
