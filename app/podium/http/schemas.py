"""The common base of documents of the HTTP contract: times, inputs, the problem document."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, NamedTuple, NotRequired, Self, TypeAlias

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    WithJsonSchema,
    with_config,
)
from typing_extensions import TypedDict

from podium.core.competition_settings.strict_numbers import StrictNumbers
from podium.errors.codes import ErrorCode, OurCode

RFC_3339 = re.compile(r"^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$")

FIRST_YEAR, LAST_YEAR = 1970, 9000
"""Years that survive every conversion between zones."""


def _is_rfc_3339(value: object) -> str:
    if isinstance(value, str) and RFC_3339.match(value):
        return value
    raise ValueError("a time is RFC 3339 text with its zone, for example 2026-01-31T12:00:00Z")


def _in_utc(value: datetime) -> datetime:
    if not FIRST_YEAR <= value.year <= LAST_YEAR:
        raise ValueError(f"a year lies between {FIRST_YEAR} and {LAST_YEAR}")
    return value.astimezone(UTC).replace(microsecond=0)


def _as_text(value: datetime) -> str:
    return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


GivenTime = Annotated[
    AwareDatetime,
    BeforeValidator(_is_rfc_3339),
    AfterValidator(_in_utc),
    WithJsonSchema({"type": "string", "format": "date-time"}),
]
"""A time that a client sends: RFC 3339 with a zone; kept in UTC, in whole seconds."""

ShownTime = Annotated[
    datetime,
    PlainSerializer(_as_text, return_type=str),
    WithJsonSchema({"type": "string", "format": "date-time"}, mode="serialization"),
]
"""A time in an answer: RFC 3339 in UTC, in whole seconds."""


class Document(BaseModel):
    """A document of the API; what stands below a member describes it."""

    model_config = ConfigDict(use_attribute_docstrings=True)


class Input(Document, StrictNumbers):
    """A document that clients send: an unknown field is refused, never ignored."""

    model_config = ConfigDict(extra="forbid")


class Output(Document):
    """A document that the API answers, read from rows and from views of services."""

    model_config = ConfigDict(from_attributes=True)

    @classmethod
    def of(cls, *sources: object, **members: object) -> Self:
        """The document of these members; every other one is the attribute of its name in the first
        source that has it."""
        for name in cls.model_fields.keys() - members.keys():
            for source in sources:
                if (found := getattr(source, name, ...)) is not ...:
                    members[name] = found
                    break
        return cls.model_validate(members)


def example(**members: Any) -> ConfigDict:
    """The configuration of a document with an example of all of it, for its description."""
    return ConfigDict(json_schema_extra={"examples": [members]})


class PersonOut(Output):
    """An account or a team, as others see it."""

    id: str
    """Its opaque id, which never changes."""
    name: str
    """Its present name."""


_OF_PROBLEMS = ConfigDict(extra="allow", use_attribute_docstrings=True)


@with_config(_OF_PROBLEMS)
class ProblemPart(TypedDict):
    """One thing that is wrong. Members that say nothing here are null or left out."""

    code: Annotated[str, Field(examples=["unknown-id"])]
    """The kind of mistake. Of a file it is stable; of a member of JSON or a parameter it is
    Pydantic's, with hyphens, such as `extra-forbidden`."""
    detail: str
    """The mistake in a sentence."""
    line: NotRequired[int | None]
    """From 1; the header is line 1."""
    row: NotRequired[int | None]
    """From 0, in Parquet files."""
    id: NotRequired[str | None]
    """The row's id, as it was sent."""
    column: NotRequired[str | None]
    """The column of a file, or the member of JSON."""
    hint: NotRequired[str | None]
    """The remedy."""


@with_config(_OF_PROBLEMS)
class ReadingOut(TypedDict):
    """A form by which a file could be read."""

    form: Annotated[str, Field(examples=["one item per row, by rank"])]
    """The form in words."""
    forms: Annotated[list[str], Field(examples=[["item-rows"]])]
    """The `forms` that the competition would have to take."""


