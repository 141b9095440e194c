"""Two submissions side by side: for organizers with differences, intervals and p, for their team
what the API shows it of each. Segments, where the API tells them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from podium.http.pages.api_calls import Answer, ask, at, document_of
from podium.http.pages.layout import CompetitionFrame, competition_frame, require_visitor, show

CHOICES = 200
"""Submissions to choose from, the newest first; any other one has an address that names it."""

BREADTH = 100
"""Units of the small pictures of differences; 0 is in their middle."""

SubmissionId = Annotated[str, Query(max_length=64)]

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class Line:
    """One figure of both submissions, and their difference; `places` are where a picture of its
    interval begins, has its dot and ends, between 0 and `BREADTH`."""

    name: str
    first: dict[str, Any]
    second: dict[str, Any]
    difference: dict[str, Any]
    places: tuple[float, float, float] | None


@dataclass(frozen=True, slots=True)
class Group:
    """A group of sessions, or labels, in a kind of segments, with what both submissions reach."""

    name: str
    first: dict[str, Any] | None
    second: dict[str, Any] | None


@router.get("/competitions/{slug}/comparison")
async def show_comparison(
    request: Request,
    slug: str,
    a: SubmissionId = "",
    b: SubmissionId = "",
    apart: bool = False,
) -> Response:
    """Chooses two submissions, and shows what the visitor may know of them."""
    await require_visitor(request)
    frame = await competition_frame(request, slug, here="submissions")
    if frame.is_organizer:
        frame = replace(frame, here="organize")
    choices = await _choices(request, frame)
    compared, refusal, segments = None, None, None
    chosen: list[dict[str, Any]] = []
    if a and b and a != b:
        chosen = [await document_of(request, at("/submissions/{}", one)) for one in (a, b)]
        if frame.is_organizer:
            compared, refusal = await _compared(request, slug, a, b)
        if apart and refusal is None:
            segments, refusal = await _segments(request, frame, a, b)
    return await show(
        request,
        "boards/comparison.html",
        frame=frame,
        choices=choices,
        chosen=chosen,
        is_one=bool(a) and a == b,
        asked={"a": a, "b": b},
        splits={name: (split, lines_of(split)) for name, split in compared["splits"].items()}
        if compared
        else {},
        truth=compared["ground_truth_version"] if compared else None,
        segments=segments,
        refusal=refusal,
        status=None if refusal is None else refusal["status"],
    )


def lines_of(split: dict[str, Any]) -> list[Line]:
    """The figures of a split: the score, then objectives, then diagnostics."""
    first, second = split["submissions"]
    (pair,) = split["pairs"]
    found = [("Score", first["score"], second["score"], pair["score"])]
    for kind in ("objectives", "metrics"):
        found += [
            (name, first[kind][name], second[kind][name], pair[kind][name]) for name in pair[kind]
        ]
    ends = [abs(end) for *_, each in found if each["interval"] for end in each["interval"]]
    reach = max(ends, default=0.0)
    return [
        Line(name, one, two, difference, _places(difference, reach))
        for name, one, two, difference in found
    ]


def groups_of(first: list[dict[str, Any]], second: list[dict[str, Any]]) -> list[Group]:
    """The groups of both submissions by their names, in the order of the first."""
    known = {group["group"]: group for group in second}
    found = [Group(group["group"], group, known.pop(group["group"], None)) for group in first]
    return found + [Group(name, None, group) for name, group in known.items()]


def _places(difference: dict[str, Any], reach: float) -> tuple[float, float, float] | None:
    if not difference["interval"] or reach == 0:
        return None
    low, high = difference["interval"]
    low, middle, high = (
        round(BREADTH / 2 * (1 + value / reach), 1) for value in (low, difference["value"], high)
    )
    return low, middle, high


async def _choices(request: Request, frame: CompetitionFrame) -> list[dict[str, Any]]:
    if frame.is_organizer:
        path = at("/admin/competitions/{}/submissions", frame.slug)
    elif frame.team:
        path = at("/competitions/{}/submissions", frame.slug)
    else:
        return []
    listed = await document_of(request, path, limit=CHOICES)
    return [one for one in listed["items"] if one["status"] == "scored"]


async def _compared(
    request: Request, slug: str, a: str, b: str
) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    path = at("/admin/competitions/{}/comparison", slug)
    return _told(await ask(request, "GET", path, params={"a": a, "b": b}))


async def _segments(
    request: Request, frame: CompetitionFrame, a: str, b: str
) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    whose = "/admin/submissions/{}/segments" if frame.is_organizer else "/submissions/{}/segments"
    found = []
    for one in (a, b):
        document, refusal = _told(await ask(request, "GET", at(whose, one)))
        if document is None:
            return None, refusal
        found.append(document["splits"])
    first, second = found
    return {
        split: {kind: groups_of(groups, second[split][kind]) for kind, groups in kinds.items()}
        for split, kinds in first.items()
    }, None


def _told(answer: Answer) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    """The document of a good answer, or the problem document of a refusal."""
    return (answer.document, None) if answer.is_good else (None, answer.document)
