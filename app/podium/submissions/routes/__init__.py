"""The API of submissions."""

from fastapi import APIRouter

from podium.submissions.routes import (
    activity,
    disqualification,
    events,
    receipts,
    selection,
    submissions,
    uploads,
)

router = APIRouter()
for module in (activity, disqualification, events, receipts, selection, submissions, uploads):
    router.include_router(module.router)

__all__ = ["router"]
