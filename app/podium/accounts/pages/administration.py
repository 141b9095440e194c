"""Accounts of the installation: seen and created by organizers, changed by the administrator.
Tokens and links of new credentials are shown only in the answer to their form."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel

from podium.accounts.authentication.sign_up import SignUpMode, sign_up_mode
from podium.accounts.schemas import MadeUser, OneUser, UserOut
from podium.errors.codes import ErrorCode
from podium.http.pages.acts import FormAction, act_named, carry_out, shown_refusal
from podium.http.pages.addresses import full_address
from podium.http.pages.api_calls import Json, ask, at, document_of
from podium.http.pages.fields import EMPTY, FormView, SentForm, read_form, sent_time
from podium.http.pages.layout import PageContext, require_organizer, require_visitor, show
from podium.http.pages.lists import listed_of
from podium.http.paging import Listed

router = APIRouter(include_in_schema=False)

LIMIT = 100


class ResetLink(BaseModel):
    """A link that gives a user new credentials."""

    address: str


@dataclass(frozen=True, kw_only=True)
class AccountsPage(PageContext):
    """All accounts, or those that match a search; `made` is a new one with its token."""

    template: ClassVar[str] = "accounts/organizer/accounts.html"

    listed: Listed[UserOut]
    text: str
    made: MadeUser | None
    signup: SignUpMode


@dataclass(frozen=True, kw_only=True)
class OneAccountPage(PageContext):
    """One account; `made` is a new link for it."""

    template: ClassVar[str] = "accounts/organizer/account.html"

    user: OneUser
    made: ResetLink | None


def _changes(form: SentForm) -> Json:
    return {
        "name": form.text("name").strip(),
        "organizer": form.is_ticked("organizer"),
        "disabled": form.is_ticked("disabled"),
    }


def _goodbye(form: SentForm) -> Json:
    return {"confirm": form.text("confirm").strip()}


ACTS = {
    "change": FormAction("/admin/users/{}", "account-changed", _changes, method="PATCH"),
    "delete": FormAction(
        "/admin/users/{}", "person-deleted", _goodbye, is_dangerous=True, method="DELETE"
    ),
}
"""Actions of the administrator on an account; a deletion wants its name."""


@router.get("/organizers/accounts")
async def show_accounts(request: Request) -> Response:
    """Lists accounts, oldest first; `text` finds names."""
    return await _page(request)


@router.post("/organizers/accounts")
async def post_account(request: Request) -> Response:
    """Creates an account, and shows its first token."""
    form = await read_form(request)
    body = {"name": form.text("name").strip(), "organizer": form.is_ticked("organizer")}
    answer = await ask(request, "POST", "/api/v1/admin/users", json=body)
    if answer.is_good:
        return await _page(request, made=answer.read(MadeUser))
    shown = shown_refusal(answer, form, name="new", fields={ErrorCode.NAME_TAKEN: "name"})
    return await _page(request, form=shown)


@router.get("/organizers/accounts/{user_id}")
async def show_account(request: Request, user_id: str) -> Response:
    """Shows one account, with the administrator's actions."""
    return await _one(request, user_id)


@router.post("/organizers/accounts/{user_id}/reset-link")
async def post_reset_link(request: Request, user_id: str) -> Response:
    """Creates a link that gives a user new credentials, and shows it."""
    form = await read_form(request)
    expires_at = sent_time(form.text("expires_at").strip())
    answer = await ask(
        request,
        "POST",
        at("/admin/users/{}/reset-link", user_id),
        json={"expires_at": expires_at} if expires_at else {},
    )
    if answer.is_good:
        address = full_address(request, answer.read(ResetLink).address)
        return await _one(request, user_id, made=ResetLink(address=address))
    fields: dict[str, str] = {ErrorCode.BAD_DATE: "expires_at"}
    return await _one(request, user_id, shown_refusal(answer, form, name="reset", fields=fields))


@router.post("/organizers/accounts/{user_id}/{name}")
async def post_act(request: Request, user_id: str, name: str) -> Response:
    """Changes or deletes an account, by the action's name."""
    act = act_named(ACTS, name)
    user = await document_of(request, at("/admin/users/{}", user_id), OneUser)

    back = "/organizers/accounts" if name == "delete" else f"/organizers/accounts/{user_id}"
    return await carry_out(
        request,
        act,
        user_id,
        back=back,
        again=partial(_one, request, user_id),
        name=name,
        confirm=user.name,
    )


async def _page(
    request: Request, *, form: FormView = EMPTY, made: MadeUser | None = None
) -> Response:
    await require_organizer(request)
    text = request.query_params.get("text", "").strip()[:100]
    listed = await listed_of(
        request, "/api/v1/admin/users", Listed[UserOut], limit=LIMIT, text=text or None
    )
    mode = sign_up_mode(request.app.state.application.settings)
    page = AccountsPage(listed=listed, text=text, made=made, signup=mode)
    return await show(request, page, form=form)


async def _one(
    request: Request, user_id: str, form: FormView = EMPTY, *, made: ResetLink | None = None
) -> Response:
    await require_visitor(request)
    user = await document_of(request, at("/admin/users/{}", user_id), OneUser)
    return await show(request, OneAccountPage(user=user, made=made), form=form)
