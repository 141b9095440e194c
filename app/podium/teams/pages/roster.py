"""A pasted or uploaded roster: first checked line by line, then entered, then printed as one card
for each new person. The links on the cards are shown in that one answer and never again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fastapi import APIRouter, Request, Response

from podium.competitions.pages.sections import SectionPage, address_of, dashboard_of
from podium.errors.codes import ErrorCode
from podium.http.pages.acts import shown_refusal
from podium.http.pages.addresses import full_address, unreachable_address
from podium.http.pages.api_calls import Json, ask
from podium.http.pages.fields import EMPTY, FormView, SentForm, read_form, sent_time
from podium.http.pages.layout import PageContext, require_organizer, show
from podium.scoring.inference.guessing import A_SHEET
from podium.teams.pages.links import links_as_csv
from podium.teams.rules.roster import NOT_TEXT, binary_problem
from podium.teams.schemas.rosters import EnteredRosterOut, RosterPlanOut

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, kw_only=True)
class RosterContext(PageContext):
    """The form, its preview (`plan`), and its result (`entered`); `action` is the address of the
    form, `unreachable` the base URL where only this machine can open it."""

    action: str
    home: str
    unreachable: str
    sent: SentForm
    plan: RosterPlanOut | None
    entered: EnteredRosterOut | None

    def context(self) -> dict[str, object]:
        """Adds the new links as CSV, and the refusals of files that are not text."""
        people = self.entered.people if self.entered else []
        links = links_as_csv((each.name, each.team, each.address) for each in people)
        return {**super().context(), "csv": links, "not_text": NOT_TEXT, "sheet": A_SHEET}


@dataclass(frozen=True, kw_only=True)
class AccountsRosterPage(RosterContext):
    """The roster form for accounts without a competition."""

    template: ClassVar[str] = "teams/organizer/accounts_roster.html"


@dataclass(frozen=True, kw_only=True)
class RosterSection(SectionPage, RosterContext):
    """A roster of a competition's participants."""

    template: ClassVar[str] = "teams/organizer/roster.html"
    section: ClassVar[str] = "people"


@router.get("/organize/{slug}/people/roster")
async def show_roster(request: Request, slug: str) -> Response:
    """Shows the form for participants and their teams."""
    return await _page(request, slug, SentForm({}))


@router.post("/organize/{slug}/people/roster")
async def post_roster(request: Request, slug: str) -> Response:
    """Previews or enters a roster of participants."""
    await dashboard_of(request, slug)
    return await _answer(request, slug)


@router.get("/organizers/roster")
async def show_accounts_roster(request: Request) -> Response:
    """Shows the form for accounts without a competition."""
    return await _page(request, None, SentForm({}))


@router.post("/organizers/roster")
async def post_accounts_roster(request: Request) -> Response:
    """Previews or enters a roster of accounts."""
    await require_organizer(request)
    return await _answer(request, None)


async def _answer(request: Request, slug: str | None) -> Response:
    form = await read_form(request)
    if problem := binary_problem(form.text("text")):
        emptied = SentForm({**form.fields, "text": [""]})
        shown = FormView(emptied, None, 422, "Look at the marked fields.", {"text": problem})
        return await _page(request, slug, emptied, shown=shown)
    is_final = form.text("act") == "create"
    path = "/api/v1/admin/roster" if is_final else "/api/v1/admin/roster/preview"
    answer = await ask(request, "POST", path, json=_body_of(form, slug))
    if not answer.is_good:
        fields: dict[str, str] = {ErrorCode.BAD_DATE: "expires_at"}
        return await _page(request, slug, form, shown=shown_refusal(answer, form, fields=fields))
    if not is_final:
        return await _page(request, slug, form, plan=answer.read(RosterPlanOut))
    entered = answer.read(EnteredRosterOut)
    for person in entered.people:
        if person.address is not None:
            person.address = full_address(request, person.address)
    return await _page(request, slug, form, entered=entered)


def _body_of(form: SentForm, slug: str | None) -> Json:
    given = {"competition": slug, "expires_at": sent_time(form.text("expires_at").strip())}
    return {
        **{name: value for name, value in given.items() if value is not None},
        "text": form.text("text"),
        "uses_existing": form.is_ticked("uses_existing"),
    }


async def _page(
    request: Request,
    slug: str | None,
    sent: SentForm,
    *,
    shown: FormView = EMPTY,
    plan: RosterPlanOut | None = None,
    entered: EnteredRosterOut | None = None,
) -> Response:
    # Also without problems, the text stays in the form, to be corrected.
    form = shown if shown.summary or not sent.fields else FormView(sent, status=201)
    home = full_address(request, f"/competitions/{slug}" if slug else "/")
    unreachable = unreachable_address(request)
    page: RosterContext
    if slug is None:
        await require_organizer(request)
        page = AccountsRosterPage(
            action="/organizers/roster",
            home=home,
            unreachable=unreachable,
            sent=sent,
            plan=plan,
            entered=entered,
        )
    else:
        page = RosterSection(
            layout=await dashboard_of(request, slug),
            action=address_of(slug, "/people/roster"),
            home=home,
            unreachable=unreachable,
            sent=sent,
            plan=plan,
            entered=entered,
        )
    return await show(request, page, form=form, status=shown.status)
