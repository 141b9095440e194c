"""Pages of rejudging sets: begun with a reason, watched, then applied or cancelled as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from fastapi import APIRouter, Request, Response

from podium.competitions.pages.sections import (
    DashboardLayout,
    SectionPage,
    address_of,
    dashboard_of,
)
from podium.competitions.pages.setting_fields import (
    document_of_fields,
    is_changed,
    settings_shown,
    words_of_changes,
)
from podium.competitions.pages.setting_groups import FIELDS, Field
from podium.core.competition_settings import ONLY_BY_REJUDGING, CompetitionSettings
from podium.errors import NotFound
from podium.http.pages.acts import FormAction, act_named, carry_out, reason, shown_refusal
from podium.http.pages.api_calls import Json, ask, at, document_of
from podium.http.pages.fields import EMPTY, FormView, SentForm, after, read_form
from podium.http.pages.layout import show
from podium.http.pages.lists import listed_of
from podium.http.paging import Listed
from podium.materials.schemas import VersionOut
from podium.rejudging.schemas import ChangeOut, RejudgingDocument, RejudgingOut

router = APIRouter(include_in_schema=False)

LIMIT = 100

LOOK_AGAIN_SECONDS = 3
"""Seconds after which the page of a running set reloads."""

ACTS = {
    "apply": FormAction(
        "/admin/rejudgings/{}/apply", "rejudging-applied", reason, is_dangerous=True
    ),
    "cancel": FormAction("/admin/rejudgings/{}/cancel", "rejudging-cancelled", reason),
}
"""Actions that end a set."""

CHANGEABLE = tuple(field for field in FIELDS.values() if field.name in ONLY_BY_REJUDGING)
"""Settings that a rejudging may change."""


@dataclass(frozen=True, kw_only=True)
class RejudgingsSection(SectionPage):
    """All sets, and the form that begins one, with a version of the ground truth and settings."""

    template: ClassVar[str] = "rejudging/organizer/rejudgings.html"
    section: ClassVar[str] = "rejudgings"

    listed: Listed[RejudgingOut]
    versions: list[VersionOut]
    values: Mapping[str, object]
    fields: tuple[Field, ...] = CHANGEABLE


@dataclass(frozen=True, kw_only=True)
class RejudgingSection(SectionPage):
    """One set. `changes` are those that pass the filter `only`; `refresh` is the seconds after
    which the page reloads; `warnings` are about the ground truth that applying it would
    activate."""

    template: ClassVar[str] = "rejudging/organizer/rejudging.html"
    section: ClassVar[str] = "rejudgings"

    rejudging: RejudgingDocument
    changes: list[ChangeOut]
    changed_settings: list[tuple[str, str]]
    warnings: list[str]
    only: str
    refresh: int | None


@router.get("/organize/{slug}/rejudgings")
async def show_rejudgings(request: Request, slug: str) -> Response:
    """Shows all sets, the newest first, and the form for another one."""
    return await _page(request, slug)


@router.post("/organize/{slug}/rejudgings")
async def post_rejudging(request: Request, slug: str) -> Response:
    """Begins a set. Settings that the form leaves unchanged are not sent."""
    form = await read_form(request)
    layout = await dashboard_of(request, slug)
    now = settings_shown(layout.competition)
    answer = await ask(
        request,
        "POST",
        at("/admin/competitions/{}/rejudgings", slug),
        json=_begun(form, now),
    )
    if answer.is_good:
        return after(
            address_of(slug, f"/rejudgings/{answer.read(RejudgingOut).id}"), "rejudging-begun"
        )
    fields = {f"settings.{name}": name for name in FIELDS}
    return await _page(request, slug, shown_refusal(answer, form, fields=fields))


@router.get("/organize/{slug}/rejudgings/{rejudging_id}")
async def show_rejudging(request: Request, slug: str, rejudging_id: str) -> Response:
    """Shows the progress of a set, and what it would change: old → new, the biggest movers
    first."""
    return await _one(request, slug, rejudging_id)


@router.post("/organize/{slug}/rejudgings/{rejudging_id}/{name}")
async def post_act(request: Request, slug: str, rejudging_id: str, name: str) -> Response:
    """Applies or cancels a set."""
    return await carry_out(
        request,
        act_named(ACTS, name),
        rejudging_id,
        back=address_of(slug, f"/rejudgings/{rejudging_id}"),
        again=partial(_one, request, slug, rejudging_id),
        name=name,
        confirm=slug,
    )


def _begun(form: SentForm, now: Mapping[str, object]) -> Json:
    body: dict[str, object] = {"reason": form.text("reason").strip()}
    if version := form.text_or_none("ground_truth_version"):
        body["ground_truth_version"] = _whole(version)
    if ids := form.text("submission_ids").split():
        body["submission_ids"] = ids
    if times := form.text_or_none("times"):
        body["times"] = _whole(times)
    changed = [field for field in CHANGEABLE if is_changed(field, form, now[field.name])]
    if settings := document_of_fields(form, changed):
        body["settings"] = settings
    return body


def _whole(text: str) -> int | str:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text


async def _page(request: Request, slug: str, form: FormView = EMPTY) -> Response:
    layout = await dashboard_of(request, slug)
    path = at("/admin/competitions/{}/rejudgings", slug)
    listed = await listed_of(request, path, Listed[RejudgingOut], limit=LIMIT)
    path = at("/admin/competitions/{}/ground-truth", slug)
    truths = await document_of(request, path, Listed[VersionOut], limit=100)
    page = RejudgingsSection(
        layout=layout,
        listed=listed,
        versions=[each for each in truths.items if each.status == "stored"],
        values=settings_shown(layout.competition),
    )
    return await show(request, page, form=form)


async def _one(request: Request, slug: str, rejudging_id: str, form: FormView = EMPTY) -> Response:
    layout = await dashboard_of(request, slug)
    path = at("/admin/rejudgings/{}", rejudging_id)
    found = await listed_of(request, path, RejudgingDocument, limit=LIMIT)
    if found.competition != slug:
        raise NotFound("This competition has no such rejudging.")
    only = request.query_params.get("only", "")
    page = RejudgingSection(
        layout=layout,
        rejudging=found,
        changes=[each for each in found.changes if _is_wanted(each, only)],
        changed_settings=words_of_changes(
            CompetitionSettings.model_validate(layout.competition.settings), found.settings or {}
        ),
        warnings=await _warnings(request, layout, found),
        only=only,
        refresh=LOOK_AGAIN_SECONDS if found.status == "running" else None,
    )
    return await show(request, page, form=form)


async def _warnings(
    request: Request, layout: DashboardLayout, found: RejudgingDocument
) -> list[str]:
    """Returns sentences about the version of the ground truth that applying a finished set would
    activate."""
    version = found.ground_truth_version
    if found.status != "ready" or version == layout.competition.ground_truth.active_version:
        return []
    path = at("/admin/competitions/{}/ground-truth/{}", layout.slug, str(version))
    return (await document_of(request, path, VersionOut)).warnings


def _is_wanted(change: ChangeOut, only: str) -> bool:
    """True if a team's change passes the filter: `up`, `down` or `score`; any other value means
    all."""
    old, new = change.old, change.new
    worst = float("inf")
    before, now = (side.rank or worst for side in (old, new))
    if only == "up":
        return now < before
    if only == "down":
        return now > before
    if only == "score":
        return (old.public, old.private) != (new.public, new.private)
    return True
