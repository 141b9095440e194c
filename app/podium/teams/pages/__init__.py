"""Pages of teams, links and people of a competition."""

from podium.http.routing import combined
from podium.teams.pages import link, links, organizing, people, roster, teams

router = combined(organizing, link, links, people, roster, teams)
