"""Pages of submissions, for teams and organizers."""

from fastapi import APIRouter

from podium.submissions.pages import organizing, submission, submissions, submit

router = APIRouter(include_in_schema=False)
for module in (organizing, submissions, submission, submit):
    router.include_router(module.router)

__all__ = ["router"]
