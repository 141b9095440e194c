"""What participants download: files with size and hash, and the sample submission."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from podium.web.pages.frame.api_calls import at, document_of
from podium.web.pages.frame.visit import competition_frame, show
from podium.web.requests import App

FILES_OF_A_PAGE = 100

router = APIRouter(include_in_schema=False)


@router.get("/competitions/{slug}/data")
async def show_files(request: Request, app: App, slug: str, cursor: str | None = None) -> Response:
    """The files, and the lines that fetch them from a terminal."""
    frame = await competition_frame(request, slug, here="data")
    address = at("/competitions/{}/files", slug)
    files = await document_of(request, address, limit=FILES_OF_A_PAGE, cursor=cursor)
    return await show(
        request,
        "participant/data.html",
        frame=frame,
        files=files,
        base_url=app.settings.base_url or str(request.base_url).rstrip("/"),
    )
