"""The one list of errors, a row for each: code, title, statuses, reason, and remedy. Codes are part
of problem documents; `/problems/<code>` explains them, and so do the description of the API and the
command line.

The problems of files have a list of their own, in `scoring.problems`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NewType

from podium.errors.codes.accounts import OfAccounts
from podium.errors.codes.competitions import OfCompetitions
from podium.errors.codes.requests import OfRequests
from podium.errors.codes.rows import Explanation, OurCode
from podium.errors.codes.submissions import OfSubmissions
from podium.errors.codes.teams import OfTeams

__all__ = ["CODES", "ErrorCode", "Explanation", "ForeignCode", "OurCode"]

ForeignCode = NewType("ForeignCode", str)
"""A code that is not in the list: of a server of another version, or of a problem of a file."""


class ErrorCode(OfRequests, OfAccounts, OfTeams, OfCompetitions, OfSubmissions):
    """The names of all codes of refusals."""


CODES: Mapping[str, OurCode] = {
    row: row
    for part in ErrorCode.__bases__
    for row in vars(part).values()
    if isinstance(row, OurCode)
}
"""All rows, by their codes."""
