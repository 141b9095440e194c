"""Documents about similar files, and alerts."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from podium.http.members import FileHash, SubmissionId, SubmittedAt, TeamRef
from podium.http.schemas import Output, PersonOut, ShownTime


class AlikeFileOut(Output):
    """A file of a pair."""

    submission_id: SubmissionId
    team: TeamRef
    submitted_at: SubmittedAt
    sha256: FileHash


class AlikePairOut(Output):
    """Two files of different teams."""

    first: AlikeFileOut
    """The file that was submitted earlier."""
    second: AlikeFileOut
    """The file that was submitted later."""
    identical: bool
    """True if no list that was compared differs."""
    equal_lists: Annotated[float, Field(examples=[0.98828])]
    """The share of equal lists in a secret sample of 256 queries, 0 to 1."""
    equal_heads: Annotated[float, Field(examples=[1.0])]
    """The share of lists in that sample with the same first five items, 0 to 1."""


class AlertLookOut(Output):
    """An organizer's review of an alert."""

    at: ShownTime
    """The time of the review."""
    by: PersonOut
    """The organizer who reviewed it."""
    note: str
    """The organizer's note; may be empty."""


class AlertOut(Output):
    """A reason to look at one team, or at two."""

    code: Annotated[str, Field(examples=["few-lists"])]
    """The kind of pattern."""
    reason: Annotated[str, Field(examples=["3 files differ in a handful of lists."])]
    """The pattern in words, with its numbers."""
    teams: list[PersonOut]
    """The one or two teams that it is about."""
    submission_ids: list[str]
    """The submissions that show it."""
    looked_at: AlertLookOut | None
    """The review by which an organizer has set it aside. Null: none, or more submissions have been
    added since."""


class AlertsOut(Output):
    """The alerts of a competition as of now. Nothing happens by itself."""

    items: list[AlertOut]
    """All alerts. Nothing happens by itself."""
