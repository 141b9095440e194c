"""The report of an A/B test: page views, click-through rates and their difference. Online figures
for organizers, which never rank anybody."""

from podium.scoring.ab.reading import AbGroup, read_clicks
from podium.scoring.ab.report import report_of

__all__ = ["AbGroup", "read_clicks", "report_of"]
