"""The layout of an organizer's pages of one competition, with its sections."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fastapi import Request

from podium.competitions.pages.layout import CompetitionLayout, CompetitionPage, competition_layout
from podium.competitions.schemas.competitions import ManagedCompetitionOut
from podium.core.access import UNKNOWN
from podium.errors import NotFound
from podium.http.pages.layout import require_visitor

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

COMPARED_UNASKED = 100
"""Submissions of a competition that pages compare with each other unasked: more would take seconds,
which only an organizer who looks for copies should wait for."""


@dataclass(frozen=True, slots=True)
class DashboardLayout(CompetitionLayout):
    """The same for those who organize the competition."""

    competition: ManagedCompetitionOut


@dataclass(frozen=True, kw_only=True)
class SectionPage(CompetitionPage):
    """The context of a section; `section` is its key."""

    section: ClassVar[str]

    layout: DashboardLayout

    def context(self) -> dict[str, object]:
        """The sections too."""
        sections = [
            (key, address_of(self.layout.slug) + end, words) for key, end, words in SECTIONS
        ]
        return {**super().context(), "section": self.section, "sections": sections}


async def dashboard_of(request: Request, slug: str) -> DashboardLayout:
    """The competition for a user who organizes it; for all others it is not found."""
    await require_visitor(request)
    layout = await competition_layout(request, slug, here="organize")
    if not isinstance(layout.competition, ManagedCompetitionOut):
        raise NotFound(UNKNOWN)
    return DashboardLayout(layout.competition, layout.visitor, layout.here)


def compares_unasked(layout: CompetitionLayout) -> bool:
    """True if comparing all files of this competition costs little."""
    return layout.competition.counts.submissions <= COMPARED_UNASKED


def address_of(slug: str, end: str = "") -> str:
    """The address of an organizer's page."""
    return f"/organize/{slug}{end}"
