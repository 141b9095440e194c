"""Routes of links: organizers create them, their holders use them."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints
from sqlalchemy.orm import Session

from podium.accounts.authentication.callers import MaybeActor, SignedIn
from podium.accounts.authentication.credentials import Checks
from podium.application import Application
from podium.core.database.engine import database_now
from podium.errors.codes import ErrorCode
from podium.http.deps import Address, App
from podium.http.paging import Listed, Paging
from podium.http.schemas import OF_ITS_TIME, GivenTime, Input, example, problems
from podium.http.streaming.strict_json import strict_router
from podium.http.transactions import Reading, Writing
from podium.teams.authentication import follow_link
from podium.teams.queries import FoundLink
from podium.teams.rules import MAX_SEATS
from podium.teams.schemas.links import (
    LinkOut,
    LinkPurpose,
    MadeLink,
    UsedLink,
    link_out,
    purpose_out,
    used_out,
)
from podium.teams.schemas.teams import AcceptsRules
from podium.teams.service import cards, links
from podium.teams.service.link_use import Given
from podium.teams.service.links import InviteProperties

router = strict_router(tag="links")

Note = Annotated[str, StringConstraints(max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")]
GivenPassword = Annotated[str, Field(max_length=1000, examples=["correct horse battery"])]


class NewInvite(Input):
    """An invitation to create."""

    model_config = example(competition="otto", seats=30, note="course of spring")

    competition: Annotated[str | None, Field(max_length=64, examples=["otto"])] = None
    """The slug of the competition that it leads into. Null: it creates an account of the
    installation."""
    team_id: Annotated[str | None, Field(max_length=64)] = None
    """The team that people join. Null: each enters with a new team."""
    organizer: bool = False
    """True makes people co-organizers of the competition instead of participants."""
    expires_at: GivenTime | None = None
    """The time at which the link stops working. Null: after the usual time, a week."""
    note: Note = ""
    """A note for organizers, shown in their list of links."""
    seats: Annotated[int, Field(ge=1, le=MAX_SEATS, examples=[30])] = 1
    """The number of people who can use it."""


class NewReset(Input):
    """A link for a new password."""

    expires_at: GivenTime | None = None
    """The time at which the link stops working. Null: in a week."""


class LinkUse(Input):
    """The input of a link's holder."""

    name: Annotated[str | None, Field(max_length=1000, examples=["ada"])] = None
    """The name of a new account. Null: an existing account uses the link."""
    password: GivenPassword | None = None
    """A password for the new account. Null: none is set; the account signs in with its token."""
    team: Annotated[str | None, Field(max_length=1000, examples=["Team Ada"])] = None
    """The name of the new team in which a participant enters. Null: the name of the account."""
    accept_rules: AcceptsRules = False


@router.post(
    "/admin/invites",
    operation_id="createInvite",
    summary="Make a link that lets somebody in",
    status_code=201,
    responses=problems(
        403, 404, 422, ErrorCode.BAD_DATE, ErrorCode.TOO_MANY_LINKS, ErrorCode.UNKNOWN_TEAM
    ),
)
def post_invite(session: Writing, actor: SignedIn, body: NewInvite, app: App) -> MadeLink:
    """It works once for each of its seats, for a week unless `expires_at` says otherwise: up to 90
    days, and with several seats up to a year. No mail server is needed."""
    wanted = InviteProperties(
        slug=body.competition,
        team_id=body.team_id,
        is_organizer=body.organizer,
        expires_at=body.expires_at,
        note=body.note,
        seats=body.seats,
    )
    return _made(app, session, *links.make_invite(session, actor=actor, wanted=wanted))


@router.get(
    "/admin/invites",
    operation_id="listInvites",
    summary="Links that I made",
    responses=problems(403),
)
def get_invites(session: Reading, actor: SignedIn, page: Paging) -> Listed[LinkOut]:
    """Newest first, including used ones; the administrator sees those of everyone."""
    rows = links.list_links(session, actor=actor, before_id=page.after_text, limit=page.fetch)
    now = database_now(session)
    return page.listed(
        rows, key=lambda row: (row.link.id,), show=lambda row: link_out(row, now=now)
    )


@router.get(
    "/admin/invites/{link_id}",
    operation_id="getInvite",
    summary="A link that I made",
    responses=problems(403),
)
def get_invite(session: Reading, actor: SignedIn, link_id: str) -> LinkOut:
    """With its code if it has several seats, and the number of seats taken."""
    found = links.find_link(session, actor=actor, link_id=link_id)
    return link_out(found, now=database_now(session))


