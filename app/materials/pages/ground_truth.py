"""The ground truth in numbers: versions, counts by objective and split, and what else organizers
know about sessions and items. No label is ever shown."""

from __future__ import annotations

from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response

from podium.errors import NotFound
from podium.http.pages.acts import FormAction, carry_out
from podium.http.pages.api_calls import ask, at, document_of
from podium.http.pages.dashboard import address_of, dashboard_of, show_section
from podium.http.pages.fields import EMPTY, FormView, read_form

router = APIRouter(include_in_schema=False)

LIMIT = 20

CHECK_AGAIN_SECONDS = 3
"""Seconds after which a page looks again at an upload that is being read."""

ACTS = {
    "items": FormAction("DELETE", "/admin/competitions/{}/items", "items-forgotten"),
    "sessions": FormAction("DELETE", "/admin/competitions/{}/sessions", "sessions-forgotten"),
}
"""Forms that take something away."""


@router.get("/organize/{slug}/ground-truth")
async def show_ground_truth(request: Request, slug: str, cursor: str | None = None) -> Response:
    """The versions, the newest first, and the other files."""
    return await page(request, slug, cursor=cursor)


@router.get("/organize/{slug}/ground-truth/{version}")
async def show_version(request: Request, slug: str, version: str) -> Response:
    """One version: how the split divides it, warnings, or why it was rejected."""
    frame = await dashboard_of(request, slug)
    document = await document_of(
        request, at("/admin/competitions/{}/ground-truth/{}", slug, version)
    )
    return await show_section(
        request,
        "materials/organizer/ground_truth_version.html",
        "ground-truth",
        frame,
        truth=document,
        splits=splits_of(document),
        refresh=CHECK_AGAIN_SECONDS if document["status"] == "checking" else None,
    )


@router.post("/organize/{slug}/ground-truth/forget/{kind}")
async def post_forget(request: Request, slug: str, kind: str) -> Response:
    """Takes the item file or the session file away."""
    if kind not in ACTS:
        raise NotFound("There is no such file.")

    return await carry_out(
        request,
        ACTS[kind],
        slug,
        form=await read_form(request),
        back=address_of(slug, f"/ground-truth#{kind}"),
        again=partial(page, request, slug),
        name=kind,
    )


async def page(
    request: Request, slug: str, *, cursor: str | None = None, form: FormView = EMPTY
) -> Response:
    """The section, perhaps with a form that was refused."""
    frame = await dashboard_of(request, slug)
    listed = await document_of(
        request, at("/admin/competitions/{}/ground-truth", slug), limit=LIMIT, cursor=cursor
    )
    is_checking = any(each["status"] == "checking" for each in listed["items"])
    active = next((each for each in listed["items"] if each["active"]), None)
    return await show_section(
        request,
        "materials/organizer/ground_truth.html",
        "ground-truth",
        frame,
        form=form,
        listed=listed,
        active=active,
        splits=splits_of(active) if active else [],
        items=await _if_there(request, slug, "items"),
        sessions=await _if_there(request, slug, "sessions"),
        refresh=CHECK_AGAIN_SECONDS if is_checking else None,
    )


def splits_of(version: dict[str, Any]) -> list[dict[str, Any]]:
    """A line for each objective and split, with whatever was counted there."""
    return [
        {"objective": objective, "split": split, "counts": counts}
        for objective, splits in (version["objectives"] or {}).items()
        for split, counts in splits.items()
    ]


async def _if_there(request: Request, slug: str, kind: str) -> dict[str, Any] | None:
    answer = await ask(request, "GET", at(f"/admin/competitions/{{}}/{kind}", slug))
    return None if answer.status == 404 else answer.or_refuse()
