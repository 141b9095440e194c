"""Routes of custom metrics, combined from their modules."""

from fastapi import APIRouter

from podium.custom_metrics.routes import making, organizing, published, trials

router = APIRouter()
for module in (making, organizing, published, trials):
    router.include_router(module.router)

__all__ = ["router"]
