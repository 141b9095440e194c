"""Pages of people: the organizers of a competition, its invitations, requests to join, and the
acceptances of its rules."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from fastapi import APIRouter, Request, Response

from podium.accounts.rules import RequestState
from podium.competitions.pages.sections import SectionPage, address_of, dashboard_of
from podium.competitions.schemas.texts import AcceptanceOut
from podium.core.models.teams import ORGANIZER
from podium.errors.codes import ErrorCode
from podium.http.pages.acts import FormAction, act_named, carry_out, reason, texts
from podium.http.pages.addresses import unreachable_address
from podium.http.pages.api_calls import at, document_of
from podium.http.pages.fields import EMPTY, FormView, SentForm, read_form
from podium.http.pages.layout import show
from podium.http.pages.lists import listed_of
from podium.http.paging import Listed
from podium.teams.pages import links
from podium.teams.pages.entered_rosters import ListedRoster, entered_rosters
from podium.teams.pages.names import MAX_CHARACTERS, MAX_NAMED, person_named, team_named
from podium.teams.rules import LinkKind
from podium.teams.schemas.links import LinkOut, MadeLink
from podium.teams.schemas.teams import ListedJoinRequestOut, ListedTeamOut

router = APIRouter(include_in_schema=False)

LIMIT = 100


@dataclass(frozen=True, kw_only=True)
class PeopleSection(SectionPage):
    """Links and acceptances of a competition, and the people of its rosters, whose links are not
    among `links`; `made` is a new link with its address, `unreachable` the base URL where only this
    machine can open it."""

    template: ClassVar[str] = "teams/organizer/people.html"
    section: ClassVar[str] = "people"

    links: list[LinkOut]
    rosters: list[ListedRoster]
    requests: Listed[ListedJoinRequestOut]
    acceptances: Listed[AcceptanceOut]
    made: MadeLink | None
    unreachable: str


ADD = FormAction(
    "/admin/competitions/{}/organizers",
    "organizer-added",
    texts("user_id"),
    fields={ErrorCode.UNKNOWN_USER: "user_id"},
)
REMOVE = FormAction("/admin/competitions/{}/organizers/{}", "organizer-removed", method="DELETE")

DECISIONS = {
    "approve": FormAction("/admin/join-requests/{}/approve", "join-approved", reason),
    "decline": FormAction("/admin/join-requests/{}/decline", "join-declined", reason),
}


@router.get("/organize/{slug}/people")
async def show_people(request: Request, slug: str) -> Response:
    """Organizers, the links of this competition, and acceptances of its rules."""
    return await _page(request, slug)


@router.post("/organize/{slug}/people/organizers")
async def post_organizer(request: Request, slug: str) -> Response:
    """Adds a co-organizer by name or id."""
    form = await read_form(request)
    name = form.text("user_id").strip()
    person = await person_named(request, name)
    team = None if form.is_ticked("sure") else await _ranked_team_of(request, slug, name, person)
    if team is not None:
        words = (
            f"This person is in the team “{team}”, which loses its rank permanently. Confirm it."
        )
        shown = FormView(form, "organizer", 422, "Nothing was done.", {"sure": words})
        return await _page(request, slug, shown)
    return await carry_out(
        request,
        ADD,
        slug,
        form=SentForm({"user_id": [person]}),
        back=address_of(slug, "/people"),
        again=partial(_page, request, slug),
        name="organizer",
    )


@router.post("/organize/{slug}/people/organizers/{user_id}/remove")
async def post_remove(request: Request, slug: str, user_id: str) -> Response:
    """Removes the co-organizer with this user id, and returns to the page of people."""
    return await carry_out(
        request,
        REMOVE,
        slug,
        user_id,
        back=address_of(slug, "/people"),
        again=partial(_page, request, slug),
        name="organizers",
    )


@router.post("/organize/{slug}/people/requests/{request_id}/{name}")
async def post_decision(request: Request, slug: str, request_id: str, name: str) -> Response:
    """Approves or declines a request to join."""
    return await carry_out(
        request,
        act_named(DECISIONS, name),
        request_id,
        back=address_of(slug, "/people"),
        again=partial(_page, request, slug),
        name="requests",
    )


@router.post("/organize/{slug}/people/links")
async def post_link(request: Request, slug: str) -> Response:
    """Creates a link into this competition, and shows it."""
    form = await read_form(request)
    team = form.text("team_id").strip()
    given = SentForm(
        {**form.fields, "competition": [slug], "team_id": [await team_named(request, slug, team)]}
    )
    made, shown = await links.make_link(request, given)
    return await _page(request, slug, shown, made=made)


@router.post("/organize/{slug}/people/cards")
async def post_cards(request: Request, slug: str) -> Response:
    """Creates new cards for the selected people of rosters, all on one page to print."""
    await dashboard_of(request, slug)
    form = await read_form(request)
    ticked = form.texts("link")
    if not ticked:
        words = "Tick the people who need a new card."
        return await _page(request, slug, FormView(form, "cards", 422, words))
    cards, refused = [], []
    for link_id in ticked:
        answer = await links.new_card(request, link_id)
        if answer.is_good:
            cards.append(answer.read(MadeLink))
        else:
            refused.append(answer.problem.detail)
    return await links.show_cards(request, cards, competition=slug, refused=refused)


async def _ranked_team_of(request: Request, slug: str, name: str, user_id: str) -> str | None:
    """Finds the name of the team that would be tagged with this organizer; None after the
    reveal."""
    if (await dashboard_of(request, slug)).competition.phase == "revealed":
        return None
    path = at("/admin/competitions/{}/teams", slug)
    text = name[:MAX_CHARACTERS] or None
    listed = await document_of(request, path, Listed[ListedTeamOut], text=text, limit=MAX_NAMED)
    theirs = (
        team.name
        for team in listed.items
        if user_id in {person.id for person in team.members} and ORGANIZER not in team.tags
    )
    return next(theirs, None)


async def _page(
    request: Request, slug: str, form: FormView = EMPTY, *, made: MadeLink | None = None
) -> Response:
    layout = await dashboard_of(request, slug)
    invites = await document_of(request, "/api/v1/admin/invites", Listed[LinkOut], limit=1000)
    path = at("/admin/competitions/{}/rules/acceptances", slug)
    acceptances = await listed_of(request, path, Listed[AcceptanceOut], limit=LIMIT)
    requests = await document_of(
        request,
        at("/admin/competitions/{}/join-requests", slug),
        Listed[ListedJoinRequestOut],
        limit=LIMIT,
        state=RequestState.PENDING.value,
    )
    own = [each for each in invites.items if each.competition == slug]
    page = PeopleSection(
        layout=layout,
        requests=requests,
        links=[each for each in own if each.kind is not LinkKind.FIRST],
        rosters=entered_rosters(own, resets=invites.items),
        acceptances=acceptances,
        made=made,
        unreachable=unreachable_address(request),
    )
    return await show(request, page, form=form)
