"""What participants are given: the list of data files, and the form for another one."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from podium.web.pages.frame.api_calls import at, document_of
from podium.web.pages.frame.forms import EMPTY, Shown
from podium.web.pages.organizer.desk import desk_of, show_desk

router = APIRouter(include_in_schema=False)

LIMIT = 100


@router.get("/organize/{slug}/files")
async def show_files(request: Request, slug: str, cursor: str | None = None) -> Response:
    """By name."""
    return await page(request, slug, cursor=cursor)


async def page(
    request: Request, slug: str, *, cursor: str | None = None, form: Shown = EMPTY
) -> Response:
    """The section, perhaps with an upload that was refused."""
    frame = await desk_of(request, slug)
    listed = await document_of(
        request, at("/competitions/{}/files", slug), limit=LIMIT, cursor=cursor
    )
    return await show_desk(request, "files", "files", frame, form=form, listed=listed)
