"""Description and rules of a competition, written in Markdown, with a preview by the server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool

from podium.competitions.pages.sections import SectionPage, address_of, dashboard_of, if_match
from podium.competitions.pages.setting_groups import Field
from podium.http.html.markdown import unshown_parts
from podium.http.pages.acts import shown_refusal
from podium.http.pages.api_calls import ask, at
from podium.http.pages.fields import EMPTY, FormView, SentForm, after, read_form
from podium.http.pages.layout import show

router = APIRouter(include_in_schema=False)

TEXTS = {name: Field(name) for name in ("description", "rules")}

MAX_LOOKED_UP = 20
"""Maximum number of a text's images whose existence is checked."""


@dataclass(frozen=True, kw_only=True)
class TextsSection(SectionPage):
    """Both texts, as they are saved or as they were typed, with the parts that readers would not
    see as intended."""

    template: ClassVar[str] = "competitions/organizer/texts.html"
    section: ClassVar[str] = "texts"

    texts: dict[str, str]
    is_saved: bool
    unshown: list[str]
    fields: Mapping[str, Field]


@router.get("/organize/{slug}/texts")
async def show_texts(request: Request, slug: str) -> Response:
    """Shows both texts, with a preview."""
    return await _page(request, slug)


@router.post("/organize/{slug}/texts")
async def post_texts(request: Request, slug: str) -> Response:
    """Saves the texts, or shows a preview without saving them."""
    form = await read_form(request)
    if form.text("act") == "preview":
        return await _page(request, slug, FormView(form, name="preview"), typed=form)
    answer = await ask(
        request,
        "PATCH",
        at("/admin/competitions/{}", slug),
        json={name: form.text(name) for name in TEXTS if name in form.fields},
        headers=if_match(form),
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
    unshown = [words for text in texts.values() for words in await unshown_in(request, text)]
    page = TextsSection(
        layout=layout, texts=texts, is_saved=texts == saved, unshown=unshown, fields=TEXTS
    )
    return await show(request, page, form=form)


async def unshown_in(request: Request, text: str) -> list[str]:
    """Describes the parts of a text that readers would not see as intended."""
    found = await run_in_threadpool(unshown_parts, text)
    missing = [
        name
        for other, name in found.files[:MAX_LOOKED_UP]
        if not await _is_there(request, other, name)
    ]
    return [
        *(f"This formula cannot be read: {tex[:80]}" for tex in found.formulas),
        *(
            f"This picture is not shown, because it is not among the data files: {address[:80]}"
            for address in found.addresses
        ),
        *(f"There is no data file {name}." for name in missing),
    ]


async def _is_there(request: Request, slug: str, name: str) -> bool:
    # The range avoids reading a large file only to check that it exists.
    path = at("/competitions/{}/files/{}", slug, name)
    answer = await ask(request, "GET", path, headers={"range": "bytes=0-0"})
    return answer.status != 404
