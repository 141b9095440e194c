"""The client for organizers and the administrator: a participant's, and what they may besides."""

from __future__ import annotations

from podium.client.organizing.competitions import OrganizedCompetitionCalls
from podium.client.organizing.people import PeopleCalls
from podium.client.organizing.rejudgings import RejudgingCalls
from podium.client.organizing.teams import OrganizedTeamCalls
from podium.client.podium import Podium


class Organizer(Podium, PeopleCalls, OrganizedCompetitionCalls, OrganizedTeamCalls, RejudgingCalls):
    """An installation as an organizer sees it."""
