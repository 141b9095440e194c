"""Description and rules of a competition, written in Markdown, with a preview by the server."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fastapi import APIRouter, Request, Response

from podium.competitions.pages.sections import SectionPage, address_of, dashboard_of
from podium.http.pages.acts import shown_refusal
from podium.http.pages.api_calls import ask, at
from podium.http.pages.fields import EMPTY, FormView, SentForm, after, read_form
from podium.http.pages.layout import show

router = APIRouter(include_in_schema=False)

TEXTS = ("description", "rules")


@dataclass(frozen=True, kw_only=True)
class TextsSection(SectionPage):
    """Both texts, as they are saved or as they were typed."""

    template: ClassVar[str] = "competitions/organizer/texts.html"
    section: ClassVar[str] = "texts"

    texts: dict[str, str]
    is_saved: bool


@router.get("/organize/{slug}/texts")
async def show_texts(request: Request, slug: str) -> Response:
    """Both texts, and how they look."""
    return await _page(request, slug)


@router.post("/organize/{slug}/texts")
async def post_texts(request: Request, slug: str) -> Response:
    """Saves what was written, or shows how it would look without saving it."""
    form = await read_form(request)
    if form.text("act") == "preview":
        await dashboard_of(request, slug)
        return await _page(request, slug, FormView(form, name="preview"), typed=form)
    version = form.text("version")
    answer = await ask(
        request,
        "PATCH",
        at("/admin/competitions/{}", slug),
        json={name: form.text(name) for name in TEXTS if name in form.fields},
        headers={"if-match": f'"{version}"'} if version.isdigit() else None,
    )
    if answer.is_good:
        return after(address_of(slug, "/texts"), "texts-saved")
    return await _page(request, slug, shown_refusal(answer, form), typed=form)


async def _page(
    request: Request, slug: str, form: FormView = EMPTY, *, typed: SentForm | None = None
) -> Response:
    layout = await dashboard_of(request, slug)
    saved = {name: getattr(layout.competition, name) for name in TEXTS}
    texts = saved if typed is None else {name: typed.text(name) for name in TEXTS}
    page = TextsSection(layout=layout, texts=texts, is_saved=texts == saved)
    return await show(request, page, form=form)
