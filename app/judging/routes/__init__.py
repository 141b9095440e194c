"""The API of judging, put together from its modules."""

from fastapi import APIRouter

from podium.judging.routes import cancelling, pauses

router = APIRouter()
for module in (cancelling, pauses):
    router.include_router(module.router)

__all__ = ["router"]
