"""Pages of competitions, for participants and organizers."""

from fastapi import APIRouter

from podium.competitions.pages import (
    announcements,
    competitions,
    creation,
    dashboard,
    feed,
    metrics,
    settings,
    texts,
)

router = APIRouter(include_in_schema=False)
for module in (announcements, competitions, creation, feed, metrics, settings, texts, dashboard):
    router.include_router(module.router)

__all__ = ["router"]
