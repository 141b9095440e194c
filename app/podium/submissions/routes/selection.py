"""Routes of the final selection: which submissions a team has chosen, and which ones count."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from podium.accounts.authentication.callers import SignedIn
from podium.errors.codes import ErrorCode
from podium.http import examples
from podium.http.schemas import OF_ITS_TIME, Document, Input, Output, problems
from podium.http.streaming.strict_json import strict_router
from podium.http.transactions import Reading, Writing
from podium.submissions.service import selection

router = strict_router(tag="submissions")


class Selection(Input):
    """Which submissions count for the final ranking; an empty list leaves it to the server."""

    submission_ids: Annotated[list[str], Field(max_length=100)]
    """The submissions to count, at most as many as `final_selections`. Empty: the best public ones
    count."""


class SelectionOut(Document):
    """What is chosen now."""

    submission_ids: list[str]
    """The chosen submissions. Free places are filled with the best public ones."""


class FinalsOut(Output):
    """What is chosen, and what counts for the final ranking: the chosen ones, and in free places
    the best public ones."""

    submission_ids: Annotated[list[str], Field(examples=[[examples.SUBMISSION]])]
    """The submissions that the team has chosen."""
    counting: list[str] | None
    """Those that count, or would if the competition closed now; null while scores that decide it
    are hidden."""
    places: Annotated[int, Field(examples=[2])]
    """The number of submissions of a team that count in the end."""


@router.get(
    "/competitions/{slug}/selection",
    operation_id="getFinals",
    summary="The submissions that count in the end",
    responses=problems(ErrorCode.NOT_JOINED),
)
def get_selection(slug: str, actor: SignedIn, session: Reading) -> FinalsOut:
    """What my team chose, and what fills the places that are left."""
    return FinalsOut.of(selection.finals_of(session, slug=slug, actor=actor))


@router.put(
    "/competitions/{slug}/selection",
    operation_id="selectFinals",
    summary="Choose which submissions count in the end",
    responses=problems(
        ErrorCode.NOT_JOINED, *OF_ITS_TIME, ErrorCode.NOT_SELECTABLE, ErrorCode.TOO_MANY_SELECTED
    ),
)
def put_selection(slug: str, body: Selection, actor: SignedIn, session: Writing) -> SelectionOut:
    """Replaces what was chosen before; possible until the close."""
    chosen = selection.select_finals(
        session, slug=slug, actor=actor, submission_ids=body.submission_ids
    )
    return SelectionOut(submission_ids=chosen)
