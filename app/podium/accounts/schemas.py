"""Documents about accounts, their tokens and browsers, and the audit log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field

from podium.accounts.authentication.sign_up import SignUpMode
from podium.accounts.rules import MailLinkKind, RequestState
from podium.core.models import Team, User
from podium.http import examples
from podium.http.members import (
    ClientAddress,
    CompetitionSlug,
    CreatedAt,
    Id,
    ShownToken,
    TeamRef,
)
from podium.http.schemas import Output, PersonOut, ShownTime


class OwnTeam(Output):
    """A team that an account is in."""

    competition: CompetitionSlug
    team: TeamRef
    ends_with_account: Annotated[bool, Field(examples=[False])]
    """True if a deletion of the account also replaces the name of this team: it is the account's,
    and no one else is in it."""


class AccountFacts(Output):
    """An account as both its person and organizers see it."""

    id: Annotated[Id, Field(examples=[examples.ADA])]
    name: str
    """The name that the account signs in with."""
    administrator: bool
    """True if the account administers the installation."""
    organizer: bool
    """True if the account may make competitions."""
    created_at: CreatedAt


class Me(AccountFacts):
    """The caller's own account."""

    mail: str | None
    """An address that the caller has proven; only they see it. Null: none."""
    has_password: Annotated[bool, Field(examples=[True])]
    """True if the account can sign in with a password."""
    teams: list[OwnTeam]
    """The caller's teams, one per competition."""
    organizes: Annotated[list[str], Field(examples=[[]])]
    """The slugs of the competitions that the caller organizes."""


class TokenOut(Output):
    """A token without its text."""

    id: Annotated[Id, Field(examples=[examples.OTHER])]
    label: str
    """The name that its owner gave it."""
    created_at: CreatedAt
    expires_at: ShownTime | None
    """The time at which the token stops working. Null: never."""
    made_by: str | None
    """The id of the token that made it, with which it ends. Null: none."""
    set_password: Annotated[bool, Field(examples=[False])]
    """True if the account's password was set with it; revoking the token removes the password."""


class MadeToken(TokenOut):
    """A token on the only occasion at which its text is shown."""

    token: ShownToken


class UserOut(AccountFacts):
    """An account."""

    disabled: bool
    """True if the account is kept out: it cannot sign in, and its tokens do not work."""


class OneUser(UserOut):
    """An account with its teams."""

    teams: list[OwnTeam] | None
    """The account's teams, one per competition. Null for all but the administrator."""


class SignUpWay(Output):
    """How people register."""

    mode: Annotated[SignUpMode, Field(examples=["code"])]
    """`off`, `code` (a code is needed), `approval` (an organizer decides) or `open` (a proven mail
    address is enough)."""


class SignedUp(Output):
    """A new account with its first token."""

    account: PersonOut
    """The account that was made."""
    token: ShownToken


class MadeAccountRequest(Output):
    """A request for an account."""

    code: str
    """The secret word in the address of the request's state."""
    address: Annotated[str, Field(examples=[f"/sign-up/requests/{examples.LINK_CODE}"])]
    """The address at which the person can see what was decided."""


class MailAsked(Output):
    """A mail is on its way. Only its reader learns what it says."""

    link_seconds: Annotated[int, Field(examples=[3600])]
    """Seconds for which the link in it works, once."""


class MailLinkOut(Output):
    """A link of a letter."""

    kind: MailLinkKind
    """`sign-up` makes an account, `reset` sets a new password."""
    mail: str
    """The address to which the letter was sent."""
    name: str
    """The name of the account, or the one that was asked for."""


class AccountRequestState(Output):
    """A request as its person sees it."""

    state: RequestState
    """`pending`, `approved` or `declined`."""
    name: str
    """The name that was asked for."""
    account: Annotated[str | None, Field(examples=["ada"])]
    """The name of the account that was made. Null until it is approved."""


class AccountRequestOut(Output):
    """A request as organizers see it."""

    id: Annotated[Id, Field(examples=[examples.OTHER])]
    name: str
    """The name that was asked for."""
    note: Annotated[str, Field(examples=["I take the course of spring."])]
    """The person's words to the organizers."""
    address: ClientAddress
    created_at: CreatedAt


class MadeUser(UserOut):
    """A new account with its first token, which is shown only here."""

    token: ShownToken


class AuditActor(Output):
    """Who did something."""

    id: Annotated[str | None, Field(examples=[examples.ADMINISTRATOR])]
    """The id of the account. Null: the system itself."""
    name: Annotated[str, Field(examples=["administrator"])]
    """The name of the account at that time."""


class AuditOut(Output):
    """An entry of the audit log."""

    id: Annotated[Id, Field(examples=[examples.OTHER])]
    at: ShownTime
    """The time of the action."""
    actor: AuditActor
    """The account that acted."""
    action: Annotated[str, Field(examples=["competition.launch"])]
    """The action, as noun and verb, such as `competition.launched`."""
    competition: str | None
    """The slug of the competition that it concerned. Null: none."""
    object_id: Annotated[str | None, Field(examples=[examples.COMPETITION])]
    """The id of what was acted on. Null: nothing with an id."""
    address: ClientAddress
    facts: Annotated[dict[str, Any], Field(examples=[{"forced": False}])]
    """Further facts; the members depend on `action`."""


class PageSessionOut(Output):
    """A browser that is signed in."""

    id: Annotated[Id, Field(examples=[examples.OTHER])]
    browser: Annotated[str, Field(examples=["Firefox on Linux"])]
    """The browser and system, as far as it told."""
    address: ClientAddress
    created_at: CreatedAt
    last_used_at: Annotated[ShownTime, Field(examples=["2026-11-24T11:50:00Z"])]
    """The last use, exact to ten minutes."""
    expires_at: ShownTime
    """The time at which it is signed out. Moves on with every use, at most to 60 days after
    `created_at`."""
    current: Annotated[bool, Field(examples=[True])]
    """True for the browser that asks."""


def user_out(user: User) -> UserOut:
    """An account for organizers."""
    return UserOut.of(
        user,
        organizer=user.is_organizer,
        administrator=user.is_administrator,
        disabled=user.disabled_at is not None,
    )


def own_teams_out(teams: Sequence[tuple[str, Team, bool]]) -> list[OwnTeam]:
    """An account's teams: slug, team, and whether it loses its name with the account."""
    return [
        OwnTeam(competition=slug, team=PersonOut.of(team), ends_with_account=is_namesake)
        for slug, team, is_namesake in teams
    ]
