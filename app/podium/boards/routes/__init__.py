"""The API of boards, combined from its modules."""

from fastapi import APIRouter

from podium.boards.routes import charts, comparison, finale, leaderboard, segments

router = APIRouter()
for module in (charts, comparison, finale, leaderboard, segments):
    router.include_router(module.router)

__all__ = ["router"]
