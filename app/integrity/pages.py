"""Pages that organizers look at and change nothing on: integrity and the log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fastapi import APIRouter, Request, Response

from podium.accounts.pages.log import log_of
from podium.accounts.schemas import AuditOut
from podium.competitions.pages.sections import SectionPage, dashboard_of
from podium.http.pages.api_calls import at, document_of
from podium.http.pages.layout import show
from podium.http.paging import Listed
from podium.integrity.schemas import AlertOut, AlertsOut, AlikePairOut
from podium.submissions.schemas import CommitmentOut, CommitmentsOut

router = APIRouter(include_in_schema=False)

PAIRS = 50

SHARES = ("1", "0.99", "0.95", "0.9", "0.8", "0.7", "0.5")
"""Least shares of equal lists that can be asked for."""


@dataclass(frozen=True, kw_only=True)
class IntegritySection(SectionPage):
    """Pairs of files that are alike, alerts, and the commitments; `least` is the share of equal
    lists that was asked for."""

    template: ClassVar[str] = "integrity/organizer/integrity.html"
    section: ClassVar[str] = "integrity"

    pairs: Listed[AlikePairOut]
    alerts: list[AlertOut]
    commitments: list[CommitmentOut]
    least: str
    shares: tuple[str, ...] = SHARES


@dataclass(frozen=True, kw_only=True)
class LogSection(SectionPage):
    """The audit log of a competition with its filters."""

    template: ClassVar[str] = "integrity/organizer/log.html"
    section: ClassVar[str] = "log"

    listed: Listed[AuditOut]
    asked: dict[str, str]


@router.get("/organize/{slug}/integrity")
async def show_integrity(request: Request, slug: str) -> Response:
    """Reasons to look at a team, files of different teams that are alike, and the commitments."""
    layout = await dashboard_of(request, slug)
    least = request.query_params.get("least", "")
    pairs = await document_of(
        request,
        at("/admin/competitions/{}/similarity", slug),
        Listed[AlikePairOut],
        limit=PAIRS,
        least=least if least in SHARES else None,
        cursor=request.query_params.get("cursor"),
    )
    alerts = await document_of(request, at("/admin/competitions/{}/alerts", slug), AlertsOut)
    commitments = await document_of(
        request, at("/competitions/{}/commitments", slug), CommitmentsOut
    )
    page = IntegritySection(
        layout=layout,
        pairs=pairs,
        alerts=alerts.items,
        commitments=commitments.commitments,
        least=least,
    )
    return await show(request, page)


@router.get("/organize/{slug}/log")
async def show_log(request: Request, slug: str) -> Response:
    """The audit log of this competition."""
    layout = await dashboard_of(request, slug)
    listed, asked, form = await log_of(request, competition=slug)
    return await show(request, LogSection(layout=layout, listed=listed, asked=asked), form=form)
