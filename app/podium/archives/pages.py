"""Pages that export a competition, for its organizers, and import one, for the administrator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fastapi import APIRouter, Request, Response

from podium.archives.schemas import ImportedOut
from podium.competitions.pages.sections import SectionPage, dashboard_of
from podium.errors import PodiumError
from podium.http.errors import status_of
from podium.http.pages.fields import EMPTY, FormView, SentForm, after, refused
from podium.http.pages.file_uploads import Target, hand_on
from podium.http.pages.layout import show
from podium.http.streaming.form_bodies import FormBody
from podium.operations.pages.sections import ServerPage, require_administrator

router = APIRouter(include_in_schema=False)

PEOPLE = (
    ("refuse", "Refuse the archive"),
    ("same", "They are the same people"),
    ("suffix", "Import them under other names"),
)


@dataclass(frozen=True, kw_only=True)
class ArchiveSection(SectionPage):
    """The ways to export a competition."""

    template: ClassVar[str] = "archives/organizer/archive.html"
    section: ClassVar[str] = "archive"


FIELDS = ("slug", "people", "trust_metric")
"""The fields of the import form besides the file."""


@dataclass(frozen=True, kw_only=True)
class ImportPage(ServerPage):
    """The form that imports a competition; `people` are the choices for accounts whose names are
    taken."""

    template: ClassVar[str] = "archives/import.html"
    section: ClassVar[str] = "import"

    people: tuple[tuple[str, str], ...] = PEOPLE


@router.get("/organize/{slug}/archive")
async def show_archive(request: Request, slug: str) -> Response:
    """Shows the exports and their forms."""
    layout = await dashboard_of(request, slug)
    return await show(request, ArchiveSection(layout=layout))


@router.get("/server/import")
async def show_import(request: Request) -> Response:
    """Shows the form that imports a full archive."""
    return await _import(request)


@router.post("/server/import")
async def post_import(request: Request) -> Response:
    """Passes the uploaded archive on to the API."""
    await require_administrator(request)

    def target(form: FormBody) -> Target:
        texts = {name: (form.text(name) or "").strip() or None for name in FIELDS}
        return Target("POST", "/api/v1/admin/competitions/import", texts)

    try:
        answer = await hand_on(request, text_fields=FIELDS, target=target)
    except PodiumError as error:
        shown = FormView(SentForm({}), status=status_of(error), summary=error.detail)
        return await _import(request, shown)
    if answer.is_good:
        return after(f"/organize/{answer.read(ImportedOut).slug}", "competition-imported")
    return await _import(request, refused(answer, SentForm({})))


async def _import(request: Request, form: FormView = EMPTY) -> Response:
    await require_administrator(request)
    return await show(request, ImportPage(), form=form)
