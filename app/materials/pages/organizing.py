"""Pages of files for participants: the list of data files, and the form for another one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fastapi import APIRouter, Request, Response

from podium.competitions.pages.sections import SectionPage, dashboard_of
from podium.http.pages.api_calls import at, document_of
from podium.http.pages.fields import EMPTY, FormView
from podium.http.pages.layout import show
from podium.http.paging import Listed
from podium.materials.schemas import FileOut

router = APIRouter(include_in_schema=False)

LIMIT = 100


@dataclass(frozen=True, kw_only=True)
class FilesSection(SectionPage):
    """The data files, and the form for another one."""

    template: ClassVar[str] = "materials/organizer/files.html"
    section: ClassVar[str] = "files"

    listed: Listed[FileOut]


@router.get("/organize/{slug}/files")
async def show_files(request: Request, slug: str, cursor: str | None = None) -> Response:
    """By name."""
    return await page(request, slug, cursor=cursor)


async def page(
    request: Request, slug: str, *, cursor: str | None = None, form: FormView = EMPTY
) -> Response:
    """The section, perhaps with an upload that was refused."""
    layout = await dashboard_of(request, slug)
    listed = await document_of(
        request, at("/competitions/{}/files", slug), Listed[FileOut], limit=LIMIT, cursor=cursor
    )
    return await show(request, FilesSection(layout=layout, listed=listed), form=form)
