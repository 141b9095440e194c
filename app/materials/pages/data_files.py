"""Pages of downloads for participants: files with size and hash, and the sample submission."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fastapi import APIRouter, Request, Response

from podium.competitions.pages.layout import CompetitionPage, competition_layout
from podium.http.pages.addresses import installation_address
from podium.http.pages.api_calls import at, document_of
from podium.http.pages.layout import show
from podium.http.paging import Listed
from podium.materials.schemas import FileOut

FILES_OF_A_PAGE = 100

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, kw_only=True)
class DataPage(CompetitionPage):
    """The data files, and where a terminal finds them."""

    template: ClassVar[str] = "materials/data.html"

    files: Listed[FileOut]
    base_url: str


@router.get("/competitions/{slug}/data")
async def show_files(request: Request, slug: str, cursor: str | None = None) -> Response:
    """The files, and the lines that fetch them from a terminal."""
    layout = await competition_layout(request, slug, here="data")
    files = await document_of(
        request,
        at("/competitions/{}/files", slug),
        Listed[FileOut],
        limit=FILES_OF_A_PAGE,
        cursor=cursor,
    )
    base_url = installation_address(request)
    return await show(request, DataPage(layout=layout, files=files, base_url=base_url))
