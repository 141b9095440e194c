"""The visitor's team in a competition: entering, joining, inviting, renaming, leaving, merging."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request, Response

from podium.accounts.authentication.sign_up import SignUpMode, sign_up_mode
from podium.accounts.rules import RequestState
from podium.competitions.pages.competitions import rules_of
from podium.competitions.pages.layout import CompetitionPage, competition_layout
from podium.competitions.schemas.texts import RulesOut
from podium.errors import BadRequest
from podium.errors.codes import ErrorCode
from podium.http.pages.acts import FormAction, texts
from podium.http.pages.addresses import full_address
from podium.http.pages.api_calls import Answer, ApiProblem, ask, at, document_of
from podium.http.pages.fields import EMPTY, FormView, SentForm, after, read_form, refused
from podium.http.pages.layout import PageContext, require_visitor, show, visitor_of
from podium.http.paging import Listed
from podium.submissions.schemas import SubmissionOut
from podium.teams.schemas.teams import (
    EntryOut,
    InvitationOut,
    JoinRequestOut,
    MergeRequestOut,
    TeamName,
    TeamOut,
)

WISHES_SHOWN = 50

router = APIRouter(include_in_schema=False)

ACTS: Mapping[str, FormAction] = {
    "create": FormAction(
        "/teams",
        "team-made",
        lambda form: {
            "name": form.text("name"),
            "accept_rules": form.is_ticked("accept_rules"),
            "code": form.text("code"),
        },
        {
            ErrorCode.WRONG_CODE: "code",
            ErrorCode.NAME_TAKEN: "name",
            ErrorCode.BAD_NAME: "name",
            ErrorCode.RULES_NOT_ACCEPTED: "accept_rules",
        },
    ),
    "join": FormAction(
        "/teams/join",
        "team-joined",
        lambda form: {
            "invite_code": form.text("invite_code").strip(),
            "accept_rules": form.is_ticked("accept_rules"),
        },
        {ErrorCode.UNKNOWN_CODE: "invite_code", ErrorCode.RULES_NOT_ACCEPTED: "accept_rules"},
    ),
    "change-over": FormAction(
        "/teams/join",
        "team-joined",
        lambda form: {"invite_code": form.text("invite_code").strip(), "leave": True},
    ),
    "ask-to-join": FormAction("/join-request", "join-asked", texts("note")),
    "withdraw-request": FormAction("/join-request", "join-withdrawn", method="DELETE"),
    "rename": FormAction(
        "/team",
        "team-renamed",
        lambda form: {name: form.text(name) for name in TeamName.model_fields},
        {ErrorCode.NAME_TAKEN: "name", ErrorCode.BAD_NAME: "name"},
        method="PATCH",
    ),
    "renew-code": FormAction("/team/invite-code", "code-renewed"),
    "leave": FormAction("/team/leave", "team-left"),
    "ask": FormAction(
        "/team/merge-requests",
        "merge-asked",
        lambda form: {"team": form.text("team")},
        {
            ErrorCode.UNKNOWN_TEAM: "team",
            ErrorCode.SAME_TEAM: "team",
            ErrorCode.ALREADY_REQUESTED: "team",
        },
    ),
    "accept": FormAction("/team/merge-requests/{}/accept", "merge-accepted"),
    "decline": FormAction("/team/merge-requests/{}/decline", "merge-declined"),
    "withdraw": FormAction("/team/merge-requests/{}/withdraw", "merge-withdrawn"),
}
"""By the value of the button; addresses are those below the competition."""


@dataclass(frozen=True, kw_only=True)
class Ways:
    """The ways into a team; `code` is an invite code that a member shared and `invitation` the team
    behind it, `class_code` the code that was typed at the sign-up, `asked` the visitor's request to
    enter."""

    entry: EntryOut
    rules: RulesOut | None
    code: str
    class_code: str
    invitation: InvitationOut | None
    asked: JoinRequestOut | None

    @property
    def needs_approval(self) -> bool:
        """True if an organizer has to approve the visitor first."""
        is_approved = self.asked is not None and self.asked.state == RequestState.APPROVED
        return self.entry.registration == "approval" and not is_approved

    @property
    def heading(self) -> str:
        """The heading of the visitor's next step."""
        return "Join a team" if self.code else "Join the competition"


@dataclass(frozen=True, kw_only=True)
class EnterPage(CompetitionPage):
    """The ways into a team, below the tabs of the competition."""

    template: ClassVar[str] = "teams/enter.html"

    ways: Ways


@dataclass(frozen=True, kw_only=True)
class OutsiderPage(PageContext):
    """The ways into a team for a visitor who may enter a private competition but cannot see it
    yet."""

    template: ClassVar[str] = "teams/outsider.html"

    ways: Ways


@dataclass(frozen=True, kw_only=True)
class InvitationPage(PageContext):
    """A team's invitation for a visitor who has no account yet, or does not see the competition;
    `here` is the page after the sign-in."""

    template: ClassVar[str] = "teams/invitation.html"

    invitation: InvitationOut
    slug: str
    code: str
    here: str
    signup: SignUpMode


