"""Pages of downloads for participants: files with size and hash, and the sample submission."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from podium.http.deps import App
from podium.http.pages.api_calls import at, document_of
from podium.http.pages.layout import competition_frame, show

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
        "materials/data.html",
        frame=frame,
        files=files,
        base_url=app.settings.base_url or str(request.base_url).rstrip("/"),
    )