@with_config(_OF_PROBLEMS)
class ProblemOut(TypedDict):
    """RFC 9457, the answer to everything that is refused. Some codes bring further members
    along."""

    type: Annotated[str, Field(examples=["/problems/not-found"])]
    """The address that explains the code."""
    title: Annotated[str, Field(examples=["Not found"])]
    """The meaning of the code, in a few words."""
    status: Annotated[int, Field(examples=[404])]
    """The HTTP status of the answer."""
    detail: str
    """The problem and its remedy, for people."""
    code: Annotated[str, Field(examples=["not-found"])]
    """The word that programs go by; it never changes."""
    request_id: str | None
    """Finds the request in the logs. Null: the problem is a file's verdict."""
    errors: list[ProblemPart]
    """The first ten things that are wrong, by line."""
    error_count: int
    """All things that are wrong, or those before `reading_stopped`."""
    reading_stopped: NotRequired[bool]
    """True if the rest of a file was not read any more."""
    readable_as: NotRequired[ReadingOut | None]
    """The form that a rejected file seems to have, and the competition does not take."""


OpenApi: TypeAlias = dict[str, Any]
"""A part of the OpenAPI document."""

OCTETS = "application/octet-stream"

PROBLEM = {"$ref": "#/components/schemas/Problem"}


class Refusal(NamedTuple):
    """What a status means here, and one of its codes with a sentence, and perhaps with parts, as an
    example."""

    meaning: str
    code: OurCode
    example: str
    errors: tuple[dict[str, str | None], ...] = ()


REFUSALS = {
    400: Refusal(
        "The request is malformed.",
        ErrorCode.BAD_JSON,
        "body: JSON decode error at character 13: Expecting property name enclosed in double"
        " quotes.",
    ),
    401: Refusal(
        "No token, or one that is unknown, expired or revoked.",
        ErrorCode.NOT_AUTHENTICATED,
        "Sign in, or send a token: “Authorization: Bearer <token>”.",
    ),
    403: Refusal(
        "Known, but not allowed.",
        ErrorCode.NOT_ALLOWED,
        "Only the administrator of this installation may do this.",
    ),
    404: Refusal(
        "It does not exist, or you may not know that it does.",
        ErrorCode.NOT_FOUND,
        "There is no competition of this name.",
    ),
    408: Refusal(
        "The body came too slowly.",
        ErrorCode.TOO_SLOW,
        "The body came too slowly. Send it again.",
    ),
    409: Refusal(
        "It is not in a state that allows this; `code` names the state.",
        ErrorCode.WRONG_STATE,
        "This is not possible in the state that it is in now.",
    ),
    410: Refusal(
        "It was removed for good; `code` says what.",
        ErrorCode.FILE_REMOVED,
        "This file was removed: the season is long over, and the submission is on no board.",
    ),
    412: Refusal(
        "`If-Match` names an older version, or `Tus-Resumable` another one.",
        ErrorCode.PRECONDITION_FAILED,
        "The settings were changed meanwhile. Read them again.",
    ),
    413: Refusal(
        "Too large.",
        ErrorCode.TOO_LARGE,
        "A file may have at most 2147483648 bytes here.",
    ),
    415: Refusal(
        "A container that is not read here.",
        ErrorCode.UNSUPPORTED_MEDIA_TYPE,
        "The bytes are of a kind that is not read here.",
    ),
    416: Refusal(
        "The range lies outside of the file.",
        ErrorCode.RANGE_NOT_SATISFIABLE,
        "The range lies outside of the file.",
    ),
    422: Refusal(
        "Understood, and wrong: `errors` says where.",
        ErrorCode.INVALID,
        "body.slug: This is required.",
        (
            {
                "code": "missing",
                "line": None,
                "id": None,
                "column": "body.slug",
                "detail": "This is required.",
                "hint": None,
            },
        ),
    ),
    429: Refusal(
        "A limit in time is used up; see `Retry-After`.",
        ErrorCode.QUOTA_EXHAUSTED,
        "The team's submissions of today are used up. More are possible from 00:00 UTC.",
    ),
    503: Refusal(
        "A promise cannot be kept right now; see `Retry-After`.",
        ErrorCode.UNAVAILABLE,
        "The database does not answer. Nothing was changed; try again shortly.",
    ),
}
"""The statuses of refusals that routes name."""


OF_JOBS = (
    ErrorCode.NO_WORKER,
    ErrorCode.STILL_RUNNING,
    ErrorCode.READING_FAILED,
    ErrorCode.SANDBOX_MISSING,
)
"""Codes of routes that wait for a job, to be named beside their own."""

