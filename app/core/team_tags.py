"""Tags that a team can have."""

from __future__ import annotations

ORGANIZER, BASELINE, HIDDEN = "organizer", "baseline", "hidden"
