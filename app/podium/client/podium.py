"""The clients for participants and for organizers, combined from their groups of calls."""

from __future__ import annotations

from typing import Self

from podium.client.accounts import AccountCalls
from podium.client.competitions import CompetitionCalls
from podium.client.organizing.competitions import OrganizedCompetitionCalls
from podium.client.organizing.custom_metrics import CustomMetricCalls
from podium.client.organizing.people import PeopleCalls
from podium.client.organizing.rejudgings import RejudgingCalls
from podium.client.organizing.teams import OrganizedTeamCalls
from podium.client.submissions import SubmissionCalls


class Podium(AccountCalls, CompetitionCalls, SubmissionCalls):
    """An installation as one account sees it; without a token, as the public sees it.

    Calls return the JSON documents of the contract and raise the errors of `podium.errors`. A
    `with` block, or `connection.close()`, closes the open connections.
    """

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()


class Organizer(
    Podium,
    PeopleCalls,
    OrganizedCompetitionCalls,
    OrganizedTeamCalls,
    RejudgingCalls,
    CustomMetricCalls,
):
    """An installation as an organizer sees it."""
