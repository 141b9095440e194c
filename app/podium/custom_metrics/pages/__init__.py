"""Pages of custom metrics, combined from their modules."""

from podium.custom_metrics.pages import organizing, published, using
from podium.http.routing import combined

router = combined(organizing, using, published)
