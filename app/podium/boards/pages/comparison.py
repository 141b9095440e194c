"""Two submissions side by side: for organizers with differences, intervals and p, for their team
with the API's figures of each. Segments, where the API provides them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, TypeAlias, TypeVar

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel

from podium.boards.schemas import (
    ComparisonOut,
    DifferenceOut,
    EstimateOut,
    GroupOut,
    SegmentsOut,
    SplitComparisonOut,
)
from podium.competitions.pages.layout import CompetitionLayout, CompetitionPage, competition_layout
from podium.http.pages.api_calls import Answer, ProblemDocument, ask, at, document_of
from podium.http.pages.layout import require_visitor, show
from podium.http.paging import Listed
from podium.submissions.schemas import SubmissionOut

CHOICES = 200
"""Submissions to choose from, the newest first; any other one has an address that names it."""

BREADTH = 100
"""Units of the small pictures of differences; 0 is in their middle."""

SubmissionId = Annotated[str, Query(max_length=64)]

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class Line:
    """One figure of both submissions, and their difference; `places` are the start, dot and end of
    the picture of its interval, between 0 and `BREADTH`."""

    name: str
    first: EstimateOut
    second: EstimateOut
    difference: DifferenceOut
    places: tuple[float, float, float] | None


@dataclass(frozen=True, slots=True)
class ComparedGroup:
    """A group of sessions, or labels, in a kind of segments, with the results of both
    submissions."""

    name: str
    first: GroupOut | None
    second: GroupOut | None


Segments: TypeAlias = Mapping[str, Mapping[str, list[ComparedGroup]]]
"""Groups of both submissions, by split and kind."""

Document = TypeVar("Document", bound=BaseModel)


@dataclass(frozen=True, kw_only=True)
class ComparisonPage(CompetitionPage):
    """Two submissions and the choices: the details of each, the lines of each split, segments, or
    the reason for their absence. `truth` is the version of the ground truth."""

    template: ClassVar[str] = "boards/comparison.html"

    choices: list[SubmissionOut]
    chosen: list[SubmissionOut]
    is_one: bool
    asked: Mapping[str, str]
    splits: Mapping[str, tuple[SplitComparisonOut, list[Line]]]
    truth: int | None
    segments: Segments | None
    problem: ProblemDocument | None


@router.get("/competitions/{slug}/comparison")
async def show_comparison(
    request: Request,
    slug: str,
    a: SubmissionId = "",
    b: SubmissionId = "",
    apart: bool = False,
) -> Response:
    """Lets the visitor choose two submissions, and shows what they may know of them."""
    await require_visitor(request)
    layout = await competition_layout(request, slug, here="submissions")
    if layout.is_organizer:
        layout = replace(layout, here="organize")
    choices = await _choices(request, layout)
    if a and not b:
        b = next((each.id for each in choices if each.id != a), "")
    compared, problem, segments = None, None, None
    chosen: list[SubmissionOut] = []
    if a and b and a != b:
        chosen = [
            await document_of(request, at("/submissions/{}", one), SubmissionOut) for one in (a, b)
        ]
        if layout.is_organizer:
            compared, problem = await _compared(request, slug, a, b)
        if apart and problem is None:
            segments, problem = await _segments(request, layout, a, b)
    page = ComparisonPage(
        layout=layout,
        choices=choices,
        chosen=chosen,
        is_one=bool(a) and a == b,
        asked={"a": a, "b": b},
        splits={name: (split, lines_of(split)) for name, split in compared.splits.items()}
        if compared
        else {},
        truth=compared.ground_truth_version if compared else None,
        segments=segments,
        problem=problem,
    )
    return await show(request, page, status=None if problem is None else problem.status)


def lines_of(split: SplitComparisonOut) -> list[Line]:
    """Lists the figures of a split: the score, then objectives, then diagnostics."""
    first, second = split.submissions
    (pair,) = split.pairs
    found = [("Score", first.score, second.score, pair.score)]
    found += [
        (name, first.objectives[name], second.objectives[name], difference)
        for name, difference in pair.objectives.items()
    ]
    found += [
        (name, first.metrics[name], second.metrics[name], difference)
        for name, difference in pair.metrics.items()
    ]
    ends = [abs(end) for *_, each in found if each.interval for end in each.interval]
    reach = max(ends, default=0.0)
    return [
        Line(name, one, two, difference, _places(difference, reach))
        for name, one, two, difference in found
    ]


def groups_of(first: Sequence[GroupOut], second: Sequence[GroupOut]) -> list[ComparedGroup]:
    """Pairs the groups of both submissions by their names, in the order of the first."""
    known = {group.group: group for group in second}
    found = [ComparedGroup(group.group, group, known.pop(group.group, None)) for group in first]
    return found + [ComparedGroup(name, None, group) for name, group in known.items()]


def _places(difference: DifferenceOut, reach: float) -> tuple[float, float, float] | None:
    if not difference.interval or reach == 0:
        return None
    low, high = difference.interval
    low, middle, high = (
        round(BREADTH / 2 * (1 + value / reach), 1) for value in (low, difference.value, high)
    )
    return low, middle, high


async def _choices(request: Request, layout: CompetitionLayout) -> list[SubmissionOut]:
    if layout.is_organizer:
        path = at("/admin/competitions/{}/submissions", layout.slug)
    elif layout.team:
        path = at("/competitions/{}/submissions", layout.slug)
    else:
        return []
    listed = await document_of(request, path, Listed[SubmissionOut], limit=CHOICES)
    return [one for one in listed.items if one.status == "scored"]


async def _compared(
    request: Request, slug: str, a: str, b: str
) -> tuple[ComparisonOut | None, ProblemDocument | None]:
    path = at("/admin/competitions/{}/comparison", slug)
    return _parsed(await ask(request, "GET", path, params={"a": a, "b": b}), ComparisonOut)


async def _segments(
    request: Request, layout: CompetitionLayout, a: str, b: str
) -> tuple[Segments | None, ProblemDocument | None]:
    whose = "/admin/submissions/{}/segments" if layout.is_organizer else "/submissions/{}/segments"
    found = []
    for one in (a, b):
        document, refusal = _parsed(await ask(request, "GET", at(whose, one)), SegmentsOut)
        if document is None:
            return None, refusal
        found.append(document.splits)
    first, second = found
    return {
        split: {kind: groups_of(groups, second[split][kind]) for kind, groups in kinds.items()}
        for split, kinds in first.items()
    }, None


def _parsed(answer: Answer, as_: type[Document]) -> tuple[Document | None, ProblemDocument | None]:
    """Parses the document of a good answer, or the problem document of a refusal."""
    return (answer.read(as_), None) if answer.is_good else (None, answer.problem)
