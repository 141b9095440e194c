"""Documents about links that create accounts or let people in."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import Field

from podium.core.models import Competition
from podium.http import examples
from podium.http.members import CreatedAt, Id
from podium.http.schemas import Output, PersonOut, ShownTime
from podium.teams.queries import FoundLink
from podium.teams.rules import LinkKind, LinkState
from podium.teams.schemas.teams import RulesToAccept
from podium.teams.service.link_use import Used
from podium.teams.service.links import LinkView, state_of


class LinkEffect(Output):
    """The effect of a link, and its bounds."""

    kind: LinkKind
    """`invite` lets people in, `reset` sets a new password, `first` the first one."""
    organizer: bool
    """True if it makes co-organizers, false if participants."""
    expires_at: ShownTime
    """The time at which the link stops working."""
    seats: int
    """The number of people who can use it."""


class LinkFacts(LinkEffect):
    """A link without its code."""

    id: Annotated[Id, Field(examples=[examples.OTHER])]
    competition: str | None
    """The slug of the competition that it leads into. Null: it is for the installation."""
    team: Annotated[PersonOut | None, Field(examples=[None])]
    """The team that people join; of a new card, the one that its person is in. Null: none."""
    account: Annotated[str | None, Field(examples=[None])]
    """The id of the account that a reset is for, or that used a link of one seat. Null: none."""
    person: Annotated[PersonOut | None, Field(examples=[None])]
    """The account that a link for a password is for. Null: none."""
    note: Annotated[str, Field(examples=["course of spring"])]
    """The organizer's note; may be empty."""
    created_at: CreatedAt
    created_by: PersonOut
    """The account that created it."""
    used_at: ShownTime | None
    """The time at which the last seat was taken. Null: seats are left."""
    revoked_at: ShownTime | None
    """The time at which it was revoked. Null: not revoked."""
    seats_taken: int
    """The number of people who have used it."""
    state: LinkState
    """`open` if it works, or the reason why it does not."""


class LinkOut(LinkFacts):
    """A link as its creator sees it later."""

    code: str | None
    """The secret in its address. Only for a link of several seats, until the last one is taken or
    the link is revoked; else null."""


class MadeLink(LinkFacts):
    """A new link."""

    address: Annotated[str, Field(examples=[f"/links/{examples.LINK_CODE}"])]
    """Its address; absolute if the installation knows its own (`PODIUM_BASE_URL`)."""
    code: str
    """The secret in the address."""


class LinkPurpose(LinkEffect):
    """The purpose of a link, and the input that using it requires."""

    competition: str | None
    """The slug of the competition that it leads into. Null: none."""
    title: str | None
    """The competition's title. Null: no competition."""
    team: Annotated[str | None, Field(examples=[None])]
    """The name of the team that it leads into. Null: none."""
    account: Annotated[str | None, Field(examples=[None])]
    """The name of the account that a new password is for. Null: a new account can be created."""
    rules: RulesToAccept
    seats_left: Annotated[int, Field(examples=[18])]
    """The number of people who can still use it."""


class UsedLink(Output):
    """The outcome of a link's use."""

    account: PersonOut
    """The account that used it."""
    token: str | None
    """A bearer token, shown only here. Null if the account existed."""
    competition: str | None
    """The slug of the competition that was entered. Null: none."""
    team: PersonOut | None
    """The team that was joined. Null: none."""


def link_out(found: FoundLink, *, now: datetime) -> LinkOut:
    """Returns the document of a link for its creators, with its state at this time."""
    link = found.link
    return LinkOut.of(
        link,
        competition=slug_of(found.competition),
        team=found.team,
        organizer=link.is_organizer,
        account=link.used_by or link.user_id,
        state=state_of(link, now=now),
        person=found.account,
        created_by=found.creator,
    )


def purpose_out(view: LinkView) -> LinkPurpose:
    """Returns the document of a link for its holder."""
    return LinkPurpose.of(
        view,
        competition=slug_of(view.competition),
        title=view.competition.title if view.competition else None,
        team=view.team.name if view.team else None,
        organizer=view.is_organizer,
    )


def used_out(used: Used) -> UsedLink:
    """Returns the document of a link's use."""
    return UsedLink.of(used, account=used.user, competition=slug_of(used.competition))


def slug_of(competition: Competition | None) -> str | None:
    """Returns the slug of a competition; None without one."""
    return competition.slug if competition else None
