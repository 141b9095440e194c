"""Work on materials that takes longer than a request, as kinds of jobs."""

from podium.materials.jobs.ground_truth import GROUND_TRUTH
from podium.materials.jobs.reading import (
    ITEM_FILE,
    LAUNCH_PROBES,
    PUBLISHED_IDS,
    SAMPLE,
    SESSION_FILE,
)

KINDS = (GROUND_TRUTH, PUBLISHED_IDS, ITEM_FILE, SESSION_FILE, LAUNCH_PROBES, SAMPLE)
"""Every kind of job of this subject."""
