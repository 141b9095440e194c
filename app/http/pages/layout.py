"""The frame around every page: who looks at it, which competition it is about, and how it is
answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Annotated, Any, ClassVar

from fastapi import Request, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel, Field

from podium.http.cookies import session_cookie
from podium.http.html.rendering import templates
from podium.http.pages.api_calls import ask, at, document_of
from podium.http.pages.fields import EMPTY, FormView
from podium.http.pages.flash import flash_message
from podium.http.schemas import PersonOut


class VisitorTeam(BaseModel):
    """A team that the visitor is in."""

    competition: str
    team: PersonOut


class Visitor(BaseModel):
    """A user who is signed in, as far as `GET /api/v1/me` tells what every page needs."""

    id: str
    name: str
    is_administrator: Annotated[bool, Field(validation_alias="administrator")]
    is_named_organizer: Annotated[bool, Field(validation_alias="organizer")]
    organizes: tuple[str, ...]
    own_teams: Annotated[list[VisitorTeam], Field(validation_alias="teams")]

    @cached_property
    def teams(self) -> dict[str, PersonOut]:
        """The own teams, by the slugs of their competitions."""
        return {each.competition: each.team for each in self.own_teams}

    @property
    def may_create_competitions(self) -> bool:
        """True if this person can create a competition."""
        return self.is_administrator or self.is_named_organizer

    @property
    def is_organizer(self) -> bool:
        """True if there is anything for this person on the organizers' pages."""
        return self.may_create_competitions or bool(self.organizes)


@dataclass(frozen=True, kw_only=True)
class PageContext:
    """The context of a template: a class of its own for each, with a field for every name in it."""

    template: ClassVar[str]

    def context(self) -> dict[str, object]:
        """The names in the template, with what they stand for."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


@dataclass(frozen=True, slots=True)
class CompetitionFrame:
    """The frame of all pages of a competition. `competition` is the document of `GET
    /api/v1/competitions/{slug}`, as the visitor may see it; `here` names the tab."""

    competition: dict[str, Any]
    visitor: Visitor | None
    here: str

    @property
    def slug(self) -> str:
        """The competition's name in addresses."""
        return str(self.competition["slug"])

    @property
    def address(self) -> str:
        """The competition's first page."""
        return f"/competitions/{self.slug}"

    @property
    def is_organizer(self) -> bool:
        """True if the visitor organizes this competition: only then its settings are told."""
        return "settings" in self.competition

    @property
    def team(self) -> PersonOut | None:
        """The visitor's team here."""
        return self.visitor.teams.get(self.slug) if self.visitor else None

    @property
    def tabs(self) -> list[tuple[str, str, str]]:
        """(key, address, words) of every tab that leads anywhere."""
        shown = [
            ("overview", "", "Overview"),
            ("data", "/data", "Data"),
            ("leaderboard", "/leaderboard", "Leaderboard"),
            ("charts", "/charts", "Charts"),
            ("rules", "/rules", "Rules"),
            ("team", "/team", "Team"),
            ("submit", "/submit", "Submit"),
        ]
        if self.team:
            shown.append(("submissions", "/submissions", "My submissions"))
        tabs = [(key, self.address + end, words) for key, end, words in shown]
        if self.is_organizer:
            tabs.append(("organize", f"/organize/{self.slug}", "Organize"))
        return tabs


async def visitor_of(request: Request) -> Visitor | None:
    """The user who looks at the page, asked of the API once a request; None for anonymous
    visitors."""
    if not hasattr(request.state, "visitor"):
        request.state.visitor = await _asked_visitor(request)
    found: Visitor | None = request.state.visitor
    return found


async def require_visitor(request: Request) -> Visitor:
    """The same for pages that need a user: anonymous visitors are led to sign in."""
    found = await visitor_of(request)
    if found is None:
        # The refusal is the API's own, so that there is one text for it.
        await document_of(request, "/api/v1/me")
        raise RuntimeError("whoever is nobody is refused")
    return found


async def competition_frame(request: Request, slug: str, *, here: str) -> CompetitionFrame:
    """The frame of a competition's page; the error page where the visitor may not see it."""
    competition = await document_of(request, at("/competitions/{}", slug))
    return CompetitionFrame(competition, await visitor_of(request), here)


async def show(
    request: Request,
    template: str | PageContext,
    *,
    form: FormView = EMPTY,
    frame: CompetitionFrame | None = None,
    status: int | None = None,
    **context: Any,
) -> Response:
    """A page for this visitor alone, never stored on the way.

    Templates get `visitor`, `frame`, `form` and `done`, besides what is given; the status is the
    refused form's, if there is one.
    """
    if isinstance(template, PageContext):
        context = template.context()
        template = template.template
    everywhere = {
        "visitor": await visitor_of(request),
        "frame": frame,
        "form": form,
        "done": flash_message(request.query_params.get("done")),
    }
    page = await rendered(request, template, {**everywhere, **context})
    page.status_code = status or form.status
    page.headers["Cache-Control"] = "no-store"
    return page


async def rendered(request: Request, template: str, context: Mapping[str, Any]) -> Response:
    """A page made in a thread: a long board, or a long text that people wrote, must not keep
    everybody else waiting."""
    return await run_in_threadpool(templates.TemplateResponse, request, template, dict(context))


async def _asked_visitor(request: Request) -> Visitor | None:
    if session_cookie(request) is None and "authorization" not in request.headers:
        return None
    answer = await ask(request, "GET", "/api/v1/me")
    if answer.status == 401:
        return None
    return answer.read(Visitor)
