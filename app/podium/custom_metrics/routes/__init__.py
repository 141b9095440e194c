"""Routes of custom metrics, combined from their modules."""

from podium.custom_metrics.routes import making, organizing, published, trials
from podium.http.routing import combined

router = combined(making, organizing, published, trials)
