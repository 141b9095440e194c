"""Documents about accounts, their tokens and browsers, and the audit log."""

from __future__ import annotations

from typing import Any

from podium.accounts.authentication.sign_up import SignUpMode
from podium.accounts.rules import MailLinkKind, RequestState
from podium.core.models import User
from podium.http.schemas import Output, PersonOut, ShownTime


class OwnTeam(Output):
    """A team that the caller is in."""

    competition: str
    team: PersonOut


class Me(Output):
    """The caller. `mail` is an address that they have proven; only they see it."""

    id: str
    name: str
    mail: str | None
    administrator: bool
    organizer: bool
    has_password: bool
    created_at: ShownTime
    teams: list[OwnTeam]
    organizes: list[str]


class TokenOut(Output):
    """A token without its text. It ends when the token `made_by` is revoked; where `set_password`
    is true, the account's password ends with it."""

    id: str
    label: str
    created_at: ShownTime
    expires_at: ShownTime | None
    made_by: str | None
    set_password: bool


class MadeToken(TokenOut):
    """A token on the only occasion at which its text is shown."""

    token: str


class UserOut(Output):
    """An account."""

    id: str
    name: str
    organizer: bool
    administrator: bool
    disabled: bool
    created_at: ShownTime


class SignUpWay(Output):
    """How people register."""

    mode: SignUpMode


class SignedUp(Output):
    """A new account with its first token, which is shown only here."""

    account: PersonOut
    token: str


class MadeAccountRequest(Output):
    """A request for an account, with the secret address of its state."""

    code: str
    address: str


class MailAsked(Output):
    """A mail is on its way. What it says only its reader knows; a link in it works once, and for
    so long."""

    link_seconds: int


class MailLinkOut(Output):
    """A link of a letter: `name` is that of the account, or the one that was asked for."""

    kind: MailLinkKind
    mail: str
    name: str


class AccountRequestState(Output):
    """A request as its person sees it."""

    state: RequestState
    name: str
    account: str | None


class AccountRequestOut(Output):
    """A request as organizers see it."""

    id: str
    name: str
    note: str
    address: str | None
    created_at: ShownTime


class MadeUser(UserOut):
    """A new account with its first token, which is shown only here."""

    token: str


class AuditActor(Output):
    """The name is the one at that time."""

    id: str | None
    name: str


class AuditOut(Output):
    """Who did what, when, from where. No `actor` id means the system itself."""

    id: str
    at: ShownTime
    actor: AuditActor
    action: str
    competition: str | None
    object_id: str | None
    address: str | None
    facts: dict[str, Any]


class PageSessionOut(Output):
    """A browser that is signed in. `last_used_at` is exact to ten minutes; `current` is the one
    that asks; `expires_at` moves on with every use, at most to 60 days after the beginning."""

    id: str
    browser: str
    address: str | None
    created_at: ShownTime
    last_used_at: ShownTime
    expires_at: ShownTime
    current: bool


def user_out(user: User) -> UserOut:
    """An account for organizers."""
    return UserOut.of(
        user,
        organizer=user.is_organizer,
        administrator=user.is_administrator,
        disabled=user.disabled_at is not None,
    )
