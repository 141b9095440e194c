"""Registration for a competition, and the readers of its members' names: the words of settings."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import StringConstraints

Registration = Literal["open", "invite", "code", "approval"]
"""Accounts that may enter: all, those who are invited, those who know the code, or those whom an
organizer approves."""

LEAST_CODE_CHARACTERS = 6

RegistrationCode = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=100, pattern=r"^[^\x00-\x1f\x7f]*$"),
]
"""The class code, which lets accounts enter a competition whose `registration` is `code`."""

MemberNames = Literal["everyone", "participants", "organizers"]
"""Readers of boards who see the account names of a team's members. Competitions from before there
was a choice have none, which means everyone; new ones begin with `participants`."""


def short_code(registration: Registration, code: str) -> str | None:
    """The refusal of registration by a code that is easily guessed, or by none; None for others."""
    if registration == "code" and len(code) < LEAST_CODE_CHARACTERS:
        return (
            f"registration by code needs a class code of {LEAST_CODE_CHARACTERS} or more characters"
        )
    return None
