"""Routes about accounts and the audit log."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Response
from pydantic import Field

from podium.accounts.authentication.callers import SignedIn
from podium.accounts.schemas import (
    AuditActor,
    AuditOut,
    MadeUser,
    OneUser,
    UserOut,
    own_teams_out,
    user_out,
)
from podium.accounts.service import accounts
from podium.core import audit
from podium.core.audit import AuditFilter
from podium.core.models import AuditEntry
from podium.errors.codes import ErrorCode
from podium.http.members import Since, Until
from podium.http.paging import Listed, Paging
from podium.http.schemas import Input, example, problems
from podium.http.streaming.strict_json import strict_router
from podium.http.transactions import Reading, Writing

router = strict_router(tag="administration")


class NewUser(Input):
    """An account to make."""

    name: str = Field(examples=["ada"])
    """The name of the account, 1 to 64 visible characters; unique."""
    organizer: bool = False
    """True lets the account make competitions."""


class UserChanges(Input):
    """Keys you include are changed; the rest stay as they are."""

    model_config = example(organizer=True)

    name: str = Field(default="", min_length=1)
    """The new name of the account."""
    organizer: bool = False
    """True lets the account make competitions."""
    disabled: bool = False
    """True keeps the account out: its tokens and sessions stop working."""


@router.post(
    "/admin/users",
    operation_id="createUser",
    summary="Make an account",
    status_code=201,
    responses=problems(403, ErrorCode.BAD_NAME, ErrorCode.NAME_TAKEN),
)
def post_user(session: Writing, actor: SignedIn, body: NewUser, response: Response) -> MadeUser:
    """The answer is the only place where the first token is ever shown."""
    user, token = accounts.create_user(
        session, actor=actor, name=body.name, is_organizer=body.organizer
    )
    response.headers["Location"] = f"/api/v1/admin/users/{user.id}"
    return MadeUser.of(user_out(user), token=token)


@router.get("/admin/users", operation_id="listUsers", summary="Accounts", responses=problems(403))
def get_users(
    session: Reading,
    actor: SignedIn,
    page: Paging,
    text: Annotated[
        str | None, Query(min_length=1, max_length=100, description="A part of a name.")
    ] = None,
) -> Listed[UserOut]:
    """Oldest first; for organizers and the administrator."""
    rows = accounts.list_users(
        session, actor=actor, text=text, after_id=page.after_text, limit=page.fetch
    )
    return page.listed(rows, key=lambda row: (row.id,), show=user_out)


@router.get(
    "/admin/users/{user_id}", operation_id="getUser", summary="One account", responses=problems(403)
)
def get_user(session: Reading, actor: SignedIn, user_id: str) -> OneUser:
    """For organizers and the administrator, who also sees the account's teams."""
    accounts.require_may_see_accounts(session, actor=actor)
    user = accounts.find_user(session, user_id=user_id)
    teams = None
    if actor.is_administrator:
        teams = own_teams_out(accounts.list_teams(session, user=user))
    return OneUser(**user_out(user).model_dump(), teams=teams)


@router.patch(
    "/admin/users/{user_id}",
    operation_id="changeUser",
    summary="Rename, promote or disable an account",
    responses=problems(
        403,
        ErrorCode.ACCOUNT_DELETED,
        ErrorCode.ADMINISTRATOR,
        ErrorCode.BAD_NAME,
        ErrorCode.NAME_TAKEN,
    ),
)
def patch_user(session: Writing, actor: SignedIn, user_id: str, body: UserChanges) -> UserOut:
    """A disabled account's tokens are refused from the next request on."""
    changes = body.model_dump(include=body.model_fields_set)
    user = accounts.change_user(session, actor=actor, user_id=user_id, changes=changes)
    return user_out(user)


@router.get(
    "/admin/audit",
    operation_id="listAudit",
    summary="Who did what, when, from where",
    responses=problems(403, 404),
)
def get_audit(
    session: Reading,
    actor: SignedIn,
    page: Paging,
    competition: Annotated[
        str | None, Query(description="Only those about the competition with this slug.")
    ] = None,
    action: Annotated[
        str | None, Query(max_length=64, description="What an action begins with.")
    ] = None,
    who: Annotated[
        str | None, Query(max_length=100, description="The id of an account, or its name then.")
    ] = None,
    since: Since = None,
    until: Until = None,
) -> Listed[AuditOut]:
    """Newest first. The administrator sees everything, organizers one competition of theirs."""
    rows = audit.list_entries(
        session,
        actor=actor,
        slug=competition,
        wanted=AuditFilter(action=action, actor=who, since=since, until=until),
        before_id=page.after_text,
        limit=page.fetch,
    )
    return page.listed(rows, key=lambda row: (row[0].id,), show=_entry_out)


def _entry_out(row: tuple[AuditEntry, str | None]) -> AuditOut:
    entry, slug = row
    actor = AuditActor(id=entry.actor_id, name=entry.actor_name)
    return AuditOut.of(entry, actor=actor, competition=slug)
