"""Pages of an installation: the administrator's, and the explanations of all error codes."""

from fastapi import APIRouter

from podium.operations.pages import administration, problems

router = APIRouter(include_in_schema=False)
for module in (administration, problems):
    router.include_router(module.router)

__all__ = ["router"]
