"""The organizers' page of announcements, and the forms that publish, change and delete one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from fastapi import APIRouter, Request, Response

from podium.competitions.pages.sections import SectionPage, address_of, dashboard_of
from podium.competitions.pages.texts import unshown_in
from podium.competitions.schemas.texts import AnnouncementOut
from podium.http.pages.acts import FormAction, act_named, carry_out, texts
from podium.http.pages.api_calls import at
from podium.http.pages.fields import EMPTY, FormView, read_form
from podium.http.pages.layout import show
from podium.http.pages.lists import listed_of
from podium.http.paging import Listed

router = APIRouter(include_in_schema=False)

LIMIT = 50

NOTHING: Mapping[str, str] = {}


@dataclass(frozen=True, kw_only=True)
class AnnouncementsSection(SectionPage):
    """All announcements, with a form for each."""

    template: ClassVar[str] = "competitions/organizer/announcements.html"
    section: ClassVar[str] = "announcements"

    listed: Listed[AnnouncementOut]
    typed: Mapping[str, str]
    """The `title` and `text` of a new one that is previewed."""
    unshown: Sequence[str]


SAY = FormAction("/admin/competitions/{}/announcements", "announced", texts("title", "text"))

_ONE = "/admin/competitions/{}/announcements/{}"

ACTS = {
    "change": FormAction(_ONE, "announcement-changed", texts("title", "text"), method="PATCH"),
    "remove": FormAction(_ONE, "announcement-removed", method="DELETE"),
}
"""Actions on one announcement, by the name in its form's address."""


@router.get("/organize/{slug}/announcements")
async def show_announcements(request: Request, slug: str) -> Response:
    """Lists announcements, newest first, each with a form to change it."""
    return await _page(request, slug)


@router.post("/organize/{slug}/announcements")
async def post_announcement(request: Request, slug: str) -> Response:
    """Publishes an announcement, or shows a preview."""
    form = await read_form(request)
    if form.text("act") == "preview":
        typed = {name: form.text(name) for name in ("title", "text")}
        return await _page(request, slug, FormView(form, name="new"), typed=typed)
    return await carry_out(
        request,
        SAY,
        slug,
        form=form,
        back=address_of(slug, "/announcements"),
        again=partial(_page, request, slug),
        name="new",
    )


@router.post("/organize/{slug}/announcements/{announcement_id}/{name}")
async def post_act(request: Request, slug: str, announcement_id: str, name: str) -> Response:
    """Changes or removes one announcement."""
    return await carry_out(
        request,
        act_named(ACTS, name),
        slug,
        announcement_id,
        back=address_of(slug, "/announcements"),
        again=partial(_page, request, slug),
        name=announcement_id,
    )


async def _page(
    request: Request, slug: str, form: FormView = EMPTY, *, typed: Mapping[str, str] = NOTHING
) -> Response:
    layout = await dashboard_of(request, slug)
    path = at("/competitions/{}/announcements", slug)
    listed = await listed_of(request, path, Listed[AnnouncementOut], limit=LIMIT)
    unshown = await unshown_in(request, typed.get("text", ""))
    page = AnnouncementsSection(layout=layout, listed=listed, typed=typed, unshown=unshown)
    return await show(request, page, form=form)
