"""Pages that organizers look at and change nothing on: integrity, the log, and the archive."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from podium.http.pages.api_calls import at, document_of
from podium.http.pages.dashboard import dashboard_of, show_section
from podium.http.pages.lists import log_of

router = APIRouter(include_in_schema=False)

PAIRS = 50

SHARES = ("1", "0.99", "0.95", "0.9", "0.8", "0.7", "0.5")
"""Least shares of equal lists that can be asked for."""


@router.get("/organize/{slug}/integrity")
async def show_integrity(request: Request, slug: str) -> Response:
    """Reasons to look at a team, files of different teams that are alike, and the commitments."""
    frame = await dashboard_of(request, slug)
    least = request.query_params.get("least", "")
    pairs = await document_of(
        request,
        at("/admin/competitions/{}/similarity", slug),
        limit=PAIRS,
        least=least if least in SHARES else None,
        cursor=request.query_params.get("cursor"),
    )
    alerts = await document_of(request, at("/admin/competitions/{}/alerts", slug))
    commitments = await document_of(request, at("/competitions/{}/commitments", slug))
    return await show_section(
        request,
        "integrity/organizer/integrity.html",
        "integrity",
        frame,
        pairs=pairs,
        alerts=alerts["items"],
        commitments=commitments["commitments"],
        shares=SHARES,
        least=least,
    )


@router.get("/organize/{slug}/archive")
async def show_archive(request: Request, slug: str) -> Response:
    """The page of exports and their forms."""
    frame = await dashboard_of(request, slug)
    return await show_section(request, "integrity/organizer/archive.html", "archive", frame)


@router.get("/organize/{slug}/log")
async def show_log(request: Request, slug: str) -> Response:
    """The audit log of this competition."""
    frame = await dashboard_of(request, slug)
    listed, asked, form = await log_of(request, competition=slug)
    return await show_section(
        request, "integrity/organizer/log.html", "log", frame, form=form, listed=listed, asked=asked
    )
