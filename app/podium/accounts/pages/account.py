"""The visitor's own account: tokens, browser sessions, the password, and its deletion."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import ClassVar
from urllib.parse import urlsplit

from fastapi import APIRouter, Request, Response

from podium.accounts.schemas import MadeToken, Me, PageSessionOut, TokenOut
from podium.errors import BadRequest
from podium.errors.codes import ErrorCode
from podium.http.cookies import forget_session_cookie
from podium.http.pages.api_calls import ask, at, document_of
from podium.http.pages.fields import EMPTY, FormView, SentForm, after, read_form, refused
from podium.http.pages.layout import PageContext, require_visitor, show
from podium.http.paging import Listed

LAST_ZONE = timezone(timedelta(hours=-12))
"""The time zone in which a day ends last."""

TOKENS_SHOWN = 50
"""As many as an account may have."""

ONLY_WAY_IN = (
    "Without this token you could not sign in again. Set a password or create another token first."
)

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, kw_only=True)
class AccountPage(PageContext):
    """The visitor's account. `made` is a token that was just created, `provider` the host of an
    alternative sign-in."""

    template: ClassVar[str] = "accounts/account.html"

    me: Me
    tokens: Listed[TokenOut]
    sessions: Listed[PageSessionOut]
    made: MadeToken | None
    provider: str | None


@router.get("/account")
async def show_account(request: Request) -> Response:
    """Shows the visitor's account, with every open means of signing in."""
    return await _page(request)


@router.post("/account")
async def post_account(request: Request) -> Response:
    """Carries out the action of the pressed button."""
    form = await read_form(request)
    act = ACTS.get(form.text("act"))
    if act is None:
        raise BadRequest("The form has no such button.", code=ErrorCode.BAD_FORM)
    return await act(request, form)


async def _make_token(request: Request, form: SentForm) -> Response:
    """Shows the token's text on this answer and on no other."""
    wanted = {"label": form.text("label").strip()}
    typed = form.text_or_none("expires_on")
    if typed is not None:
        end = end_of_day(typed)
        if end is None:
            return await _page(request, _wrong_day(form, "This is not a day, such as 2026-11-20."))
        wanted["expires_at"] = end.isoformat()
    answer = await ask(request, "POST", "/api/v1/me/tokens", json=wanted)
    if answer.is_good:
        return await _page(request, made=answer.read(MadeToken))
    if answer.problem.code == ErrorCode.BAD_DATE:
        return await _page(request, _wrong_day(form, "This day has passed everywhere."))
    fields: dict[str, str] = {ErrorCode.BAD_LABEL: "label"}
    return await _page(request, refused(answer, form, name="token", fields=fields))


def end_of_day(typed: str) -> datetime | None:
    """Computes the last second of a day, where its clock is furthest behind; None for an invalid
    day.

    Browsers send the day as the user chose it, without a time zone: in the west it is still that
    day when it has ended in UTC.

    >>> str(end_of_day("2026-12-31"))
    '2027-01-01 11:59:59+00:00'
    """
    try:
        day = date.fromisoformat(typed)
        return datetime.combine(day, time(23, 59, 59), LAST_ZONE).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _wrong_day(form: SentForm, words: str) -> FormView:
    return FormView(form, "token", 422, "Look at the marked fields.", {"expires_on": words})


async def _revoke_token(request: Request, form: SentForm) -> Response:
    if await _is_only_way_in(request, form.text("id")):
        return await _page(request, FormView(form, "tokens", 409, ONLY_WAY_IN))
    return await _ended(request, form, "/me/tokens/{}", "token-revoked", "tokens")


async def _is_only_way_in(request: Request, token_id: str) -> bool:
    """True if the visitor could not sign in again without this token, as far as is known here."""
    await require_visitor(request)
    listed = await document_of(request, "/api/v1/me/tokens", Listed[TokenOut], limit=TOKENS_SHOWN)
    if [token.id for token in listed.items] != [token_id]:
        return False
    me = await document_of(request, "/api/v1/me", Me)
    has_password = me.has_password and not listed.items[0].set_password
    return not has_password and not request.app.state.application.settings.oidc_issuer


async def _end_session(request: Request, form: SentForm) -> Response:
    return await _ended(request, form, "/me/sessions/{}", "session-ended", "browsers")


async def _ended(request: Request, form: SentForm, path: str, done: str, place: str) -> Response:
    answer = await ask(request, "DELETE", at(path, form.text("id") or "-"))
    if answer.is_good:
        return after(f"/account#{place}", done)
    return await _page(request, refused(answer, form, name=place))


async def _set_password(request: Request, form: SentForm) -> Response:
    if form.text("password") != form.text("password_again"):
        differs = {"password_again": "This is not what you typed above."}
        return await _page(
            request, FormView(form, "password", 422, "The two passwords differ.", differs)
        )
    wanted = {
        "password": form.text("password"),
        "current_password": form.text("current_password") or None,
    }
    answer = await ask(request, "PUT", "/api/v1/me/password", json=wanted)
    if answer.is_good:
        return after("/account", "password-set")
    fields: dict[str, str] = {
        ErrorCode.BAD_PASSWORD: "password",
        ErrorCode.PASSWORD_NEEDED: "current_password",
        ErrorCode.WRONG_CREDENTIALS: "current_password",
    }
    shown = refused(answer, form, name="password", fields=fields)
    if answer.problem.code == ErrorCode.WRONG_CREDENTIALS:
        # Here the account is known, and has a password.
        wrong = "This is not your password."
        shown = replace(shown, summary=wrong, problems={"current_password": wrong})
    return await _page(request, shown)


async def _delete(request: Request, form: SentForm) -> Response:
    answer = await ask(request, "DELETE", "/api/v1/me", json={"confirm": form.text("confirm")})
    if not answer.is_good:
        fields: dict[str, str] = {ErrorCode.NOT_CONFIRMED: "confirm"}
        return await _page(request, refused(answer, form, name="delete", fields=fields))
    response = after("/", "account-deleted")
    forget_session_cookie(request, response)
    return response


async def _page(
    request: Request, form: FormView = EMPTY, *, made: MadeToken | None = None
) -> Response:
    await require_visitor(request)
    settings = request.app.state.application.settings
    page = AccountPage(
        me=await document_of(request, "/api/v1/me", Me),
        tokens=await document_of(
            request, "/api/v1/me/tokens", Listed[TokenOut], limit=TOKENS_SHOWN
        ),
        sessions=await document_of(request, "/api/v1/me/sessions", Listed[PageSessionOut]),
        made=made,
        provider=urlsplit(settings.oidc_issuer).hostname,
    )
    return await show(request, page, form=form)


ACTS: dict[str, Callable[[Request, SentForm], Awaitable[Response]]] = {
    "token": _make_token,
    "revoke-token": _revoke_token,
    "end-session": _end_session,
    "password": _set_password,
    "delete": _delete,
}
"""By the value of the button."""
