"""The page of a link: a form that works without JavaScript, and its result.

Opening a link does not use it up, so programs that preview links do no harm. The code in the
address protects the form: only a holder of the link can send it. A user who sets a password is
signed in at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from fastapi import APIRouter, Request, Response

from podium.accounts.authentication.callers import MaybeActor
from podium.accounts.authentication.credentials import Checks
from podium.accounts.pages.sign_in import end_earlier
from podium.application import Application
from podium.core.access import Actor
from podium.errors import PodiumError
from podium.errors.codes import ErrorCode
from podium.http.cookies import session_cookie, set_session_cookie
from podium.http.deps import Address, App
from podium.http.errors import status_of
from podium.http.pages.fields import EMPTY, FormView, SentForm, read_form, refusal_of
from podium.http.pages.layout import PageContext, Visitor, show
from podium.http.transactions import read_with
from podium.teams.authentication import follow_link
from podium.teams.rules import LinkKind
from podium.teams.service import links
from podium.teams.service.forming import TeamNameTaken
from podium.teams.service.link_use import Given, Used
from podium.teams.service.links import LinkView

GONE = "This link does not work"

FIELDS: Mapping[str, str] = {
    ErrorCode.NAME_TAKEN: "name",
    ErrorCode.BAD_NAME: "name",
    ErrorCode.NAME_MISSING: "name",
    ErrorCode.BAD_PASSWORD: "password",
    ErrorCode.RULES_NOT_ACCEPTED: "accept_rules",
}
"""The field of the form that each refusal belongs to."""

HEADINGS: Mapping[LinkKind, str] = {
    LinkKind.INVITE: "You are invited",
    LinkKind.RESET: "New credentials",
    LinkKind.FIRST: "Welcome to Podium",
}

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, kw_only=True)
class LinkPage(PageContext):
    """A link that can be used, one that was `used` just now, or the reason why it is `wrong`."""

    template: ClassVar[str] = "teams/link.html"

    heading: str
    link: LinkView | None = None
    used: Used | None = None
    is_signed_in: bool = False
    wrong: str | None = None


@router.get("/links/{code}")
async def show_link(request: Request, code: str, app: App) -> Response:
    """Shows the purpose of the link, and the form to use it."""
    try:
        view = await read_with(app, links.look_at, code=code)
    except PodiumError as error:
        return await _gone(request, error)
    return await _form(request, view)


@router.post("/links/{code}")
async def post_link(
    request: Request, code: str, app: App, checks: Checks, actor: MaybeActor, address: Address
) -> Response:
    """Uses the link with the fields of the form; shows the form again where they are wrong."""
    form = await read_form(request)
    try:
        view = await read_with(app, links.look_at, code=code)
    except PodiumError as error:
        return await _gone(request, error)
    # A visitor with an account takes part with it; a reset is for the user whom it names.
    known = actor if view.kind is LinkKind.INVITE else None
    given = _given(form, known)
    try:
        used, cookie = await follow_link(
            app,
            checks,
            code=code,
            given=given,
            actor=known,
            address=address,
            browser=request.headers.get("user-agent", ""),
        )
    except PodiumError as error:
        if error.code == ErrorCode.UNKNOWN_LINK:
            return await _gone(request, error)
        fields = FIELDS
        if isinstance(error, TeamNameTaken):
            fields = {**FIELDS, error.code: "team"}
        return await _form(request, view, refusal_of(form, error, fields))
    return await _welcome(request, app, used, cookie, address)


async def _welcome(
    request: Request, app: Application, used: Used, cookie: str | None, address: str | None
) -> Response:
    if cookie is not None:
        await end_earlier(app, session_cookie(request), address)
        # Signed in by this response: its header shows that already.
        request.state.visitor = Visitor.named(used.user.id, used.user.name)
    page = await show(
        request, LinkPage(heading="Welcome", used=used, is_signed_in=cookie is not None)
    )
    if cookie is not None:
        set_session_cookie(request, page, cookie)
    return page


def _given(form: SentForm, actor: Actor | None) -> Given:
    is_new = actor is None
    return Given(
        name=form.text_or_none("name") if is_new else None,
        password=(form.text("password") or None) if is_new else None,
        team_name=form.text_or_none("team"),
        accepts_rules=form.is_ticked("accept_rules"),
    )


async def _form(request: Request, view: LinkView, form: FormView = EMPTY) -> Response:
    heading = HEADINGS[view.kind]
    return await show(request, LinkPage(heading=heading, link=view), form=form)


async def _gone(request: Request, error: PodiumError) -> Response:
    return await show(request, LinkPage(heading=GONE, wrong=error.detail), status=status_of(error))
