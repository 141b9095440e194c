"""The frame of an organizer's pages of one competition, with its sections."""

from __future__ import annotations

from typing import Any

from fastapi import Request, Response

from podium.core.access import UNKNOWN
from podium.errors import NotFound
from podium.http.pages.fields import EMPTY, FormView
from podium.http.pages.layout import CompetitionFrame, competition_frame, require_visitor, show

SECTIONS = (
    ("dashboard", "", "Dashboard"),
    ("settings", "/settings", "Settings"),
    ("texts", "/texts", "Texts"),
    ("ground-truth", "/ground-truth", "Ground truth"),
    ("files", "/files", "Data files"),
    ("submissions", "/submissions", "Submissions"),
    ("teams", "/teams", "Teams"),
    ("people", "/people", "People and links"),
    ("announcements", "/announcements", "Announcements"),
    ("rejudgings", "/rejudgings", "Rejudging"),
    ("integrity", "/integrity", "Integrity"),
    ("archive", "/archive", "Archive"),
    ("log", "/log", "Log"),
)
"""Key, end of the address and words of each section."""

MOST_COMPARED = 100
"""Submissions of a competition that pages compare with each other unasked: more would take seconds,
which only an organizer who looks for copies should wait for."""


async def dashboard_of(request: Request, slug: str) -> CompetitionFrame:
    """The competition for a user who organizes it; for all others it is not found."""
    await require_visitor(request)
    frame = await competition_frame(request, slug, here="organize")
    if not frame.is_organizer:
        raise NotFound(UNKNOWN)
    return frame


def compares_unasked(frame: CompetitionFrame) -> bool:
    """True if comparing all files of this competition costs little."""
    return bool(frame.competition["counts"]["submissions"] <= MOST_COMPARED)


async def show_section(
    request: Request,
    template: str,
    section: str,
    frame: CompetitionFrame,
    *,
    form: FormView = EMPTY,
    **context: Any,
) -> Response:
    """A page of a section."""
    return await show(
        request,
        template,
        frame=frame,
        form=form,
        section=section,
        sections=[(key, address_of(frame.slug) + end, words) for key, end, words in SECTIONS],
        **context,
    )


def address_of(slug: str, end: str = "") -> str:
    """The address of an organizer's page."""
    return f"/organize/{slug}{end}"


NOT_YOURS = "Only organizers have this page. Ask the administrator to make you one."
