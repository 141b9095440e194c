"""Charts as SVG, drawn on the server: a picture with a title and a description, colored by the
style sheet alone. Independent of competitions and HTTP; the table beside a chart is the page's."""

from podium.http.html.charts.drawing import Picture
from podium.http.html.charts.kinds import bars, curve, dots, points, steps

__all__ = ["Picture", "bars", "curve", "dots", "points", "steps"]
