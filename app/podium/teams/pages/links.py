"""Links: created for an account, participants or a co-organizer, listed, and revoked. The address
of a link of one seat is shown only in the answer to its form; one of several seats has a page, with
its QR code, for the wall of a lecture hall."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar
from urllib.parse import quote

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel

from podium.competitions.pages.sections import address_of
from podium.core.spreadsheets import harmless
from podium.errors.codes import ErrorCode
from podium.http.pages.acts import FormAction, carry_out, shown_refusal
from podium.http.pages.addresses import full_address, unreachable_address
from podium.http.pages.api_calls import Answer, Json, ask, at, document_of
from podium.http.pages.fields import EMPTY, FormView, SentForm, read_form, sent_time
from podium.http.pages.layout import PageContext, require_organizer, require_visitor, show
from podium.http.pages.lists import listed_of
from podium.http.paging import Listed
from podium.teams.schemas.links import LinkOut, MadeLink

router = APIRouter(include_in_schema=False)

LIMIT = 100


@dataclass(frozen=True, kw_only=True)
class LinksPage(PageContext):
    """A list of links; `made` is a new one with its address, `unreachable` the base URL where only
    this machine can open it."""

    template: ClassVar[str] = "teams/organizer/links.html"

    listed: Listed[LinkOut]
    made: MadeLink | None
    unreachable: str


class TitleOfCompetition(BaseModel):
    """A competition, as far as a link names it."""

    slug: str
    title: str


@dataclass(frozen=True, kw_only=True)
class OneLinkPage(PageContext):
    """A link of several seats, with its address as long as it works, and the competition that it
    leads to, if any."""

    template: ClassVar[str] = "teams/organizer/link.html"

    link: LinkOut
    address: str | None
    competition: TitleOfCompetition | None


@dataclass(frozen=True, kw_only=True)
class CardsPage(PageContext):
    """New cards of people who lost theirs, with full addresses; `home` is the page to sign in at
    afterwards, `refused` the reasons for which others got none."""

    template: ClassVar[str] = "teams/organizer/cards.html"

    cards: list[MadeLink]
    refused: list[str]
    competition: str | None
    home: str
    unreachable: str

    def context(self) -> dict[str, object]:
        """Adds the links as CSV."""
        rows = (
            (each.person.name, each.team.name if each.team else None, each.address)
            for each in self.cards
            if each.person
        )
        return {**super().context(), "csv": links_as_csv(rows)}


def links_as_csv(people: Iterable[tuple[str, str | None, str | None]]) -> str:
    """Writes a CSV line for each person with a new link: name, team and link, for a program that
    sends mails."""
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(("name", "team", "link"))
    for name, team, address in people:
        if address is not None:
            writer.writerow((harmless(name), harmless(team or ""), address))
    return lines.getvalue()


REVOKE = FormAction("/admin/invites/{}", "link-revoked", method="DELETE")


def body_of(form: SentForm) -> Json:
    """Builds the invitation that a form requests, without empty members."""
    given = {
        "competition": form.text_or_none("competition"),
        "team_id": form.text_or_none("team_id"),
        "expires_at": sent_time(form.text("expires_at").strip()),
        "note": form.text_or_none("note"),
        "seats": number_of(form.text("seats").strip()),
    }
    return {
        **{name: value for name, value in given.items() if value is not None},
        "organizer": form.text("organizer") == "yes",
    }


def number_of(typed: str) -> int | str | None:
    """Parses a whole number; any other text is unchanged, for the API to refuse."""
    if not typed:
        return None
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 10 else typed


async def make_link(request: Request, form: SentForm) -> tuple[MadeLink | None, FormView]:
    """Creates a link with its full address, or returns the refused form."""
    answer = await ask(request, "POST", "/api/v1/admin/invites", json=body_of(form))
    if answer.is_good:
        made = answer.read(MadeLink)
        return made.model_copy(update={"address": full_address(request, made.address)}), EMPTY
    fields: dict[str, str] = {
        ErrorCode.UNKNOWN_TEAM: "team_id",
        ErrorCode.BAD_DATE: "expires_at",
    }
    return None, shown_refusal(answer, form, name="link", fields=fields)


@router.get("/organizers/links")
async def show_links(request: Request) -> Response:
    """Lists links, newest first, including used ones; the administrator sees those of all
    creators."""
    return await _page(request)


@router.post("/organizers/links")
async def post_link(request: Request) -> Response:
    """Creates a link, and shows it."""
    made, shown = await make_link(request, await read_form(request))
    return await _page(request, form=shown, made=made)


@router.get("/organizers/links/{link_id}")
async def show_link(request: Request, link_id: str) -> Response:
    """Shows one link, to be presented to its future users."""
    await require_visitor(request)
    link = await document_of(request, at("/admin/invites/{}", link_id), LinkOut)
    address = full_address(request, f"/links/{link.code}") if link.code else None
    competition = None
    if link.competition:
        path = at("/competitions/{}", link.competition)
        competition = await document_of(request, path, TitleOfCompetition)
    return await show(request, OneLinkPage(link=link, address=address, competition=competition))


@router.post("/organizers/links/{link_id}/revoke")
async def post_revoke(request: Request, link_id: str) -> Response:
    """Revokes a link, and returns to the page of the competition, if the form was there."""
    form = await read_form(request)
    slug = form.text_or_none("competition")
    return await carry_out(
        request,
        REVOKE,
        link_id,
        form=form,
        back=address_of(quote(slug, safe=""), "/people") if slug else "/organizers/links",
        again=partial(_page, request),
    )


@router.post("/organizers/links/{link_id}/card")
async def post_card(request: Request, link_id: str) -> Response:
    """Replaces a lost card, and shows the new one."""
    answer = await new_card(request, link_id)
    if not answer.is_good:
        return await _page(request, form=shown_refusal(answer, SentForm({})))
    card = answer.read(MadeLink)
    return await show_cards(request, [card], competition=card.competition)


async def new_card(request: Request, link_id: str) -> Answer:
    """Requests another card from the API."""
    return await ask(request, "POST", at("/admin/invites/{}/replacement", link_id))


async def show_cards(
    request: Request, cards: list[MadeLink], *, competition: str | None, refused: Sequence[str] = ()
) -> Response:
    """Shows new cards, on the only page with their links."""
    for card in cards:
        card.address = full_address(request, card.address)
    home = f"/competitions/{competition}" if competition else "/"
    page = CardsPage(
        cards=cards,
        refused=list(refused),
        competition=competition,
        home=full_address(request, home),
        unreachable=unreachable_address(request),
    )
    return await show(request, page)


async def _page(
    request: Request, *, form: FormView = EMPTY, made: MadeLink | None = None
) -> Response:
    await require_organizer(request)
    listed = await listed_of(request, "/api/v1/admin/invites", Listed[LinkOut], limit=LIMIT)
    page = LinksPage(listed=listed, made=made, unreachable=unreachable_address(request))
    return await show(request, page, form=form)
