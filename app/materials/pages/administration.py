"""Pages of files for participants: the list of data files, and the form for another one."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from podium.http.pages.api_calls import at, document_of
from podium.http.pages.dashboard import dashboard_of, show_section
from podium.http.pages.fields import EMPTY, FormView

router = APIRouter(include_in_schema=False)

LIMIT = 100


@router.get("/organize/{slug}/files")
async def show_files(request: Request, slug: str, cursor: str | None = None) -> Response:
    """By name."""
    return await page(request, slug, cursor=cursor)


async def page(
    request: Request, slug: str, *, cursor: str | None = None, form: FormView = EMPTY
) -> Response:
    """The section, perhaps with an upload that was refused."""
    frame = await dashboard_of(request, slug)
    listed = await document_of(
        request, at("/competitions/{}/files", slug), limit=LIMIT, cursor=cursor
    )
    return await show_section(
        request, "materials/organizer/files.html", "files", frame, form=form, listed=listed
    )
