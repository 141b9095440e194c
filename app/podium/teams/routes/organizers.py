"""Routes of co-organizers."""

from __future__ import annotations

from fastapi import Response

from podium.accounts.authentication.callers import SignedIn
from podium.errors.codes import ErrorCode
from podium.http.schemas import Input, PersonOut, problems
from podium.http.streaming.strict_json import strict_router
from podium.http.transactions import Writing
from podium.teams.service import organizers

router = strict_router(tag="administration")


class NewOrganizer(Input):
    """A co-organizer to add."""

    user_id: str
    """The id of the account that becomes an organizer of the competition."""


@router.post(
    "/admin/competitions/{slug}/organizers",
    operation_id="addOrganizer",
    summary="Add a co-organizer",
    status_code=201,
    responses={
        200: {"description": "Organizes it already.", "model": PersonOut},
        **problems(ErrorCode.UNKNOWN_USER),
    },
)
def post_organizer(
    session: Writing, actor: SignedIn, slug: str, body: NewOrganizer, response: Response
) -> PersonOut:
    """A team with this person is tagged, and has no rank from now on."""
    user, is_new = organizers.add_organizer(session, actor=actor, slug=slug, user_id=body.user_id)
    response.status_code = 201 if is_new else 200
    return PersonOut.of(user)


@router.delete(
    "/admin/competitions/{slug}/organizers/{user_id}",
    operation_id="removeOrganizer",
    summary="Remove a co-organizer",
    status_code=204,
    responses=problems(ErrorCode.LAST_ORGANIZER),
)
def delete_organizer(session: Writing, actor: SignedIn, slug: str, user_id: str) -> None:
    """The only organizer cannot be removed."""
    organizers.remove_organizer(session, actor=actor, slug=slug, user_id=user_id)
