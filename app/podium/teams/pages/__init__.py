"""Pages of teams, links and people of a competition."""

from fastapi import APIRouter

from podium.teams.pages import link, links, organizing, people, roster, teams

router = APIRouter(include_in_schema=False)
for module in (organizing, link, links, people, roster, teams):
    router.include_router(module.router)

__all__ = ["router"]
