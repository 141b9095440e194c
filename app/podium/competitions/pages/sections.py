"""The layout of an organizer's pages of one competition, with its sections."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from fastapi import Request

from podium.competitions.pages.layout import CompetitionLayout, CompetitionPage, competition_layout
from podium.competitions.schemas.competitions import ManagedCompetitionOut
from podium.core.access import UNKNOWN
from podium.errors import NotFound
from podium.http.pages.fields import SentForm
from podium.http.pages.layout import require_visitor
from podium.scoring.kinds import kind_of

GROUPS = (
    ("", (("dashboard", "", "Dashboard"),)),
    (
        "Set up",
        (
            ("settings", "/settings", "Settings"),
            ("texts", "/texts", "Texts"),
            ("ground-truth", "/ground-truth", "Ground truth"),
            ("metric", "/metric", "Metric"),
            ("files", "/files", "Data files"),
        ),
    ),
    (
        "Run",
        (
            ("people", "/people", "People and links"),
            ("teams", "/teams", "Teams"),
            ("submissions", "/submissions", "Submissions"),
            ("announcements", "/announcements", "Announcements"),
            ("integrity", "/integrity", "Integrity"),
            ("log", "/log", "Log"),
        ),
    ),
    (
        "Finish",
        (
            ("rejudgings", "/rejudgings", "Rejudging"),
            ("archive", "/archive", "Archive"),
        ),
    ),
)
"""The sections by the time of an organizer's work: key, end of the address and words of each."""

OF_TABLES = frozenset({"metric"})
"""Sections that competitions of tables alone have."""

SECTIONS = tuple(section for _, sections in GROUPS for section in sections)

COMPARED_UNASKED = 100
"""Maximum number of submissions that pages compare with each other unasked: more would take
seconds, which only an organizer who searches for copies should wait for."""


@dataclass(frozen=True, slots=True)
class DashboardLayout(CompetitionLayout):
    """The layout of a competition's page for its organizers."""

    competition: ManagedCompetitionOut


@dataclass(frozen=True, kw_only=True)
class SectionPage(CompetitionPage):
    """The context of a section; `section` is its key."""

    section: ClassVar[str]

    layout: DashboardLayout

    def context(self) -> dict[str, object]:
        """Adds the sections in their groups."""
        base = address_of(self.layout.slug)
        groups = [
            (
                title,
                [
                    (key, base + end, words)
                    for key, end, words in sections
                    if key not in OF_TABLES or kind_of(self.layout.competition.task).has_table
                ],
            )
            for title, sections in GROUPS
        ]
        here = next(words for key, _, words in SECTIONS if key == self.section)
        return {
            **super().context(),
            "section": self.section,
            "section_title": here,
            "section_groups": groups,
        }


async def dashboard_of(request: Request, slug: str) -> DashboardLayout:
    """Finds the competition for a user who organizes it. Raises `NotFound` for all others."""
    await require_visitor(request)
    layout = await competition_layout(request, slug, here="organize")
    if not isinstance(layout.competition, ManagedCompetitionOut):
        raise NotFound(UNKNOWN)
    return DashboardLayout(layout.competition, layout.visitor, layout.here)


def compares_unasked(layout: CompetitionLayout) -> bool:
    """True if comparing all files of this competition costs little."""
    return layout.competition.counts.submissions <= COMPARED_UNASKED


def address_of(slug: str, end: str = "") -> str:
    """Builds the address of an organizer's page."""
    return f"/organize/{slug}{end}"


def if_match(form: SentForm) -> dict[str, str] | None:
    """Builds the header that refuses a change if the settings have changed since the form was
    opened."""
    tag = form.text("etag")
    return {"if-match": tag} if re.fullmatch(r'"[0-9a-f-]+\.[0-9]+"', tag) else None