@dataclass(frozen=True, kw_only=True)
class TeamPage(CompetitionPage):
    """The visitor's team, its merge requests, and the address that lets others join; `other` is
    another team that invites the visitor."""

    template: ClassVar[str] = "teams/team.html"

    team: TeamOut
    wishes: list[MergeRequestOut]
    invite_address: str
    has_submitted: bool
    other: InvitationOut | None
    code: str


@router.get("/competitions/{slug}/team")
async def show_team(request: Request, slug: str, code: str = Query("", max_length=200)) -> Response:
    """Shows the team, or the two ways into one; `code` is an invite code, which requires neither an
    account nor a public competition."""
    return await _page(request, slug, code=code)


@router.post("/competitions/{slug}/team")
async def post_team(request: Request, slug: str) -> Response:
    """Carries out the action of the pressed button."""
    form = await read_form(request)
    name = form.text("act")
    act = ACTS.get(name)
    if act is None:
        raise BadRequest("The form has no such button.", code=ErrorCode.BAD_FORM)
    if name in ("leave", "accept") and not form.is_ticked("sure"):
        unsure = FormView(
            form, name, 422, "Nothing was done.", {"sure": "Tick the box to confirm."}
        )
        return await _page(request, slug, unsure)
    answer = await _run(request, slug, act, form)
    if answer.is_good:
        return after(f"/competitions/{slug}/team", act.done)
    shown = refused(answer, form, name=name, fields=act.fields)
    return await _page(request, slug, shown, code=form.text("invite_code").strip())


async def _invited(request: Request, slug: str, code: str) -> InvitationPage | None:
    """Builds the page of an invitation; None for an unknown code, and for a visitor who may see the
    competition itself."""
    seen = await ask(request, "GET", at("/competitions/{}", slug))
    if seen.is_good and await visitor_of(request) is not None:
        return None
    answer = await _ask_about(request, slug, code)
    if not answer.is_good:
        if await visitor_of(request) is None:
            # Signing in would not help: the code is unknown.
            raise ApiProblem(answer)
        return None
    here = f"/competitions/{slug}/team?{urlencode({'code': code})}"
    return InvitationPage(
        invitation=answer.read(InvitationOut),
        slug=slug,
        code=code,
        here=here,
        signup=sign_up_mode(request.app.state.application.settings),
    )


async def _ask_about(request: Request, slug: str, code: str) -> Answer:
    address = at("/competitions/{}/teams/invitation", slug)
    return await ask(request, "GET", address, params={"invite_code": code})


async def _invitation(request: Request, slug: str, code: str) -> InvitationOut | None:
    if not code:
        return None
    answer = await _ask_about(request, slug, code)
    return answer.read(InvitationOut) if answer.is_good else None


async def _has_submitted(request: Request, slug: str) -> bool:
    address = at("/competitions/{}/submissions", slug)
    return bool((await document_of(request, address, Listed[SubmissionOut], limit=1)).items)


async def _run(request: Request, slug: str, act: FormAction, form: SentForm) -> Answer:
    parts = [form.text("request_id") or "-"] if "{}" in act.path else []
    address = at("/competitions/{}" + act.path, slug, *parts)
    return await ask(request, act.method, address, json=act.body(form))


async def _entering(request: Request, slug: str, code: str) -> EnterPage | OutsiderPage:
    entry = await document_of(request, at("/competitions/{}/registration", slug), EntryOut)
    asked = None
    if entry.registration == "approval":
        found = await ask(request, "GET", at("/competitions/{}/join-request", slug))
        asked = found.read(JoinRequestOut) if found.status != 404 else None
    ways = Ways(
        entry=entry,
        rules=await rules_of(request, slug),
        code=code,
        class_code=request.query_params.get("class_code", "")[:200],
        invitation=await _invitation(request, slug, code),
        asked=asked,
    )
    if not (await ask(request, "GET", at("/competitions/{}", slug))).is_good:
        return OutsiderPage(ways=ways)
    return EnterPage(layout=await competition_layout(request, slug, here="team"), ways=ways)


async def _page(request: Request, slug: str, form: FormView = EMPTY, *, code: str = "") -> Response:
    if code and (invited := await _invited(request, slug, code)) is not None:
        return await show(request, invited, form=form)
    await require_visitor(request)
    answer = await ask(request, "GET", at("/competitions/{}/team", slug))
    if answer.status == 404 and answer.problem.code == ErrorCode.NO_TEAM:
        return await show(request, await _entering(request, slug, code), form=form)
    layout = await competition_layout(request, slug, here="team")
    team = answer.read(TeamOut)
    address = at("/competitions/{}/team/merge-requests", slug)
    wishes = await document_of(request, address, Listed[MergeRequestOut], limit=WISHES_SHOWN)
    invite_path = f"/competitions/{slug}/team?code={team.invite_code}"
    page = TeamPage(
        layout=layout,
        team=team,
        wishes=wishes.items,
        invite_address=full_address(request, invite_path),
        has_submitted=await _has_submitted(request, slug),
        other=await _invitation(request, slug, code) if code != team.invite_code else None,
        code=code,
    )
    return await show(request, page, form=form)
