"""The list of competitions, and what one is about."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from app.web.pages.api_calls import document_of
from app.web.pages.frame import competition_frame, show

COMPETITIONS_OF_A_PAGE = 50

router = APIRouter(include_in_schema=False)


@router.get("/")
async def show_competitions(request: Request, cursor: str | None = None) -> Response:
    """All competitions that the visitor may see, newest first."""
    listed = await document_of(
        request, "/api/v1/competitions", limit=COMPETITIONS_OF_A_PAGE, cursor=cursor
    )
    return await show(request, "participant/competitions.html", listed=listed)


@router.get("/competitions/{slug}")
async def show_overview(request: Request, slug: str) -> Response:
    """What the competition is about."""
    frame = await competition_frame(request, slug, here="overview")
    return await show(request, "participant/overview.html", frame=frame)
