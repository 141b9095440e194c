"""Converts a row of an archive to a line of JSON and back, strictly by the types of its columns."""

from __future__ import annotations

import json
import re
from datetime import date
from fractions import Fraction
from functools import cache
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    create_model,
)
from sqlalchemy import JSON, Boolean, ColumnElement, Date, Float, Integer, String
from sqlalchemy.sql.type_api import TypeEngine

from podium.archives.queries import Row
from podium.archives.service.tables import Table
from podium.archives.service.values import HASHES, IDS, LINE, NARROW, Kind
from podium.core.database.types import ExactNumber, UtcDateTime
from podium.core.models.base import Id
from podium.errors import InvalidInput
from podium.errors.codes import ErrorCode

LINE_BYTES = 4 << 20
"""The maximum length of a line in bytes; the longest texts that people can write are far
shorter."""

_EXACT = re.compile(r"-?\d{1,400}/[1-9]\d{0,399}")


def line_of(row: Row) -> bytes:
    """Returns one line of JSON, with values as the columns' Python types."""
    text = json.dumps(row, ensure_ascii=False, separators=(",", ":"), default=_plain)
    return text.encode() + b"\n"


def row_of(table: Table, line: bytes) -> Row:
    """Returns the columns of a line. Raises `InvalidInput`: `bad-archive-row` for anything that the
    table could not have written, `archive-too-new` for unknown columns."""
    try:
        found = _model(table).model_validate_json(line, strict=True)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        is_newer = first["type"] == "extra_forbidden"
        raise InvalidInput(
            f"A row of {table.name} is not one: {place[:64]}: {first['msg'][:160]}.",
            code=ErrorCode.ARCHIVE_TOO_NEW if is_newer else ErrorCode.BAD_ARCHIVE_ROW,
        ) from None
    return {name: getattr(found, name) for name in table.columns if name in found.model_fields_set}


def _plain(value: object) -> str:
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"not a value of a column: {type(value).__name__}")


def _exact(text: str) -> Fraction:
    if _EXACT.fullmatch(text) is None:
        raise ValueError("an exact number is p/q")
    return Fraction(text)


def _storable(text: str) -> str:
    if "\x00" in text:
        raise ValueError("a text may not hold a NUL character")
    return text


_Text = Annotated[str, AfterValidator(_storable)]
_Number = Annotated[int, Field(ge=-(2**63), le=2**63 - 1)]
_Float = Annotated[float, Field(allow_inf_nan=False)]
_Document = dict[_Text, Any]

_KINDS: tuple[tuple[type[TypeEngine[Any]], Any], ...] = (
    (UtcDateTime, AwareDatetime),
    (ExactNumber, Annotated[str, AfterValidator(_exact)]),
    (JSON, _Document | list[_Text]),
    (Boolean, bool),
    (Float, _Float),
    (Integer, _Number),
    (Date, date),
    (String, _Text),
)
"""Types of columns, the special ones first, with the rule for their values in a line."""


@cache
def _model(table: Table) -> type[BaseModel]:
    narrow = NARROW.get(table.name, {})
    members: dict[str, Any] = {
        name: _member(column, narrow.get(name)) for name, column in table.stored.items()
    }
    return create_model(
        f"RowOf_{table.name}",
        __config__=ConfigDict(extra="forbid", arbitrary_types_allowed=True),
        **members,
    )


def _text_of(name: str) -> Kind:
    """Returns the rule of a text column without a rule of its own."""
    return HASHES if name == "sha256" or name.endswith("_sha256") else LINE


def _member(column: ColumnElement[Any], narrow: Kind) -> tuple[Kind, Any]:
    kind = narrow or next(kind for sort, kind in _KINDS if isinstance(column.type, sort))
    if narrow is None and isinstance(column.type, String):
        kind = IDS if column.type.length == Id.length else _text_of(column.name)
    if column.nullable:
        return kind | None, None
    # Older archives lack columns that are newer; those have a default.
    has_default = column.default is not None or column.server_default is not None
    return kind, (None if has_default and column.name != "id" else ...)
