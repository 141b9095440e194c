"""Pages of the competitions that a user organizes, of new ones from a preset or a file, and of the
metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel

from podium.application import Application
from podium.competitions.pages import setting_fields
from podium.competitions.pages.sections import address_of
from podium.competitions.pages.setting_groups import ADDRESS, GROUPS, SettingGroup
from podium.competitions.pages.settings import unreadable
from podium.competitions.rules import taken_slug
from podium.competitions.schemas.competitions import CompetitionOut
from podium.competitions.schemas.metrics import MetricDefinitionOut, PresetOut
from podium.competitions.service import competitions
from podium.core.competition_settings import CompetitionSettings
from podium.errors import InvalidInput
from podium.http.pages.acts import shown_refusal
from podium.http.pages.api_calls import Json, ask, document_of
from podium.http.pages.fields import EMPTY, FormView, SentForm, after, read_form
from podium.http.pages.layout import (
    PageContext,
    require_maker,
    require_organizer,
    require_visitor,
    show,
)
from podium.http.pages.lists import listed_of
from podium.http.paging import Listed
from podium.http.streaming import yaml_text
from podium.http.transactions import read_with

router = APIRouter(include_in_schema=False)

TITLED = ("title", "slug")


class MadeCompetition(BaseModel):
    """A draft that was created."""

    slug: str


@dataclass(frozen=True, kw_only=True)
class OrganizedPage(PageContext):
    """The competitions that a user organizes."""

    template: ClassVar[str] = "competitions/organizer/front.html"

    listed: Listed[CompetitionOut]


@dataclass(frozen=True, kw_only=True)
class MetricsPage(PageContext):
    """All metrics and presets, for a reference while creating a competition."""

    template: ClassVar[str] = "competitions/organizer/metrics.html"

    metrics: list[MetricDefinitionOut]
    presets: list[PresetOut]


@dataclass(frozen=True, kw_only=True)
class NewCompetitionPage(PageContext):
    """The form of a new competition, filled with the settings of the `chosen` preset."""

    template: ClassVar[str] = "competitions/organizer/new.html"

    presets: list[PresetOut]
    chosen: str
    groups: Sequence[SettingGroup]
    values: Mapping[str, object]


@router.get("/organize")
async def show_mine(request: Request) -> Response:
    """Lists the competitions that the visitor organizes, including drafts."""
    await require_organizer(request)
    listed = await listed_of(
        request, "/api/v1/competitions", Listed[CompetitionOut], organized=True
    )
    return await show(request, OrganizedPage(listed=listed))


@router.get("/organizers/new/form")
async def show_new(request: Request, preset: str = "otto") -> Response:
    """Shows the form, filled with the settings of a preset."""
    return await _new(request, preset)


@router.post("/organizers/new/form")
async def post_new(request: Request) -> Response:
    """Creates a draft from the form."""
    form = await read_form(request)
    settings = setting_fields.document_of(form, GROUPS)
    document = {"slug": form.text("slug").strip(), "preset": form.text("preset"), **settings}
    if past := setting_fields.refuse_past_end(form):
        shown = await with_every_problem(request, replace(past, name="form"), document)
        return await _new(request, form.text("preset") or "otto", shown)
    return await _make(request, form, document, name="form")


@router.post("/organizers/new/file")
async def post_new_of_file(request: Request) -> Response:
    """Creates a draft from a settings file; the form may set another slug and title."""
    await require_maker(request)
    form = await read_form(request)
    try:
        members = await run_in_threadpool(yaml_text.read, form.text("settings"))
    except InvalidInput as error:
        return await _new(request, "otto", unreadable(form, error))
    given = {name: form.text(name).strip() for name in TITLED if form.text_or_none(name)}
    return await _make(request, form, {**members, **given}, name="file")


@router.get("/organizers/metrics")
async def show_metrics(request: Request) -> Response:
    """Lists all metrics with their formulas, and the presets."""
    await require_visitor(request)
    metrics = await document_of(request, "/api/v1/metrics", Listed[MetricDefinitionOut])
    presets = await document_of(request, "/api/v1/presets", Listed[PresetOut])
    return await show(request, MetricsPage(metrics=metrics.items, presets=presets.items))


async def _make(request: Request, form: SentForm, document: Json, *, name: str) -> Response:
    answer = await ask(request, "POST", "/api/v1/admin/competitions", json=document)
    if answer.is_good:
        return after(address_of(answer.read(MadeCompetition).slug), "competition-made")
    shown = shown_refusal(answer, form, name=name, fields=setting_fields.PLACES)
    shown = await with_every_problem(request, shown, document)
    return await _new(request, form.text("preset") or "otto", shown)


async def with_every_problem(request: Request, form: FormView, document: Json) -> FormView:
    """Adds all other problems to the refused form of a new competition, including a taken slug,
    which the API reports only when nothing else is wrong."""
    if form.status == 422 and form.problems:
        form = setting_fields.with_all_problems(form, document)
        slug = str(document.get("slug", ""))
        if "slug" in form.typed.fields and await _is_taken(request, slug):
            form = replace(form, problems={"slug": taken_slug(slug), **form.problems})
    return setting_fields.explained(form)


async def _is_taken(request: Request, slug: str) -> bool:
    # Drafts of others reserve their slugs too, so that no operation of the API answers this.
    await require_maker(request)
    application: Application = request.app.state.application
    return await read_with(application, competitions.is_slug_taken, slug)


async def _new(request: Request, preset: str, form: FormView = EMPTY) -> Response:
    await require_maker(request)
    presets = (await document_of(request, "/api/v1/presets", Listed[PresetOut])).items
    chosen = next((each for each in presets if each.name == preset), presets[0])
    settings = CompetitionSettings.model_validate(chosen.settings)
    values = setting_fields.shown_values(setting_fields.with_plain_forms(settings))
    page = NewCompetitionPage(
        presets=presets,
        chosen=chosen.name,
        groups=(ADDRESS, *GROUPS),
        values=values,
    )
    return await show(request, page, form=form)
