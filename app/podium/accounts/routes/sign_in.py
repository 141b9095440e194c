"""Routes of passwords and of the end of an account."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from pydantic import Field

from podium.accounts.authentication.callers import SignedIn, refuse_bad_token
from podium.accounts.authentication.credentials import Checks, change_password, check_sign_in
from podium.accounts.service.deletion import delete_account
from podium.errors.codes import ErrorCode
from podium.http.deps import Address, App
from podium.http.schemas import Document, Input, PersonOut, ShownTime, problems
from podium.http.streaming.strict_json import strict_router
from podium.http.transactions import Writing

router = strict_router(tag="accounts")

GivenPassword = Annotated[str, Field(max_length=1000, examples=["correct horse battery"])]


class SignIn(Input):
    """A name and its password."""

    name: Annotated[str, Field(max_length=1000, examples=["ada"])]
    """The name of the account."""
    password: GivenPassword
    """The account's password."""


class SignedInOut(Document):
    """The account and a token for it."""

    account: PersonOut
    """The account that signed in."""
    token: str
    """A bearer token, shown only here."""
    expires_at: ShownTime
    """The time at which the token stops working: 30 days from now."""


class NewPassword(Input):
    """A password to set."""

    password: GivenPassword
    """The new password, 10 to 256 characters."""
    current_password: GivenPassword | None = None
    """The password so far; needed if the account has one."""


class Goodbye(Input):
    """A confirmation, so that nothing is deleted by mistake."""

    confirm: Annotated[str, Field(max_length=1000, examples=["ada"])]
    """The name of the account, once more."""


@router.post(
    "/sign-in",
    operation_id="signIn",
    summary="A token for a name and a password",
    responses=problems(ErrorCode.WRONG_CREDENTIALS, ErrorCode.TOO_MANY_ATTEMPTS),
    dependencies=[Depends(refuse_bad_token)],
)
async def post_sign_in(body: SignIn, app: App, checks: Checks, address: Address) -> SignedInOut:
    """It works for 30 days. Failures are counted by name and by address; the answer is the same for
    a wrong password and for a name that nobody has."""
    user, token, expires_at = await check_sign_in(
        app, checks, name=body.name, password=body.password, address=address
    )
    account = PersonOut(id=user.id, name=user.name)
    return SignedInOut(account=account, token=token, expires_at=expires_at)


@router.put(
    "/me/password",
    operation_id="setPassword",
    summary="Set my password",
    status_code=204,
    responses=problems(
        429,
        ErrorCode.BAD_PASSWORD,
        ErrorCode.PASSWORD_CHANGED,
        ErrorCode.PASSWORD_NEEDED,
        ErrorCode.TOKEN_ENDS,
        ErrorCode.WRONG_CREDENTIALS,
    ),
)
async def put_password(body: NewPassword, actor: SignedIn, app: App, checks: Checks) -> None:
    """Tokens of earlier sign-ins end; those that were made otherwise stay. A first password that is
    set with a token is removed when that token is revoked."""
    await change_password(
        app, checks, actor=actor, password=body.password, current=body.current_password
    )


@router.delete(
    "/me",
    operation_id="deleteMe",
    summary="Delete my account, confirmed by its name",
    status_code=204,
    responses=problems(
        ErrorCode.NOT_ALLOWED, ErrorCode.LAST_ADMINISTRATOR, ErrorCode.NOT_CONFIRMED
    ),
)
def delete_me(body: Goodbye, actor: SignedIn, session: Writing) -> None:
    """The body repeats the account's name: `{"confirm": "ada"}`. Name, mail address, tokens and
    password go for good, and so do notes and file names of submissions, and the name of a team
    that has the account's and no other member; other teams, submissions and boards stay."""
    delete_account(session, actor=actor, user_id=actor.user_id, confirm=body.confirm)


@router.delete(
    "/admin/users/{user_id}",
    operation_id="deleteUser",
    summary="Delete an account, confirmed by its name",
    status_code=204,
    responses=problems(403, ErrorCode.LAST_ADMINISTRATOR, ErrorCode.NOT_CONFIRMED),
)
def delete_user(user_id: str, body: Goodbye, actor: SignedIn, session: Writing) -> None:
    """For the administrator. The body repeats the account's name: `{"confirm": "ada"}`. What was
    achieved stays on the boards."""
    delete_account(session, actor=actor, user_id=user_id, confirm=body.confirm)
