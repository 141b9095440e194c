"""The client for participants, put together from its groups of calls."""

from __future__ import annotations

from typing import Self

from podium.client.accounts import AccountCalls
from podium.client.competitions import CompetitionCalls
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
