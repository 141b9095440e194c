"""Members that many documents have, and parameters of several lists, each described once."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query
from pydantic import Field

from podium.http.schemas import GivenTime, PersonOut, ShownTime

Id = Annotated[str, Field(description="Opaque and unique; never changes.")]

CompetitionSlug = Annotated[str, Field(description="The slug of the competition.")]

CreatedAt = Annotated[ShownTime, Field(description="When it was made.")]

TeamRef = Annotated[PersonOut, Field(description="The team that it belongs to.")]

SubmissionId = Annotated[str, Field(description="The id of the submission that it is about.")]

SubmittedAt = Annotated[
    ShownTime,
    Field(
        description="When its slot was reserved, just before the first byte was read. The earlier"
        " of two equal scores leads."
    ),
]

JudgedWith = Annotated[
    int, Field(description="The version of the ground truth that it is judged with.")
]

FileSize = Annotated[int, Field(description="The size of the file in bytes, as it was sent.")]

FileHash = Annotated[str, Field(description="SHA-256 of the file as it was sent, in hex.")]

NextCursor = Annotated[
    str | None, Field(description="The `cursor` of the next page. Null: this is the last one.")
]

ClientAddress = Annotated[
    str | None, Field(description="The network address that it came from. Null: not known.")
]

ShownToken = Annotated[str, Field(description="A bearer token for the account, shown only here.")]

DisqualifiedAt = Annotated[ShownTime, Field(description="When it was disqualified.")]

TeamTags = Annotated[
    list[str],
    Field(
        description="Why the team is not ranked: `organizer`, `baseline` or `hidden`."
        " Empty for all others."
    ),
]

ReasonForAll = Annotated[str, Field(description="The organizers' reason; the team sees it too.")]

DecidedAt = Annotated[ShownTime | None, Field(description="When it was answered. Null: not yet.")]

PodiumVersion = Annotated[str, Field(description="The version of Podium that is running.")]

Since = Annotated[GivenTime | None, Query(description="Only those from this time on.")]

Until = Annotated[GivenTime | None, Query(description="Only those before this time.")]
