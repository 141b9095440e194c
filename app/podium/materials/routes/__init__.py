"""The API of materials."""

from fastapi import APIRouter

from podium.materials.routes import (
    data_files,
    ground_truth,
    interactions,
    item_files,
    launch,
    raw_sessions,
)

router = APIRouter()
for module in (data_files, ground_truth, interactions, item_files, launch, raw_sessions):
    router.include_router(module.router)

__all__ = ["router"]
