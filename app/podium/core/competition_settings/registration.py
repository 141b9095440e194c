"""Settings of registration: who may enter a competition, and who may read its members' names."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import StringConstraints

from podium.core.competition_settings.changing import Free
from podium.core.competition_settings.fields import setting
from podium.core.competition_settings.strict_numbers import StrictNumbers

Registration = Literal["open", "invite", "code", "approval"]

MIN_CODE_CHARACTERS = 6

RegistrationCode = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=100, pattern=r"^[^\x00-\x1f\x7f]*$"),
]

MemberNames = Literal["everyone", "participants", "organizers"]


class RegistrationSettings(StrictNumbers):
    """Settings of registration, and of the visibility of members' names."""

    registration: Free[Registration] = setting(
        "Who can join",
        "Who may enter. Invited people use a link of the organizers, or a team's invite code.",
        values={
            "open": "Everybody with an account",
            "invite": "Invited people",
            "code": "Everybody who knows the class code",
            "approval": "Everybody whom an organizer approves",
        },
        default="open",
    )
    registration_code: Free[RegistrationCode] = setting(
        "Class code",
        f"What people need to join by a class code: {MIN_CODE_CHARACTERS} or more characters.",
        none="there is none",
        example="spring-2026",
        is_sparse=True,
        default="",
    )
    member_names: Free[MemberNames | None] = setting(
        "Account names of team members",
        "Who sees account names of members on boards. Names of teams are always shown.",
        values={
            "everyone": "Everybody",
            "participants": "Participants and organizers",
            "organizers": "Organizers only",
        },
        none="everybody, in competitions from before there was a choice",
        example="participants",
        is_sparse=True,
        default=None,
    )


def short_code(registration: Registration, code: str) -> str | None:
    """Returns the refusal of registration by code where the code is missing or easy to guess; None
    otherwise."""
    if registration == "code" and len(code) < MIN_CODE_CHARACTERS:
        return (
            f"registration by code needs a class code of {MIN_CODE_CHARACTERS} or more characters"
        )
    return None
