"""Pages of materials, put together from their modules."""

from fastapi import APIRouter

from podium.materials.pages import data_files, ground_truth, organizing, uploads, wizard

router = APIRouter(include_in_schema=False)
for module in (organizing, data_files, ground_truth, uploads, wizard):
    router.include_router(module.router)

__all__ = ["router"]
