"""The ground truth in numbers: versions, counts by objective and split, and what else organizers
know about sessions and items. No label is ever shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, TypeVar

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel

from podium.competitions.pages.sections import (
    DashboardLayout,
    SectionPage,
    address_of,
    dashboard_of,
)
from podium.core.competition_settings import CompetitionSettings
from podium.errors import NotFound
from podium.http.pages.acts import FormAction, carry_out, shown_refusal
from podium.http.pages.api_calls import ask, at, document_of
from podium.http.pages.fields import EMPTY, FormView, SentForm, after
from podium.http.pages.layout import show
from podium.http.pages.lists import listed_of
from podium.http.paging import Listed
from podium.materials.rules.public_part import PublicPart, public_part
from podium.materials.schemas import ItemFileOut, SessionFileOut, VersionOut

router = APIRouter(include_in_schema=False)

LIMIT = 20

CHECK_AGAIN_SECONDS = 3
"""Seconds after which a page looks again at an upload that is being read."""

ACTS = {
    "items": FormAction("/admin/competitions/{}/items", "items-forgotten", method="DELETE"),
    "sessions": FormAction(
        "/admin/competitions/{}/sessions", "sessions-forgotten", method="DELETE"
    ),
}
"""Forms that take something away."""

Document = TypeVar("Document", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class SplitLine:
    """The counts of an objective on one split."""

    objective: str
    split: str
    counts: Mapping[str, int]


@dataclass(frozen=True, kw_only=True)
class GroundTruthSection(SectionPage):
    """Versions, the `active` one with its splits, a newer one that is `waiting` for a rejudging,
    and what is known of items and sessions; `refresh` are the seconds after which the page looks
    again."""

    template: ClassVar[str] = "materials/organizer/ground_truth.html"
    section: ClassVar[str] = "ground-truth"

    listed: Listed[VersionOut]
    active: VersionOut | None
    waiting: VersionOut | None
    splits: list[SplitLine]
    part: PublicPart | None
    items: ItemFileOut | None
    sessions: SessionFileOut | None
    refresh: int | None


@dataclass(frozen=True, kw_only=True)
class VersionSection(SectionPage):
    """The page of one version of the ground truth: its counts by split, and its public part."""

    template: ClassVar[str] = "materials/organizer/ground_truth_version.html"
    section: ClassVar[str] = "ground-truth"

    truth: VersionOut
    splits: list[SplitLine]
    part: PublicPart | None
    refresh: int | None


@router.get("/organize/{slug}/ground-truth")
async def show_ground_truth(request: Request, slug: str) -> Response:
    """The versions, the newest first, and the other files."""
    return await page(request, slug)


@router.get("/organize/{slug}/ground-truth/{version}")
async def show_version(request: Request, slug: str, version: str) -> Response:
    """One version: how the split divides it, warnings, or why it was rejected."""
    layout = await dashboard_of(request, slug)
    truth = await document_of(
        request, at("/admin/competitions/{}/ground-truth/{}", slug, version), VersionOut
    )
    page = VersionSection(
        layout=layout,
        truth=truth,
        splits=splits_of(truth),
        part=_part(layout, truth),
        refresh=CHECK_AGAIN_SECONDS if truth.status == "checking" else None,
    )
    return await show(request, page)


@router.post("/organize/{slug}/ground-truth/read-again")
async def post_reading(request: Request, slug: str) -> Response:
    """Has the latest version read with the settings of now."""
    layout = await dashboard_of(request, slug)
    version = layout.competition.ground_truth.latest_version
    path = at("/admin/competitions/{}/ground-truth/{}/read", slug, str(version))
    answer = await ask(request, "POST", path)
    if answer.is_good:
        done = "truth-checking" if answer.status == 202 else "truth-uploaded"
        return after(address_of(slug, "/ground-truth"), done)
    return await page(request, slug, form=shown_refusal(answer, SentForm({}), name="again"))


@router.post("/organize/{slug}/ground-truth/forget/{kind}")
async def post_forget(request: Request, slug: str, kind: str) -> Response:
    """Takes the item file or the session file away."""
    if kind not in ACTS:
        raise NotFound("There is no such file.")

    return await carry_out(
        request,
        ACTS[kind],
        slug,
        back=address_of(slug, f"/ground-truth#{kind}"),
        again=partial(page, request, slug),
        name=kind,
    )


async def page(request: Request, slug: str, *, form: FormView = EMPTY) -> Response:
    """The section, perhaps with a form that was refused."""
    layout = await dashboard_of(request, slug)
    path = at("/admin/competitions/{}/ground-truth", slug)
    listed = await listed_of(request, path, Listed[VersionOut], limit=LIMIT)
    is_checking = any(each.status == "checking" for each in listed.items)
    active = next((each for each in listed.items if each.active), None)
    shown = GroundTruthSection(
        layout=layout,
        listed=listed,
        active=active,
        waiting=_waiting(listed.items),
        splits=splits_of(active) if active else [],
        part=_part(layout, active),
        items=await _if_there(request, slug, "items", ItemFileOut),
        sessions=await _if_there(request, slug, "sessions", SessionFileOut),
        refresh=CHECK_AGAIN_SECONDS if is_checking else None,
    )
    return await show(request, shown, form=form)


def _waiting(versions: Sequence[VersionOut]) -> VersionOut | None:
    """The newest version, if it is not in use and there is something to compare it with."""
    newest = next((each for each in versions if each.version), None)
    is_waiting = newest and newest.status == "stored" and not newest.active and newest.changes
    return newest if is_waiting else None


def splits_of(version: VersionOut) -> list[SplitLine]:
    """A line for each objective and split, with whatever was counted there."""
    return [
        SplitLine(objective, split, counts)
        for objective, splits in (version.objectives or {}).items()
        for split, counts in splits.items()
    ]


def _part(layout: DashboardLayout, version: VersionOut | None) -> PublicPart | None:
    settings = CompetitionSettings.model_validate(layout.competition.settings)
    return public_part(version.objectives or {}, settings) if version else None


async def _if_there(request: Request, slug: str, kind: str, as_: type[Document]) -> Document | None:
    answer = await ask(request, "GET", at(f"/admin/competitions/{{}}/{kind}", slug))
    return None if answer.status == 404 else answer.read(as_)
