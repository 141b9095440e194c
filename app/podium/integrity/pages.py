"""Pages for organizers who look for unfair play: integrity and the log."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from fastapi import APIRouter, Request, Response

from podium.accounts.pages.log import log_of
from podium.accounts.schemas import AuditOut
from podium.competitions.pages.sections import SectionPage, address_of, dashboard_of
from podium.http.pages.acts import FormAction, carry_out
from podium.http.pages.api_calls import Json, at, document_of
from podium.http.pages.fields import EMPTY, FormView, SentForm, read_form
from podium.http.pages.layout import show
from podium.http.pages.lists import listed_of
from podium.http.paging import Listed
from podium.integrity.schemas import AlertOut, AlertsOut, AlikePairOut
from podium.submissions.schemas import CommitmentOut, CommitmentsOut

router = APIRouter(include_in_schema=False)


def look_of(form: SentForm) -> Json:
    """Returns the review of an alert that a form sends, as the API takes it."""
    submissions = form.text("submissions")
    return {
        "code": form.text("code"),
        "team_ids": form.texts("team"),
        "submissions": int(submissions) if submissions.isdecimal() else submissions,
        "note": form.text("note").strip(),
        "reopen": form.text("act") == "reopen",
    }


_LOOKS = "/admin/competitions/{}/alerts/looks"

LOOK = FormAction(_LOOKS, "alert-looked-at", look_of)
REOPEN = FormAction(_LOOKS, "alert-reopened", look_of)

PAIRS = 50

SHARES = ("1", "0.99", "0.95", "0.9", "0.8", "0.7", "0.5")
"""Minimum shares of equal lists that the form can ask for."""


@dataclass(frozen=True, kw_only=True)
class IntegritySection(SectionPage):
    """Pairs of similar files, alerts, reviewed alerts (`settled`), and the commitments; `least` is
    the requested minimum share of equal lists."""

    template: ClassVar[str] = "integrity/organizer/integrity.html"
    section: ClassVar[str] = "integrity"

    pairs: Listed[AlikePairOut]
    alerts: list[AlertOut]
    settled: list[AlertOut]
    commitments: list[CommitmentOut]
    least: str
    shares: tuple[str, ...] = SHARES


@dataclass(frozen=True, kw_only=True)
class LogSection(SectionPage):
    """The audit log of a competition, with filters."""

    template: ClassVar[str] = "integrity/organizer/log.html"
    section: ClassVar[str] = "log"

    listed: Listed[AuditOut]
    asked: dict[str, str]


@router.get("/organize/{slug}/integrity")
async def show_integrity(request: Request, slug: str) -> Response:
    """Shows alerts, similar files of different teams, and the commitments."""
    return await _page(request, slug)


async def _page(request: Request, slug: str, *, form: FormView = EMPTY) -> Response:
    layout = await dashboard_of(request, slug)
    least = request.query_params.get("least", "")
    path, share = at("/admin/competitions/{}/similarity", slug), least if least in SHARES else None
    pairs = await listed_of(request, path, Listed[AlikePairOut], limit=PAIRS, least=share)
    alerts = await document_of(request, at("/admin/competitions/{}/alerts", slug), AlertsOut)
    commitments = await document_of(
        request, at("/competitions/{}/commitments", slug), CommitmentsOut
    )
    page = IntegritySection(
        layout=layout,
        pairs=pairs,
        alerts=[each for each in alerts.items if each.looked_at is None],
        settled=[each for each in alerts.items if each.looked_at is not None],
        commitments=commitments.commitments,
        least=least,
    )
    return await show(request, page, form=form)


@router.post("/organize/{slug}/integrity/alerts")
async def post_look(request: Request, slug: str) -> Response:
    """Marks an alert as reviewed, or with `act` reopens it."""
    form = await read_form(request)
    return await carry_out(
        request,
        REOPEN if form.text("act") == "reopen" else LOOK,
        slug,
        form=form,
        back=address_of(slug, "/integrity"),
        again=partial(_page, request, slug),
        name="alerts",
    )


@router.get("/organize/{slug}/log")
async def show_log(request: Request, slug: str) -> Response:
    """Shows the audit log of this competition."""
    layout = await dashboard_of(request, slug)
    listed, asked, form = await log_of(request, competition=slug)
    return await show(request, LogSection(layout=layout, listed=listed, asked=asked), form=form)
