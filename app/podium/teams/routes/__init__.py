"""The API of teams, combined from its modules."""

from fastapi import APIRouter

from podium.teams.routes import entering, links, merging, organizers, organizing, roster, teams

router = APIRouter()
for module in (organizing, entering, links, merging, organizers, roster, teams):
    router.include_router(module.router)

__all__ = ["router"]
