"""Resolves typed names of accounts and teams to ids."""

from __future__ import annotations

from fastapi import Request

from podium.http.pages.api_calls import at, document_of
from podium.http.paging import Listed
from podium.http.schemas import PersonOut

MAX_NAMED = 1000
MAX_CHARACTERS = 100


async def person_named(request: Request, name: str) -> str:
    """Finds the id of the account of this name; an unknown name is unchanged, since it may be an
    id."""
    return await _named(request, "/api/v1/admin/users", name)


async def team_named(request: Request, slug: str, name: str) -> str:
    """Finds the id of the team of this name in a competition, as `person_named` does."""
    return await _named(request, at("/admin/competitions/{}/teams", slug), name)


async def _named(request: Request, path: str, name: str) -> str:
    if not name or len(name) > MAX_CHARACTERS:
        return name
    listed = await document_of(request, path, Listed[PersonOut], text=name, limit=MAX_NAMED)
    same = (each.id for each in listed.items if each.name.casefold() == name.casefold())
    return next(same, name)
