"""Pages of competitions, for participants and organizers."""

from podium.competitions.pages import (
    announcements,
    competitions,
    creation,
    dashboard,
    feed,
    metrics,
    settings,
    texts,
)
from podium.http.routing import combined

router = combined(announcements, competitions, creation, feed, metrics, settings, texts, dashboard)
