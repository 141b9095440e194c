"""Pages of custom metrics, put together from their modules."""

from fastapi import APIRouter

from podium.custom_metrics.pages import organizing, published, using

router = APIRouter(include_in_schema=False)
for module in (organizing, using, published):
    router.include_router(module.router)

__all__ = ["router"]