OF_PHASES = (
    ErrorCode.COMPETITION_DRAFT,
    ErrorCode.COMPETITION_UPCOMING,
    ErrorCode.COMPETITION_OPEN,
    ErrorCode.COMPETITION_FROZEN,
    ErrorCode.COMPETITION_CLOSED,
    ErrorCode.COMPETITION_REVEALED,
)
"""Codes of routes that want a competition in another phase, to be named beside their own."""

OF_ITS_TIME = (ErrorCode.COMPETITION_CLOSED, ErrorCode.COMPETITION_NOT_OPEN)
"""Codes of routes that act between the start and the end of a competition."""

OF_FILES = "a-problem-of-a-file"
"""The name of the example that stands for all problems of files."""


def problems(*answers: int | OurCode, reads_file: bool = False) -> dict[int | str, OpenApi]:
    """The problem answers of a route that are its own, for its `responses=`: codes, and statuses
    without more. A code with several statuses counts for those of them that are named, else for its
    first. What any route can answer, and what callers, addresses and bodies bring along, the
    description adds. One that `reads_file`, an organizer's, has the problems of files as well."""
    statuses = {each for each in answers if isinstance(each, int)}
    if reads_file:
        statuses |= {409, 415, 422}
    codes: dict[int, list[str]] = {status: [] for status in statuses}
    for code in answers:
        if isinstance(code, OurCode):
            for status in statuses.intersection(code.statuses) or code.statuses[:1]:
                codes.setdefault(status, []).append(code)
    if reads_file:
        codes[422].append(OF_FILES)
    return {status: refused(status, codes[status]) for status in sorted(codes)}


def refused(status: int, codes: Sequence[str], more: Sequence[str] = ()) -> OpenApi:
    """The answer with which an operation refuses, with an example of each of its `codes`; `more`
    are those that it shares with many operations, which are the examples where it has no other."""
    content: OpenApi = {"schema": PROBLEM}
    named = [f"`{code}`" for code in (*more, *codes) if code != OF_FILES]
    if OF_FILES in codes:
        named.append("those of files")
    description = REFUSALS[status].meaning
    if named:
        description += f" Codes, among others: {', '.join(named)}."
    if shown := codes or more:
        content["examples"] = {
            code: {"$ref": f"#/components/examples/{example_name(code, status)}"} for code in shown
        }
    return {"description": description, "content": {"application/problem+json": content}}


def example_name(code: str, status: int) -> str:
    """The name of the example of a code; at a further status than its first, with that."""
    is_further = isinstance(code, OurCode) and status != code.statuses[0]
    return f"{code}-{status}" if is_further else code


def file_answer(description: str, *media_types: str, example: str | None = None) -> OpenApi:
    """An answer that is a file, for a route's `responses=`: bytes, and characters where its type
    is a text, perhaps with an example."""
    shown = {} if example is None else {"example": example}
    return {
        "description": description,
        "content": {
            media_type: {
                "schema": {"type": "string"}
                if media_type.startswith("text/")
                else {"type": "string", "format": "binary"},
                **shown,
            }
            for media_type in media_types or (OCTETS,)
        },
    }


def file_answers(
    description: str, *media_types: str, example: str | None = None
) -> dict[int | str, OpenApi]:
    """The answers of a route that sends a file whole or in parts, and not twice."""
    return {
        200: file_answer(description, *media_types, example=example),
        206: file_answer("The range of bytes that was asked for.", *media_types),
        304: {"description": "You have it already."},
        **problems(416, 429),
    }


def header_parameters(
    *given: tuple[str, str], required: Collection[str] = (), numbers: Collection[str] = ()
) -> list[OpenApi]:
    """Headers that a request may have, or must where it is `required`, each with its description,
    for a route's `openapi_extra=`; for those that the framework does not know."""
    return [
        {
            "name": name,
            "in": "header",
            "required": name in required,
            "schema": {"type": "integer" if name in numbers else "string"},
            "description": text,
        }
        for name, text in given
    ]


CONTENT_DIGEST = ("Content-Digest", "`sha-256=:<base64>:` of the body; checked when it is sent.")
"""The header of every body that is a file."""


def raw_body(description: str, *, required: bool = True) -> OpenApi:
    """The request body of a raw route, for its `openapi_extra=`."""
    return {
        "requestBody": {
            "description": description,
            "required": required,
            "content": {OCTETS: {"schema": {"type": "string", "format": "binary"}}},
        }
    }
