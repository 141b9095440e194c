"""Routes that compare submissions. For organizers only: intervals reveal what single scores
hide."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from podium.accounts.authentication.callers import SignedIn
from podium.boards.jobs import COMPARISON
from podium.boards.schemas import ComparedOut, ComparisonOut, SplitComparisonOut
from podium.boards.service import comparison
from podium.errors.codes import ErrorCode
from podium.http.deps import App
from podium.http.schemas import OF_JOBS, PersonOut, problems
from podium.http.streaming.strict_json import strict_router
from podium.http.transactions import read_with
from podium.jobs.waiting import result_of

router = strict_router(tag="comparison")


@router.get(
    "/admin/competitions/{slug}/comparison",
    operation_id="compareSubmissions",
    summary="Compare submissions",
    responses=problems(
        ErrorCode.NOT_COMPUTED, ErrorCode.NOT_SCORED, ErrorCode.DIFFERENT_GROUND_TRUTH, *OF_JOBS
    ),
)
async def get_comparison(
    application: App,
    actor: SignedIn,
    slug: str,
    a: Annotated[str, Query(max_length=64, description="The id of the first submission.")],
    b: Annotated[str, Query(max_length=64, description="The id of the second submission.")],
    submission: Annotated[
        list[Annotated[str, Query(max_length=64)]],
        Query(description="More submissions; may be repeated.", max_length=8),
    ] = [],  # noqa: B006 - the framework's way to say that it may be left out
) -> ComparisonOut:
    """Whether `a` is better than `b`: differences with standard errors, 95 % intervals and
    p-values. All must have been judged against the same version of the ground truth."""
    ids = [a, b, *submission]
    prepared = await read_with(
        application, comparison.prepare, actor=actor, slug=slug, submission_ids=ids
    )
    splits = await result_of(
        application,
        COMPARISON,
        competition_id=prepared.competition_id,
        arguments=prepared.stored,
        actor=actor,
    )
    return ComparisonOut(
        competition=prepared.competition,
        ground_truth_version=prepared.stored.version,
        submissions=[
            ComparedOut(id=each.id, team=PersonOut(id=each.team_id, name=each.team_name))
            for each in prepared.submissions
        ],
        splits={name: SplitComparisonOut(**split) for name, split in splits.items()},
    )
