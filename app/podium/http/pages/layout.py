"""The base of every page: its visitor, its context, and its rendering."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Annotated, ClassVar

from fastapi import Request, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel, Field

from podium.errors import NotFound
from podium.http.cookies import session_cookie
from podium.http.html.error_pages import NOT_YOURS
from podium.http.html.rendering import templates
from podium.http.pages.api_calls import ask, document_of
from podium.http.pages.fields import EMPTY, FormView
from podium.http.pages.flash import flash_message
from podium.http.schemas import PersonOut


class VisitorTeam(BaseModel):
    """A team that the visitor is in."""

    competition: str
    team: PersonOut


class Visitor(BaseModel):
    """A signed-in user, with the parts of `GET /api/v1/me` that every page needs."""

    id: str
    name: str
    is_administrator: Annotated[bool, Field(validation_alias="administrator")]
    is_named_organizer: Annotated[bool, Field(validation_alias="organizer")]
    organizes: tuple[str, ...]
    own_teams: Annotated[list[VisitorTeam], Field(validation_alias="teams")]

    @classmethod
    def named(cls, person_id: str, name: str) -> Visitor:
        """Creates a visitor of whom only the name is known yet."""
        nothing = {"administrator": False, "organizer": False, "organizes": [], "teams": []}
        return cls.model_validate({"id": person_id, "name": name, **nothing})

    @cached_property
    def teams(self) -> dict[str, PersonOut]:
        """The visitor's teams, by the slugs of their competitions."""
        return {each.competition: each.team for each in self.own_teams}

    @property
    def may_create_competitions(self) -> bool:
        """True if this person can create a competition."""
        return self.is_administrator or self.is_named_organizer

    @property
    def is_organizer(self) -> bool:
        """True if this person may use the organizers' pages."""
        return self.may_create_competitions or bool(self.organizes)


@dataclass(frozen=True, kw_only=True)
class PageContext:
    """The context of a template: a class of its own for each, with a field for every name
    in it but those of the page itself, which `layout` adds."""

    template: ClassVar[str]

    def context(self) -> dict[str, object]:
        """Maps the names of the template's variables to their values."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


async def visitor_of(request: Request) -> Visitor | None:
    """Finds the signed-in user of the request through the API, once per request; None for anonymous
    visitors."""
    if not hasattr(request.state, "visitor"):
        request.state.visitor = await _asked_visitor(request)
    found: Visitor | None = request.state.visitor
    return found


async def require_visitor(request: Request) -> Visitor:
    """Finds the signed-in user; anonymous visitors are redirected to the sign-in page."""
    found = await visitor_of(request)
    if found is None:
        # The refusal is the API's own, so that there is one text for it.
        await document_of(request, "/api/v1/me", Visitor)
        raise RuntimeError("anonymous visitors are refused")
    return found


async def require_organizer(request: Request) -> Visitor:
    """Finds the signed-in user for pages of organizers. Raises `NotFound` for all others."""
    visitor = await require_visitor(request)
    if not visitor.is_organizer:
        raise NotFound(NOT_YOURS)
    return visitor


async def require_maker(request: Request) -> Visitor:
    """Finds the signed-in user for pages that create a competition. Raises `NotFound` for all who
    cannot."""
    visitor = await require_visitor(request)
    if not visitor.may_create_competitions:
        raise NotFound(NOT_YOURS)
    return visitor


async def show(
    request: Request, page: PageContext, *, form: FormView = EMPTY, status: int | None = None
) -> Response:
    """Renders a page for this visitor alone, never cached; the status is the refused form's, if
    there is one."""
    answer = await rendered(request, page, visitor=await visitor_of(request), form=form)
    answer.status_code = status or form.status
    answer.headers["Cache-Control"] = "no-store"
    return answer


async def rendered(
    request: Request, page: PageContext, *, visitor: Visitor | None, form: FormView = EMPTY
) -> Response:
    """Renders a page in a thread: a long board, or a long text, must not block other requests.
    Templates get `visitor`, `form` and `done`, besides the page's context."""
    everywhere = {
        "visitor": visitor,
        "form": form,
        "done": flash_message(request.query_params.get("done")),
    }
    return await run_in_threadpool(
        templates.TemplateResponse, request, page.template, {**everywhere, **page.context()}
    )


async def _asked_visitor(request: Request) -> Visitor | None:
    if session_cookie(request) is None and "authorization" not in request.headers:
        return None
    answer = await ask(request, "GET", "/api/v1/me")
    if answer.status == 401:
        return None
    return answer.read(Visitor)
