"""Pages of organizers: everything that the API lets them do, for one competition and beside it."""

from fastapi import APIRouter

from podium.web.pages.organizer import (
    accounts,
    announcements,
    dashboard,
    data_files,
    front,
    ground_truth,
    links,
    people,
    rejudgings,
    settings,
    submissions,
    teams,
    texts,
    uploads,
    watching,
)

SECTIONS = (
    accounts,
    announcements,
    data_files,
    front,
    ground_truth,
    links,
    people,
    rejudgings,
    settings,
    submissions,
    teams,
    texts,
    uploads,
    watching,
    dashboard,
)

router = APIRouter(include_in_schema=False)
for section in SECTIONS:
    router.include_router(section.router)

__all__ = ["router"]
