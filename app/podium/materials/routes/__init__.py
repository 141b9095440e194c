"""The API of materials, combined from its modules."""

from podium.http.routing import combined
from podium.materials.routes import (
    data_files,
    ground_truth,
    interactions,
    item_files,
    launch,
    raw_sessions,
)

router = combined(data_files, ground_truth, interactions, item_files, launch, raw_sessions)
