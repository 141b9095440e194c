"""Advice of the command line: the command that helps."""

from __future__ import annotations

from podium.cli.advice import advised
from podium.errors import NotAllowed
from podium.errors.codes import ErrorCode


def test_rules_that_were_not_accepted_lead_to_the_command_that_accepts_them() -> None:
    error = NotAllowed(
        "Accept the rules of this competition first.",
        code=ErrorCode.RULES_NOT_ACCEPTED,
        path="/api/v1/competitions/otto/submissions",
    )
    assert advised(error) == (
        "Accept the rules of otto first. `podium competitions rules otto` shows them, and with"
        " --accept accepts them."
    )
