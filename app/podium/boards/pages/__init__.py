"""Pages of boards: rankings, charts, comparisons, segments."""

from podium.boards.pages import charts, comparison, finale, leaderboard, segments
from podium.http.routing import combined

router = combined(charts, comparison, finale, leaderboard, segments)
