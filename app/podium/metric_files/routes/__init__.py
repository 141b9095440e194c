"""Routes of metric files, put together from their modules."""

from fastapi import APIRouter

from podium.metric_files.routes import making, organizing, published, trials

router = APIRouter()
for module in (making, organizing, published, trials):
    router.include_router(module.router)

__all__ = ["router"]
