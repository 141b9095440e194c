"""A team's own score taken apart, after the reveal."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from podium.http.pages.api_calls import at, document_of
from podium.http.pages.layout import competition_frame, require_visitor, show

router = APIRouter(include_in_schema=False)


@router.get("/competitions/{slug}/submissions/{submission_id}/segments")
async def show_segments(request: Request, slug: str, submission_id: str) -> Response:
    """By labels, popularity, rank of hits, and what the organizers know about sessions."""
    await require_visitor(request)
    frame = await competition_frame(request, slug, here="submissions")
    segments = await document_of(request, at("/submissions/{}/segments", submission_id))
    return await show(request, "boards/segments.html", frame=frame, segments=segments)
