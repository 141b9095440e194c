"""Routes about oneself: who am I, my tokens."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from podium.accounts.authentication.callers import SignedIn
from podium.accounts.schemas import MadeToken, Me, TokenOut, own_teams_out
from podium.accounts.service import accounts, tokens
from podium.core.models import AccessToken
from podium.errors.codes import ErrorCode
from podium.http.paging import Listed, Paging
from podium.http.schemas import GivenTime, Input, example, problems
from podium.http.streaming.strict_json import strict_router
from podium.http.transactions import Reading, Writing

router = strict_router(tag="accounts")


class NewToken(Input):
    """A token to make; every member may be left out."""

    model_config = example(label="laptop")

    label: Annotated[str | None, Field(examples=["laptop"])] = None
    """A name by which you recognize the token later."""
    expires_at: GivenTime | None = None
    """The time at which the token stops working. Null: never."""
    replaces: Annotated[str | None, Field(max_length=64)] = None
    """The id of a token that ends in the same moment. The new one takes over its label, its end and
    whatever was made with it."""


@router.get("/me", operation_id="getMe", summary="Who am I")
def get_me(session: Reading, actor: SignedIn) -> Me:
    """The account behind the token, its teams, and the competitions that it organizes."""
    me = accounts.describe_self(session, actor=actor)
    user = me.user
    return Me.of(
        user,
        administrator=user.is_administrator,
        organizer=user.is_organizer,
        has_password=user.password_hash is not None,
        teams=own_teams_out(me.teams),
        organizes=list(me.organizes),
    )


@router.post(
    "/me/tokens",
    operation_id="createToken",
    summary="Make a further token",
    status_code=201,
    responses=problems(
        404,
        ErrorCode.BAD_DATE,
        ErrorCode.ADMINISTRATOR,
        ErrorCode.BAD_LABEL,
        ErrorCode.TOKEN_ENDS,
        ErrorCode.TOO_MANY_TOKENS,
        ErrorCode.WIDER_TOKEN,
    ),
)
def post_token(session: Writing, actor: SignedIn, body: NewToken | None = None) -> MadeToken:
    """The answer is the only place where the token's text is ever shown. A token that is made with
    a token ends no later than that one, and is revoked with it."""
    given = body or NewToken()
    wanted = tokens.WantedToken(given.label, given.expires_at, given.replaces)
    row, token = tokens.create_token(session, actor=actor, wanted=wanted)
    return MadeToken.of(_token_out(row), token=token)


@router.get("/me/tokens", operation_id="listTokens", summary="My tokens")
def get_tokens(session: Reading, actor: SignedIn, page: Paging) -> Listed[TokenOut]:
    """Tokens that were not revoked, oldest first; never their texts."""
    rows = tokens.list_tokens(session, actor=actor, after_id=page.after_text, limit=page.fetch)
    return page.listed(rows, key=lambda row: (row.id,), show=_token_out)


@router.delete(
    "/me/tokens/{token_id}",
    operation_id="revokeToken",
    summary="Revoke one of my tokens",
    status_code=204,
    responses=problems(ErrorCode.LAST_WAY_IN, ErrorCode.PASSWORD_NEEDED),
)
def delete_token(session: Writing, actor: SignedIn, token_id: str) -> None:
    """It is refused from the next request on, and so is whatever was made with it: tokens,
    browsers that it signed in, and a first password. A token that did not make it may not remove
    that password so (`password-needed`)."""
    tokens.revoke_token(session, actor=actor, token_id=token_id)


def _token_out(row: AccessToken) -> TokenOut:
    return TokenOut.of(row, made_by=row.parent_id)
