"""The organizer's first page of a competition: what is missing, what waits, and the acts in its
life."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response

from podium.errors import NotFound
from podium.http.pages.acts import FormAction, carry_out, reason
from podium.http.pages.api_calls import at, document_of
from podium.http.pages.dashboard import address_of, compares_unasked, dashboard_of, show_section
from podium.http.pages.fields import EMPTY, FormView, SentForm, read_form

router = APIRouter(include_in_schema=False)

LATEST = 8
"""Submissions that are shown; all are a section of their own."""

MOST_COUNTED = 100
"""Waiting submissions that are counted; of more it is said that there are more."""

ONGOING = ("running", "ready")


def _switch(name: str, *, on: bool) -> Any:
    def body(_: SentForm) -> Any:
        return {name: on}

    return body


_COMPETITION = "/admin/competitions/{}"

ACTS = {
    "launch": FormAction("POST", f"{_COMPETITION}/launch", "launched"),
    "freeze": FormAction("POST", f"{_COMPETITION}/freeze", "frozen", reason),
    "unfreeze": FormAction("POST", f"{_COMPETITION}/unfreeze", "unfrozen", reason),
    "close": FormAction("POST", f"{_COMPETITION}/close", "closed", reason, is_dangerous=True),
    "reopen": FormAction("POST", f"{_COMPETITION}/reopen", "reopened", reason),
    "reveal": FormAction("POST", f"{_COMPETITION}/reveal", "revealed", reason, is_dangerous=True),
    "resume-judging": FormAction(
        "POST", f"{_COMPETITION}/resume-judging", "judging-resumed", reason
    ),
    "pause-uploads": FormAction(
        "PATCH", _COMPETITION, "uploads-paused", _switch("accept_uploads", on=False)
    ),
    "resume-uploads": FormAction(
        "PATCH", _COMPETITION, "uploads-resumed", _switch("accept_uploads", on=True)
    ),
    "hold-judging": FormAction(
        "PATCH", _COMPETITION, "judging-held", _switch("judge_uploads", on=False)
    ),
    "release-judging": FormAction(
        "PATCH", _COMPETITION, "judging-released", _switch("judge_uploads", on=True)
    ),
}
"""By the end of the address of their forms."""

STEPS = {
    "draft": ("launch",),
    "upcoming": ("close",),
    "open": ("freeze", "close"),
    "frozen": ("unfreeze", "close"),
    "closed": ("reveal", "reopen", "unfreeze"),
    "revealed": (),
}
"""Actions that are available in each phase; `unfreeze` only where there is a freeze."""


@dataclass(frozen=True, slots=True)
class ToDo:
    """Something that a competition should have; where it is done."""

    words: str
    is_done: bool
    section: str
    is_must: bool = False


@router.get("/organize/{slug}")
async def show_dashboard(request: Request, slug: str, check: bool = False) -> Response:
    """With `check`, the whole checklist of the launch, which takes as long as judging two files."""
    return await _page(request, slug, check=check)


@router.post("/organize/{slug}/acts/{name}")
async def post_act(request: Request, slug: str, name: str) -> Response:
    """One of the acts."""
    if name not in ACTS:
        raise NotFound("There is no such act.")

    return await carry_out(
        request,
        ACTS[name],
        slug,
        form=await read_form(request),
        back=address_of(slug),
        again=partial(_page, request, slug),
        name=name,
        confirm=slug,
    )


async def _page(
    request: Request, slug: str, *, form: FormView = EMPTY, check: bool = False
) -> Response:
    frame = await dashboard_of(request, slug)
    competition = frame.competition
    is_draft = competition["phase"] == "draft"
    files = await document_of(request, at("/competitions/{}/files", slug), limit=1)
    context: dict[str, Any] = {
        "todo": todo_of(competition, has_files=bool(files["items"])) if is_draft else [],
        "steps": steps_of(competition),
        "checklist": None,
    }
    if is_draft and check:
        context["checklist"] = await document_of(request, at("/admin/competitions/{}/launch", slug))
    if not is_draft:
        context |= await _running(request, slug, with_alerts=compares_unasked(frame))
    return await show_section(
        request, "competitions/organizer/dashboard.html", "dashboard", frame, form=form, **context
    )


async def _running(request: Request, slug: str, *, with_alerts: bool) -> dict[str, Any]:
    listed, waiting = at("/admin/competitions/{}/submissions", slug), 0
    for state in ("queued", "judging"):
        found = await document_of(request, listed, state=state, limit=MOST_COUNTED)
        waiting += len(found["items"])
    latest = await document_of(request, listed, limit=LATEST)
    failed = await document_of(request, listed, state="failed", limit=MOST_COUNTED)
    alerts = None
    if with_alerts:
        alerts = await document_of(request, at("/admin/competitions/{}/alerts", slug))
    rejudgings = await document_of(request, at("/admin/competitions/{}/rejudgings", slug), limit=1)
    return {
        "waiting": waiting,
        "most_counted": MOST_COUNTED,
        "latest": latest["items"],
        "failed": len(failed["items"]),
        "alerts": alerts and alerts["items"],
        "rejudging": next((one for one in rejudgings["items"] if one["status"] in ONGOING), None),
    }


def steps_of(competition: dict[str, Any]) -> list[str]:
    """The acts that can follow now."""
    offered = STEPS[competition["phase"]]
    return [step for step in offered if step != "unfreeze" or competition["frozen_at"]]


def todo_of(competition: dict[str, Any], *, has_files: bool) -> list[ToDo]:
    """The open points of a draft, and what participants will look for."""
    return [
        ToDo(
            "A ground truth that fits the settings",
            competition["ground_truth"]["active_version"] is not None,
            "ground-truth",
            is_must=True,
        ),
        ToDo("A description of the task", bool(competition["description"]), "texts"),
        ToDo("Rules", bool(competition["rules"]), "texts"),
        ToDo("Data for participants", has_files, "files"),
        ToDo("An end", competition["ends_at"] is not None, "settings"),
    ]
