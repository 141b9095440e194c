"""Routes that compare submissions. For organizers only: intervals tell what single scores hide."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from fastapi import Query
from pydantic import BaseModel, Field

from podium.accounts.authentication.callers import SignedIn
from podium.application import Application
from podium.boards.service import comparison
from podium.boards.service.comparison import Prepared
from podium.http.deps import App
from podium.http.schemas import PersonOut, problems
from podium.http.streaming.strict_json import strict_router
from podium.materials.jobs.reading import means_in_request

router = strict_router(tag="comparison")

SubmissionId = Annotated[str, Query(max_length=64)]


class EstimateOut(BaseModel):
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


class SplitComparisonOut(BaseModel):
    """One split. `method` is `bootstrap` where a split is too small for the closed form, with so
    many `replicates`."""

    sessions: int
    method: Literal["closed-form", "bootstrap"]
    replicates: int | None
    submissions: list[FiguresOut]
    pairs: list[PairOut]


class ComparedOut(BaseModel):
    """A submission that takes part."""

    id: str
    team: PersonOut


class ComparisonOut(BaseModel):
    """Submissions side by side under one version of the ground truth, by split."""

    competition: str
    ground_truth_version: int
    submissions: list[ComparedOut]
    splits: dict[str, SplitComparisonOut]


@router.get(
    "/admin/competitions/{slug}/comparison",
    operation_id="compareSubmissions",
    summary="Compare submissions",
    responses=problems(401, 404, 409, 503),
)
def get_comparison(
    application: App,
    actor: SignedIn,
    slug: str,
    a: SubmissionId,
    b: SubmissionId,
    submission: Annotated[
        list[SubmissionId], Query(description="More submissions; may be repeated.", max_length=8)
    ] = [],  # noqa: B006 - the framework's way to say that it may be left out
) -> ComparisonOut:
    """Whether `a` is better than `b`: differences with standard errors, 95 % intervals and p. All
    must have been judged against the same version of the ground truth."""
    with application.database.read() as session:
        prepared = comparison.prepare(
            session, actor=actor, slug=slug, submission_ids=[a, b, *submission]
        )
    splits = _kept.get(prepared) or _compared(application, prepared)
    return ComparisonOut(
        competition=prepared.competition,
        ground_truth_version=prepared.stored.version,
        submissions=[
            ComparedOut(id=each.id, team=PersonOut(id=each.team_id, name=each.team_name))
            for each in prepared.submissions
        ],
        splits={name: SplitComparisonOut(**split) for name, split in splits.items()},
    )


class _Kept:
    """The last comparisons: the same hits under the same ground truth compare the same."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._splits: OrderedDict[tuple[Any, ...], Mapping[str, Any]] = OrderedDict()

    def get(self, prepared: Prepared) -> Mapping[str, Any] | None:
        """The splits of this comparison, if it was made lately."""
        with self._lock:
            return self._splits.get(prepared.stored.key)

    def put(self, prepared: Prepared, splits: Mapping[str, Any]) -> None:
        """Keeps a comparison, and forgets the oldest of too many."""
        with self._lock:
            self._splits[prepared.stored.key] = splits
            while len(self._splits) > self._most:
                self._splits.popitem(last=False)


_kept = _Kept(most=64)


def _compared(application: Application, prepared: Prepared) -> Mapping[str, Any]:
    with means_in_request(application) as means:
        splits = comparison.compare(prepared, **means)
    _kept.put(prepared, splits)
    return splits
