"""The API of competitions, combined from its modules."""

from podium.competitions.routes import (
    acceptance,
    announcements,
    competitions,
    metrics,
    phases,
    settings_files,
)
from podium.http.routing import combined

router = combined(acceptance, announcements, competitions, metrics, phases, settings_files)
