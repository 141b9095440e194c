"""Pages of the competitions that a user organizes, of new ones from a preset or a file, and of the
metrics."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool

from podium.competitions.pages import setting_fields
from podium.competitions.pages.setting_groups import GROUPS
from podium.competitions.pages.settings import unreadable
from podium.errors import InvalidInput, NotFound
from podium.errors.codes import ErrorCode
from podium.http.pages.acts import shown_refusal
from podium.http.pages.api_calls import ask, document_of
from podium.http.pages.dashboard import NOT_YOURS, address_of
from podium.http.pages.fields import EMPTY, FormView, SentForm, after, read_form
from podium.http.pages.layout import require_visitor, show
from podium.http.streaming import yaml_text

router = APIRouter(include_in_schema=False)

TITLED = ("title", "slug")


@router.get("/organize")
async def show_mine(request: Request, cursor: str | None = None) -> Response:
    """The competitions that the visitor organizes, drafts included."""
    visitor = await require_visitor(request)
    if not visitor.is_organizer:
        raise NotFound(NOT_YOURS)
    listed = await document_of(request, "/api/v1/competitions", organized=True, cursor=cursor)
    return await show(request, "competitions/organizer/front.html", listed=listed)


@router.get("/organizers/new")
async def show_new(request: Request, preset: str = "otto") -> Response:
    """The form, filled with what a preset sets."""
    return await _new(request, preset)


@router.post("/organizers/new")
async def post_new(request: Request) -> Response:
    """Makes a draft of what the form holds."""
    form = await read_form(request)
    settings = setting_fields.document_of(form, GROUPS)
    document = {"slug": form.text("slug").strip(), "preset": form.text("preset"), **settings}
    return await _make(request, form, document, name="form")


@router.post("/organizers/new/file")
async def post_new_of_file(request: Request) -> Response:
    """Makes a draft of a settings file; slug and title may be other ones than the file's."""
    await _require_maker(request)
    form = await read_form(request)
    try:
        members = await run_in_threadpool(yaml_text.read, form.text("settings"))
    except InvalidInput as error:
        return await _new(request, "otto", unreadable(form, error))
    given = {name: form.text(name).strip() for name in TITLED if form.text_or_none(name)}
    return await _make(request, form, {**members, **given}, name="file")


@router.get("/organizers/metrics")
async def show_metrics(request: Request) -> Response:
    """All metrics with their formulas, and the presets."""
    await require_visitor(request)
    metrics = await document_of(request, "/api/v1/metrics")
    presets = await document_of(request, "/api/v1/presets")
    return await show(
        request,
        "competitions/organizer/metrics.html",
        metrics=metrics["items"],
        presets=presets["items"],
    )


async def _make(
    request: Request, form: SentForm, document: dict[str, Any], *, name: str
) -> Response:
    answer = await ask(request, "POST", "/api/v1/admin/competitions", json=document)
    if answer.is_good:
        return after(address_of(answer.document["slug"]), "competition-made")
    fields: dict[str, str] = {ErrorCode.SLUG_TAKEN: "slug"}
    shown = shown_refusal(answer, form, name=name, fields=fields)
    return await _new(request, form.text("preset") or "otto", shown)


async def _require_maker(request: Request) -> None:
    visitor = await require_visitor(request)
    if not visitor.may_create_competitions:
        raise NotFound(NOT_YOURS)


async def _new(request: Request, preset: str, form: FormView = EMPTY) -> Response:
    await _require_maker(request)
    presets = (await document_of(request, "/api/v1/presets"))["items"]
    chosen = next((each for each in presets if each["name"] == preset), presets[0])
    values = setting_fields.shown_values(chosen["settings"])
    return await show(
        request,
        "competitions/organizer/new.html",
        form=form,
        presets=presets,
        chosen=chosen["name"],
        groups=GROUPS,
        values={**values, "visibility": "public", "title": ""},
    )
