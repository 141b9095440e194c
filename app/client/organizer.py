"""The client for organizers and the administrator: a participant's, and what they may besides."""

from __future__ import annotations

from app.client.organizing.competitions import OrganizedCompetitionCalls
from app.client.organizing.people import PeopleCalls
from app.client.organizing.rejudgings import RejudgingCalls
from app.client.organizing.teams import OrganizedTeamCalls
from app.client.podium import Podium


class Organizer(Podium, PeopleCalls, OrganizedCompetitionCalls, OrganizedTeamCalls, RejudgingCalls):
    """An installation as an organizer sees it."""
