"""The API of boards, combined from its modules."""

from podium.boards.routes import charts, comparison, finale, leaderboard, segments
from podium.http.routing import combined

router = combined(charts, comparison, finale, leaderboard, segments)
