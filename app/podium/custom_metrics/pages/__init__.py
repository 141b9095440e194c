"""Pages of custom metrics, combined from their modules."""

from fastapi import APIRouter

from podium.custom_metrics.pages import organizing, published, using

router = APIRouter(include_in_schema=False)
for module in (organizing, using, published):
    router.include_router(module.router)

__all__ = ["router"]
