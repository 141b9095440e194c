"""Pages of files for participants: the list of data files, and the form for another one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from fastapi import APIRouter, Request, Response

from podium.competitions.pages.sections import SectionPage, address_of, dashboard_of
from podium.http.pages.acts import FormAction, carry_out
from podium.http.pages.api_calls import at
from podium.http.pages.fields import EMPTY, FormView, read_form
from podium.http.pages.layout import show
from podium.http.pages.lists import listed_of
from podium.http.paging import Listed
from podium.materials.schemas import FileOut

router = APIRouter(include_in_schema=False)

LIMIT = 100

DELETE = FormAction("/admin/competitions/{}/files/{}", "file-deleted", method="DELETE")


@dataclass(frozen=True, kw_only=True)
class FilesSection(SectionPage):
    """The data files, and the form for another one."""

    template: ClassVar[str] = "materials/organizer/files.html"
    section: ClassVar[str] = "files"

    listed: Listed[FileOut]


@router.get("/organize/{slug}/files")
async def show_files(request: Request, slug: str) -> Response:
    """Lists the data files in the order of their names, a page at a time."""
    return await page(request, slug)


@router.post("/organize/{slug}/files/delete")
async def post_delete(request: Request, slug: str) -> Response:
    """Deletes the data file that the form names."""
    form = await read_form(request)
    return await carry_out(
        request,
        DELETE,
        slug,
        form.text("name"),
        form=form,
        back=address_of(slug, "/files"),
        again=partial(page, request, slug),
    )


async def page(request: Request, slug: str, *, form: FormView = EMPTY) -> Response:
    """The section, perhaps with an upload that was refused."""
    layout = await dashboard_of(request, slug)
    path = at("/competitions/{}/files", slug)
    listed = await listed_of(request, path, Listed[FileOut], limit=LIMIT)
    return await show(request, FilesSection(layout=layout, listed=listed), form=form)
