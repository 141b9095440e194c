"""All teams of a competition: created, renamed, tagged, merged, disqualified; their people."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from fastapi import APIRouter, Request, Response

from podium.competitions.pages.sections import SectionPage, address_of, dashboard_of
from podium.errors import NotFound
from podium.http.pages.acts import FormAction, act_named, carry_out, texts
from podium.http.pages.api_calls import Json, at, document_of
from podium.http.pages.fields import EMPTY, FormView, SentForm, read_form
from podium.http.pages.layout import show
from podium.http.pages.lists import listed_of
from podium.http.paging import Listed
from podium.submissions.schemas import SubmissionOut
from podium.teams.pages.names import person_named, team_named
from podium.teams.schemas.teams import ListedTeamOut, ManagedTeamOut

router = APIRouter(include_in_schema=False)

LIMIT = 100

TAGS = ("organizer", "baseline", "hidden")


@dataclass(frozen=True, kw_only=True)
class TeamsSection(SectionPage):
    """All teams, or those that were searched for."""

    template: ClassVar[str] = "teams/organizer/teams.html"
    section: ClassVar[str] = "teams"

    listed: Listed[ListedTeamOut]
    text: str


@dataclass(frozen=True, kw_only=True)
class TeamSection(SectionPage):
    """One team with its files."""

    template: ClassVar[str] = "teams/organizer/team.html"
    section: ClassVar[str] = "teams"

    team: ManagedTeamOut
    files: Listed[SubmissionOut]


def _team(form: SentForm) -> Json:
    return {"name": form.text("name").strip(), "members": form.text("members").splitlines()}


def _changes(form: SentForm) -> Json:
    """Collects the new name and tags; existing tags stay, except for `hidden`, which the form
    sets."""
    kept = [tag for tag in form.texts("tag") if tag in TAGS and tag != "hidden"]
    hidden = ["hidden"] if form.is_ticked("hidden") else []
    return {"name": form.text("name").strip(), "tags": [*kept, *hidden]}


MAKING = {
    "team": FormAction("/admin/competitions/{}/teams", "team-made-for", _team),
    "baseline": FormAction("/admin/competitions/{}/baselines", "baseline-made", texts("name")),
}
"""Forms for new teams, by the end of their addresses."""

ACTS = {
    "change": FormAction("/admin/teams/{}", "team-changed", _changes, method="PATCH"),
    "disqualify": FormAction("/admin/teams/{}/disqualify", "team-disqualified", texts("reason")),
    "reinstate": FormAction("/admin/teams/{}/reinstate", "team-reinstated", texts("reason")),
    "put-member": FormAction(
        "/admin/teams/{}/put-member", "member-put", texts("user_id", "reason")
    ),
    "remove-member": FormAction(
        "/admin/teams/{}/remove-member", "member-removed", texts("user_id", "reason")
    ),
    "merge": FormAction(
        "/admin/teams/{}/merge", "teams-merged", texts("team_id", "reason"), is_dangerous=True
    ),
}
"""Forms for actions on one team."""


@router.get("/organize/{slug}/teams")
async def show_teams(request: Request, slug: str) -> Response:
    """Lists teams, oldest first, including hidden and merged ones; `text` finds names of teams and
    people."""
    return await _page(request, slug)


@router.post("/organize/{slug}/teams/new/{kind}")
async def post_team(request: Request, slug: str, kind: str) -> Response:
    """Creates a team, or a baseline. Members are given by names or ids."""
    if kind not in MAKING:
        raise NotFound("There is no such form.")
    form = await read_form(request)
    named = [line.strip() for line in form.text("members").splitlines() if line.strip()]
    ids = [await person_named(request, name) for name in named]

    return await carry_out(
        request,
        MAKING[kind],
        slug,
        form=_with(form, members="\n".join(ids)),
        back=address_of(slug, "/teams"),
        again=partial(_page, request, slug),
        typed=form,
        name=kind,
    )


@router.get("/organize/{slug}/teams/{team_id}")
async def show_team(request: Request, slug: str, team_id: str) -> Response:
    """Shows one team with its people and its files."""
    return await _one(request, slug, team_id)


@router.post("/organize/{slug}/teams/{team_id}/{name}")
async def post_act(request: Request, slug: str, team_id: str, name: str) -> Response:
    """Carries out an action on one team. People and teams are given by names or ids."""
    act, form = act_named(ACTS, name), await read_form(request)
    team = await document_of(request, at("/admin/teams/{}", team_id), ManagedTeamOut)
    given = form
    if name == "put-member":
        given = _with(form, user_id=await person_named(request, form.text("user_id").strip()))
    if name == "merge":
        given = _with(form, team_id=await team_named(request, slug, form.text("team_id").strip()))
    return await carry_out(
        request,
        act,
        team_id,
        form=given,
        back=address_of(slug, f"/teams/{team_id}"),
        again=partial(_one, request, slug, team_id),
        typed=form,
        name=name,
        confirm=team.name,
    )


def _with(form: SentForm, **changes: str) -> SentForm:
    return SentForm({**form.fields, **{name: [text] for name, text in changes.items()}})


async def _page(request: Request, slug: str, form: FormView = EMPTY) -> Response:
    layout = await dashboard_of(request, slug)
    text = request.query_params.get("text", "").strip()[:100]
    path = at("/admin/competitions/{}/teams", slug)
    listed = await listed_of(request, path, Listed[ListedTeamOut], limit=LIMIT, text=text or None)
    return await show(request, TeamsSection(layout=layout, listed=listed, text=text), form=form)


async def _one(request: Request, slug: str, team_id: str, form: FormView = EMPTY) -> Response:
    layout = await dashboard_of(request, slug)
    team = await document_of(request, at("/admin/teams/{}", team_id), ManagedTeamOut)
    if team.competition != slug:
        raise NotFound("This competition has no such team.")
    files = await document_of(
        request,
        at("/admin/competitions/{}/submissions", slug),
        Listed[SubmissionOut],
        team=team_id,
        limit=LIMIT,
    )
    return await show(request, TeamSection(layout=layout, team=team, files=files), form=form)
