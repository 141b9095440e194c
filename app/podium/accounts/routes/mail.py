"""Routes of accounts that are made, or get another password, by a link that was sent by mail."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from pydantic import Field

from podium.accounts.authentication.callers import refuse_bad_token
from podium.accounts.authentication.credentials import Checks
from podium.accounts.authentication.mail import (
    MailApplicant,
    ask_for_account,
    ask_for_password,
    use_mail_link,
)
from podium.accounts.routes.sign_up import GivenName, GivenPassword, Limits
from podium.accounts.schemas import MailAsked, MailLinkOut, SignedUp
from podium.accounts.service import mail_links
from podium.errors.codes import ErrorCode
from podium.http.deps import Address, App
from podium.http.schemas import Input, PersonOut, problems
from podium.http.streaming.strict_json import strict_router
from podium.http.transactions import Reading

router = strict_router(tag="accounts")

ASKED = MailAsked(link_seconds=int(mail_links.LIFETIME.total_seconds()))
"""The one answer to everyone who asks for a mail."""

GivenMail = Annotated[str, Field(max_length=1000, examples=["ada@example.org"])]


class NewMailSignUp(Input):
    """An account to make, once its mail address is proven."""

    name: GivenName
    mail: GivenMail
    """The address to which the link is sent."""


class ForgottenPassword(Input):
    """A request for a link that sets a new password."""

    mail: GivenMail
    """The proven address of the account."""


class MailLinkUse(Input):
    """What the holder of a mailed link enters."""

    password: GivenPassword
    name: GivenName | None = None
    """Another name for a new account than was asked for. Null: the same."""


@router.post(
    "/sign-up/mail",
    operation_id="signUpByMail",
    summary="Have a link sent that makes an account",
    status_code=202,
    responses=problems(
        ErrorCode.BAD_MAIL,
        ErrorCode.BAD_NAME,
        ErrorCode.NO_MAIL,
        ErrorCode.SIGN_UP_OFF,
        ErrorCode.TOO_MANY_ATTEMPTS,
        ErrorCode.MAIL_FAILED,
    ),
    dependencies=[Depends(refuse_bad_token)],
)
async def post_mail(body: NewMailSignUp, app: App, limits: Limits, address: Address) -> MailAsked:
    """Where `mode` is `open`. The answer is the same whether the address, or the name, has an
    account or not: the mail says it. 503 `mail-failed` where the mail server takes no mail."""
    await ask_for_account(app, limits, MailApplicant(body.mail, address, body.name))
    return ASKED


@router.post(
    "/forgot-password",
    operation_id="forgotPassword",
    summary="Have a link sent that sets another password",
    status_code=202,
    responses=problems(
        ErrorCode.BAD_MAIL, ErrorCode.NO_MAIL, ErrorCode.TOO_MANY_ATTEMPTS, ErrorCode.MAIL_FAILED
    ),
    dependencies=[Depends(refuse_bad_token)],
)
async def post_forgotten(
    body: ForgottenPassword, app: App, limits: Limits, address: Address
) -> MailAsked:
    """Where the installation sends mail (403 `no-mail`). The answer is the same whether the address
    has an account or not: the mail says it."""
    await ask_for_password(app, limits, MailApplicant(body.mail, address))
    return ASKED


@router.get(
    "/mail-links/{code}",
    operation_id="getMailLink",
    summary="What a link of a mail does",
    responses=problems(ErrorCode.UNKNOWN_LINK),
    dependencies=[Depends(refuse_bad_token)],
)
def get_link(session: Reading, code: str) -> MailLinkOut:
    """Looking uses nothing up. 404 `unknown-link` for one that was used, or is older than 24
    hours."""
    return MailLinkOut.of(mail_links.look_at(session, code=code))


@router.post(
    "/mail-links/{code}",
    operation_id="useMailLink",
    summary="Use a link of a mail",
    status_code=201,
    responses=problems(
        429,
        ErrorCode.BAD_NAME,
        ErrorCode.BAD_PASSWORD,
        ErrorCode.MAIL_TAKEN,
        ErrorCode.NAME_TAKEN,
        ErrorCode.UNKNOWN_LINK,
    ),
    dependencies=[Depends(refuse_bad_token)],
)
async def post_link(
    body: MailLinkUse, code: str, app: App, checks: Checks, address: Address
) -> SignedUp:
    """Once: makes the account (`sign-up`), or sets its password and ends its tokens and sessions
    (`reset`). 409 `name-taken` leaves the link as it was: send another `name`."""
    user, token, _ = await use_mail_link(
        app, checks, code=code, name=body.name, password=body.password, address=address
    )
    return SignedUp(account=PersonOut(id=user.id, name=user.name), token=token)
