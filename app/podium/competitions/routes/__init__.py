"""The API of competitions."""

from fastapi import APIRouter

from podium.competitions.routes import (
    acceptance,
    announcements,
    competitions,
    metrics,
    phases,
    settings_files,
)

router = APIRouter()
for module in (acceptance, announcements, competitions, metrics, phases, settings_files):
    router.include_router(module.router)

__all__ = ["router"]
