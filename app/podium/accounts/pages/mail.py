"""Pages about links that are sent by mail: the request for a new password, its confirmation, and
the page of a link, which creates an account or sets a password.

Opening a link does not use it up, so programs that scan mail do no harm.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from podium.accounts.authentication.credentials import Checks
from podium.accounts.authentication.mail import MailApplicant, ask_for_password, use_mail_link
from podium.accounts.authentication.sign_up import SignUpLimits, require_mode
from podium.accounts.pages.sign_in import end_earlier
from podium.accounts.rules import MailLinkKind
from podium.accounts.service import mail_links
from podium.accounts.service.mail_links import MailLinkView
from podium.application import Application
from podium.errors import NotFound, PodiumError
from podium.errors.codes import ErrorCode
from podium.http.cookies import session_cookie, set_session_cookie
from podium.http.deps import Address, App
from podium.http.errors import status_of
from podium.http.pages.fields import EMPTY, FormView, after, read_form, refusal_of
from podium.http.pages.layout import PageContext, show
from podium.http.transactions import read_with

router = APIRouter(include_in_schema=False)

FIELDS: Mapping[str, str] = {
    ErrorCode.NAME_TAKEN: "name",
    ErrorCode.BAD_NAME: "name",
    ErrorCode.BAD_PASSWORD: "password",
    ErrorCode.BAD_MAIL: "mail",
}
"""The field of the form that each refusal belongs to."""

NO_MAIL = "This installation sends no mail. Ask an organizer for a link."


@dataclass(frozen=True, kw_only=True)
class MailLinkPage(PageContext):
    """A link that can be used, or the reason why it is `wrong`."""

    template: ClassVar[str] = "accounts/mail_link.html"

    link: MailLinkView | None = None
    wrong: str | None = None


@dataclass(frozen=True, kw_only=True)
class ForgotPasswordPage(PageContext):
    """The form that requests a new password."""

    template: ClassVar[str] = "accounts/forgot_password.html"


@dataclass(frozen=True, kw_only=True)
class MailSentPage(PageContext):
    """The same answer to all requests for a mail; `again` is the page of the request."""

    template: ClassVar[str] = "accounts/mail_sent.html"

    again: str


@router.get("/sign-up/sent")
async def show_sign_up_sent(request: Request, app: App) -> Response:
    """Shows the confirmation, which is the same for known and unknown addresses."""
    require_mode(app, "open")
    return await show(request, MailSentPage(again="/sign-up"))


@router.get("/forgot-password")
async def show_forgot_password(request: Request, app: App) -> Response:
    """Shows the form, where the installation sends mail."""
    return await _forgot_password(request, app)


@router.post("/forgot-password")
async def post_forgot_password(request: Request, app: App, address: Address) -> Response:
    """Requests a link by mail for a new password."""
    form = await read_form(request)
    limits: SignUpLimits = request.app.state.sign_up_limits
    try:
        await ask_for_password(app, limits, MailApplicant(form.text("mail"), address))
    except PodiumError as error:
        return await _forgot_password(request, app, refusal_of(form, error, FIELDS))
    return RedirectResponse("/forgot-password/sent", status_code=303)


@router.get("/forgot-password/sent")
async def show_forgot_password_sent(request: Request, app: App) -> Response:
    """Shows the confirmation, which is the same for known and unknown addresses."""
    _require_mail(app)
    return await show(request, MailSentPage(again="/forgot-password"))


@router.get("/mail-links/{code}")
async def show_mail_link(request: Request, code: str, app: App) -> Response:
    """Shows the purpose of the link, and the form to use it."""
    try:
        view = await read_with(app, mail_links.look_at, code=code)
    except PodiumError as error:
        return await _gone(request, error)
    return await _form(request, view)


@router.post("/mail-links/{code}")
async def post_mail_link(
    request: Request, code: str, app: App, checks: Checks, address: Address
) -> Response:
    """Uses the link and signs its holder in; shows the form again where a field is wrong."""
    form = await read_form(request)
    try:
        view = await read_with(app, mail_links.look_at, code=code)
        _, _, cookie = await use_mail_link(
            app,
            checks,
            code=code,
            name=form.text("name"),
            password=form.text("password"),
            address=address,
            browser=request.headers.get("user-agent", ""),
        )
    except PodiumError as error:
        if error.code in (ErrorCode.UNKNOWN_LINK, ErrorCode.MAIL_TAKEN):
            return await _gone(request, error)
        return await _form(request, view, refusal_of(form, error, FIELDS))
    await end_earlier(app, session_cookie(request), address)
    response = _onward(view)
    if cookie is not None:
        set_session_cookie(request, response, cookie)
    return response


def _onward(view: MailLinkView) -> RedirectResponse:
    """Redirects to the page that the holder of a used link came from, or to the first one with a
    message."""
    if view.kind is MailLinkKind.RESET:
        return after("/", "password-set")
    if view.next_address == "/":
        return after("/", "signed-up")
    return RedirectResponse(view.next_address, status_code=303)


def _require_mail(app: Application) -> None:
    if app.mailer is None:
        raise NotFound(NO_MAIL)


async def _forgot_password(request: Request, app: Application, form: FormView = EMPTY) -> Response:
    _require_mail(app)
    return await show(request, ForgotPasswordPage(), form=form)


async def _form(request: Request, view: MailLinkView, form: FormView = EMPTY) -> Response:
    return await show(request, MailLinkPage(link=view), form=form)


async def _gone(request: Request, error: PodiumError) -> Response:
    return await show(request, MailLinkPage(wrong=error.detail), status=status_of(error))