@router.delete(
    "/admin/invites/{link_id}",
    operation_id="revokeInvite",
    summary="Revoke a link",
    status_code=204,
    responses=problems(403, ErrorCode.LINK_USED),
)
def delete_invite(session: Writing, actor: SignedIn, link_id: str) -> None:
    """Also one that resets credentials."""
    links.revoke_link(session, actor=actor, link_id=link_id)


@router.post(
    "/admin/invites/{link_id}/replacement",
    operation_id="replaceCard",
    summary="Replace the link of a lost card",
    status_code=201,
    responses=problems(
        403,
        409,
        ErrorCode.NOT_ALLOWED,
        ErrorCode.WRONG_STATE,
        ErrorCode.BAD_DATE,
        ErrorCode.ACCOUNT_DELETED,
        ErrorCode.ACCOUNT_DISABLED,
        ErrorCode.ADMINISTRATOR,
        ErrorCode.LINK_USED,
        ErrorCode.TOO_MANY_LINKS,
    ),
)
def post_replacement(session: Writing, actor: SignedIn, link_id: str, app: App) -> MadeLink:
    """For links of a roster: the person gets another one, which works once, for a week. If the
    person has signed in before, only the administrator can do this, and the link resets
    credentials."""
    return _made(app, session, *cards.replace_card(session, actor=actor, link_id=link_id))


@router.post(
    "/admin/users/{user_id}/reset-link",
    operation_id="createResetLink",
    summary="Make a link that gives somebody new credentials",
    status_code=201,
    responses=problems(
        403,
        409,
        ErrorCode.NOT_ALLOWED,
        ErrorCode.BAD_DATE,
        ErrorCode.ACCOUNT_DELETED,
        ErrorCode.ACCOUNT_DISABLED,
        ErrorCode.ADMINISTRATOR,
        ErrorCode.TOO_MANY_LINKS,
    ),
)
def post_reset_link(
    session: Writing, actor: SignedIn, user_id: str, app: App, body: NewReset | None = None
) -> MadeLink:
    """For the administrator. Until it is used, the present token and password remain valid."""
    expires_at = body.expires_at if body else None
    made = links.make_reset(session, actor=actor, user_id=user_id, expires_at=expires_at)
    return _made(app, session, *made)


@router.get(
    "/links/{code}",
    operation_id="getLink",
    summary="What a link is for",
    responses=problems(ErrorCode.UNKNOWN_LINK),
)
def get_link(session: Reading, actor: MaybeActor, code: str) -> LinkPurpose:
    """Reading it does not use the link. As a page: `/links/{code}`."""
    return purpose_out(links.look_at(session, code=code))


@router.post(
    "/links/{code}",
    operation_id="useLink",
    summary="Use a link",
    responses=problems(
        ErrorCode.ACCOUNT_GIVEN,
        ErrorCode.BAD_NAME,
        ErrorCode.BAD_PASSWORD,
        ErrorCode.NAME_MISSING,
        ErrorCode.NAME_TAKEN,
        ErrorCode.UNKNOWN_LINK,
        ErrorCode.UNKNOWN_USER,
        ErrorCode.ALREADY_IN_TEAM,
        ErrorCode.TEAM_FULL,
        ErrorCode.TEAM_GONE,
        *OF_ITS_TIME,
        ErrorCode.RULES_NOT_ACCEPTED,
    ),
)
async def post_link(
    actor: MaybeActor,
    address: Address,
    code: str,
    app: App,
    checks: Checks,
    body: LinkUse | None = None,
) -> UsedLink:
    """Takes a seat. With a token, that account accepts an invitation to a competition; without one,
    a new account is created. A reset creates a new token, revokes all others, and sets the password
    that is sent, or none; so does a link of first credentials."""
    wanted = body or LinkUse()
    given = Given(wanted.name, wanted.password, wanted.team, wanted.accept_rules)
    used, _ = await follow_link(app, checks, code=code, given=given, actor=actor, address=address)
    return used_out(used)


def _made(app: Application, session: Session, found: FoundLink, code: str) -> MadeLink:
    address = f"{app.settings.base_url}/links/{code}"
    made = link_out(found, now=database_now(session))
    return MadeLink.of(made, address=address, code=code)
