"""The common base of documents of the HTTP contract: times, inputs, the problem document."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Annotated, Any, Self, TypeAlias

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    PlainSerializer,
    WithJsonSchema,
)

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


class Input(BaseModel):
    """A document that clients send: an unknown field is refused, never ignored."""

    model_config = ConfigDict(extra="forbid")


class Output(BaseModel):
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


class PersonOut(Output):
    """Somebody, as others see them."""

    id: str
    name: str


OpenApi: TypeAlias = dict[str, Any]
"""A part of the OpenAPI document."""

PROBLEM_SCHEMA: OpenApi = {
    "title": "Problem",
    "description": "RFC 9457. `code` is stable; `errors` holds the first ten problems of a file.",
    "type": "object",
    "required": ["type", "title", "status", "detail", "code", "errors", "error_count"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "code": {"type": "string"},
        "request_id": {"type": ["string", "null"]},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "code": {"type": "string"},
                    "line": {"type": ["integer", "null"]},
                    "row": {"type": ["integer", "null"]},
                    "id": {"type": ["string", "null"]},
                    "column": {"type": ["string", "null"]},
                    "detail": {"type": "string"},
                    "hint": {"type": ["string", "null"]},
                },
            },
        },
        "error_count": {"type": "integer"},
    },
}

MEANINGS = {
    400: "The request is malformed.",
    401: "No token, or one that is unknown, expired or revoked.",
    403: "Known, but not allowed.",
    404: "It does not exist, or you may not know that it does.",
    408: "The body came too slowly.",
    409: "It is not in a state that allows this; `code` names the state.",
    410: "It was removed for good; `code` says what.",
    412: "`If-Match` names an older version.",
    413: "Too large.",
    415: "A container that is not read here.",
    416: "The range lies outside of the file.",
    422: "Understood, and wrong: `errors` says where.",
    429: "A limit in time is used up; see `Retry-After`.",
    503: "A promise cannot be kept right now; see `Retry-After`.",
}


def problems(*statuses: int) -> dict[int | str, OpenApi]:
    """The problem answers of a route, for its `responses=`; every route can answer 422 and 503."""
    return {
        status: {
            "description": MEANINGS[status],
            "content": {
                "application/problem+json": {
                    "schema": PROBLEM_SCHEMA,
                    "example": {
                        "type": "/problems/example",
                        "title": MEANINGS[status].split(";")[0].rstrip("."),
                        "status": status,
                        "detail": "What is wrong, where, and what to do.",
                        "code": "example",
                        "request_id": "019a9f6c-0000-7000-8000-000000000000",
                        "errors": [],
                        "error_count": 0,
                    },
                }
            },
        }
        for status in sorted({*statuses, 422, 503})
    }


def raw_body(description: str) -> OpenApi:
    """The request body of a raw route, for its `openapi_extra=`."""
    return {
        "requestBody": {
            "description": description,
            "required": True,
            "content": {
                "application/octet-stream": {"schema": {"type": "string", "format": "binary"}}
            },
        }
    }
