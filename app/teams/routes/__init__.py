"""The API of teams, put together from its modules."""

from fastapi import APIRouter

from podium.teams.routes import administration, links, merging, organizers, teams

router = APIRouter()
for module in (administration, links, merging, organizers, teams):
    router.include_router(module.router)

__all__ = ["router"]
