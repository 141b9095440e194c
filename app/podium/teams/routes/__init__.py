"""The API of teams, combined from its modules."""

from podium.http.routing import combined
from podium.teams.routes import entering, links, merging, organizers, organizing, roster, teams

router = combined(organizing, entering, links, merging, organizers, roster, teams)
