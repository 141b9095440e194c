"""Pages of boards: rankings, charts, comparisons, segments."""

from fastapi import APIRouter

from podium.boards.pages import charts, comparison, finale, leaderboard, segments

router = APIRouter(include_in_schema=False)
for module in (charts, comparison, finale, leaderboard, segments):
    router.include_router(module.router)

__all__ = ["router"]
