"""The layout of every page of a competition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated
from urllib.parse import quote

from fastapi import Request
from pydantic import Field, TypeAdapter

from podium.competitions.schemas.competitions import CompetitionOut, ManagedCompetitionOut
from podium.http.pages.api_calls import ask, at
from podium.http.pages.layout import PageContext, Visitor, visitor_of
from podium.http.pages.refusals import PageElsewhere
from podium.http.schemas import PersonOut

_COMPETITION: TypeAdapter[ManagedCompetitionOut | CompetitionOut] = TypeAdapter(
    Annotated[ManagedCompetitionOut | CompetitionOut, Field(union_mode="left_to_right")]
)
"""The document of a competition; organizers get more members."""


@dataclass(frozen=True, slots=True)
class CompetitionLayout:
    """The layout of all pages of a competition. `competition` is the document of `GET
    /api/v1/competitions/{slug}`, as the visitor may see it; `here` names the tab."""

    competition: CompetitionOut
    visitor: Visitor | None
    here: str

    @property
    def slug(self) -> str:
        """The competition's slug."""
        return self.competition.slug

    @property
    def address(self) -> str:
        """The address of the competition's first page."""
        return f"/competitions/{self.slug}"

    @property
    def is_organizer(self) -> bool:
        """True if the visitor organizes this competition: only then are its settings available."""
        return isinstance(self.competition, ManagedCompetitionOut)

    @property
    def is_over(self) -> bool:
        """True if no more submissions are accepted."""
        competition = self.competition
        return competition.phase in ("closed", "revealed") and not competition.late_submissions

    @property
    def team(self) -> PersonOut | None:
        """The visitor's team in this competition."""
        return self.visitor.teams.get(self.slug) if self.visitor else None

    @property
    def tabs(self) -> list[tuple[str, str, str]]:
        """The key, address and words of every tab with a page."""
        shown = [
            ("overview", "", "Overview"),
            ("data", "/data", "Data"),
            ("leaderboard", "/leaderboard", "Leaderboard"),
            ("charts", "/charts", "Charts"),
            ("team", "/team", "Team"),
            ("submit", "/submit", "Submit"),
        ]
        if any(each.is_custom for each in self.competition.objective_metrics.values()):
            shown.insert(2, ("metric", "/metric", "Metric"))
        if self.competition.rules:
            shown.insert(-2, ("rules", "/rules", "Rules"))
        if self.team:
            shown.append(("submissions", "/submissions", "My submissions"))
        if self.is_over:
            shown = [each for each in shown if each[0] != "submit"]
        if self.competition.revealed_at is not None:
            shown.insert(2, ("finale", "/finale", "Finale"))
        tabs = [(key, self.address + end, words) for key, end, words in shown]
        if self.is_organizer:
            tabs.append(("organize", f"/organize/{self.slug}", "Organize"))
        return tabs


@dataclass(frozen=True, kw_only=True)
class CompetitionPage(PageContext):
    """The context of a page of a competition."""

    layout: CompetitionLayout


async def competition_layout(request: Request, slug: str, *, here: str) -> CompetitionLayout:
    """Builds the layout of a competition's page. A visitor who may not see it is redirected to the
    registration, or gets the error page where there is none."""
    answer = await ask(request, "GET", at("/competitions/{}", slug))
    if answer.status == 404 and await visitor_of(request) is not None:
        entry = await ask(request, "GET", at("/competitions/{}/registration", slug))
        if entry.is_good:
            raise PageElsewhere(f"/competitions/{quote(slug, safe='')}/team")
    answer.or_refuse()
    competition = _COMPETITION.validate_json(answer.body)
    return CompetitionLayout(competition, await visitor_of(request), here)
