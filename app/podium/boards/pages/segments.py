"""The segments of a score: of a team's own after the reveal, and of every one for organizers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fastapi import APIRouter, Request, Response

from podium.boards.schemas import SegmentsOut
from podium.competitions.pages.layout import CompetitionPage, competition_layout
from podium.competitions.pages.sections import SectionPage, dashboard_of
from podium.http.pages.api_calls import at, document_of
from podium.http.pages.layout import require_visitor, show

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, kw_only=True)
class SegmentsPage(CompetitionPage):
    """The segments of a submission, for its team."""

    template: ClassVar[str] = "boards/segments.html"

    segments: SegmentsOut


@dataclass(frozen=True, kw_only=True)
class SegmentsSection(SectionPage):
    """The segments of a submission for organizers."""

    template: ClassVar[str] = "boards/organizer/segments.html"
    section: ClassVar[str] = "submissions"

    segments: SegmentsOut


@router.get("/competitions/{slug}/submissions/{submission_id}/segments")
async def show_segments(request: Request, slug: str, submission_id: str) -> Response:
    """Shows the score by labels, popularity, rank of hits, and the organizers' columns of
    sessions."""
    await require_visitor(request)
    layout = await competition_layout(request, slug, here="submissions")
    segments = await document_of(
        request, at("/submissions/{}/segments", submission_id), SegmentsOut
    )
    return await show(request, SegmentsPage(layout=layout, segments=segments))


@router.get("/organize/{slug}/submissions/{submission_id}/segments")
async def show_organizers_segments(request: Request, slug: str, submission_id: str) -> Response:
    """Shows the segments of any submission, which takes about as long as judging."""
    layout = await dashboard_of(request, slug)
    segments = await document_of(
        request, at("/admin/submissions/{}/segments", submission_id), SegmentsOut
    )
    return await show(request, SegmentsSection(layout=layout, segments=segments))
