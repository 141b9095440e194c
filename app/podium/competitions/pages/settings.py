"""The settings of a competition: as a form in groups, and as a file to download and upload."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool

from podium.competitions.pages import setting_fields
from podium.competitions.pages.sections import (
    DashboardLayout,
    SectionPage,
    address_of,
    dashboard_of,
    if_match,
)
from podium.competitions.pages.setting_fields import (
    document_of,
    fixed_groups,
    groups_for,
    settings_shown,
)
from podium.competitions.pages.setting_groups import SettingGroup
from podium.competitions.schemas.competitions import ManagedCompetitionOut
from podium.errors import InvalidInput
from podium.http.pages.acts import shown_refusal
from podium.http.pages.api_calls import Json, ask, at
from podium.http.pages.fields import EMPTY, FormView, SentForm, after, read_form
from podium.http.pages.layout import show
from podium.http.streaming import yaml_text

router = APIRouter(include_in_schema=False)

KEEP = ("slug", "preset")
"""Members of a file that identify its competition; they change nothing."""


@dataclass(frozen=True, kw_only=True)
class SettingsSection(SectionPage):
    """The settings that can be changed, in groups, and the `fixed` ones."""

    template: ClassVar[str] = "competitions/organizer/settings.html"
    section: ClassVar[str] = "settings"

    groups: Sequence[SettingGroup]
    fixed: Sequence[SettingGroup]
    values: Mapping[str, object]


@router.get("/organize/{slug}/settings")
async def show_settings(request: Request, slug: str) -> Response:
    """Shows all settings; after the launch only those that can still change freely."""
    return await _page(request, slug)


@router.post("/organize/{slug}/settings")
async def post_settings(request: Request, slug: str) -> Response:
    """Applies the form, unless the settings have changed since it was opened."""
    form = await read_form(request)
    layout = await dashboard_of(request, slug)
    is_launched = layout.competition.launched_at is not None
    groups = groups_for(is_launched=is_launched)
    changes = document_of(form, groups)
    end = layout.competition.ends_at
    if past := setting_fields.refuse_past_end(form, end=end, is_launched=is_launched):
        return await _page(request, slug, replace(past, name="form"))
    if layout.competition.phase in ("open", "frozen"):
        start = layout.competition.starts_at
        if later := setting_fields.refuse_later_start(form, start):
            return await _page(request, slug, replace(later, name="form"))
    return await _change(request, layout, form, changes, name="form")


@router.post("/organize/{slug}/settings/file")
async def post_settings_file(request: Request, slug: str) -> Response:
    """Applies the settings and texts of a file."""
    layout = await dashboard_of(request, slug)
    form = await read_form(request)
    try:
        members = await run_in_threadpool(yaml_text.read, form.text("settings"))
    except InvalidInput as error:
        shown = unreadable(form, error)
        return await _page(request, slug, shown)
    changes = {name: value for name, value in members.items() if name not in KEEP}
    return await _change(request, layout, form, changes, name="file")


def unreadable(form: SentForm, error: InvalidInput) -> FormView:
    """Builds the form for a file that cannot be read as settings, with the problem at its field."""
    return FormView(
        form,
        name="file",
        status=422,
        summary="The file cannot be read.",
        problems={"settings": error.detail},
    )


async def _change(
    request: Request,
    layout: DashboardLayout,
    form: SentForm,
    changes: Json,
    *,
    name: str,
) -> Response:
    path = at("/admin/competitions/{}", layout.slug)
    answer = await ask(request, "PATCH", path, json=changes, headers=if_match(form))
    if answer.is_good:
        changed = answer.read(ManagedCompetitionOut)
        now = changed.ground_truth.active_version
        is_outdated = now is None and layout.competition.ground_truth.active_version is not None
        done = "settings-saved-outdated" if is_outdated else "settings-saved"
        return after(address_of(changed.slug, "/settings"), done)
    shown = shown_refusal(answer, form, name=name, fields=setting_fields.PLACES)
    if name == "form" and answer.status == 422:
        document = setting_fields.changed_document(layout.competition, changes)
        shown = setting_fields.with_all_problems(shown, document)
    return await _page(request, layout.slug, setting_fields.explained(shown))


async def _page(request: Request, slug: str, form: FormView = EMPTY) -> Response:
    layout = await dashboard_of(request, slug)
    is_launched = layout.competition.launched_at is not None
    page = SettingsSection(
        layout=layout,
        groups=groups_for(is_launched=is_launched),
        fixed=fixed_groups() if is_launched else (),
        values=settings_shown(layout.competition),
    )
    return await show(request, page, form=form)
