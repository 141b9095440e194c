"""The parts of JSON Schema that the description of the API uses."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any

_KINDS: Mapping[str, Callable[[object], bool]] = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    "null": lambda value: value is None,
}

_LIMITS: Mapping[str, Callable[[Any, Any], bool]] = {
    "enum": lambda value, limit: value in limit,
    "const": lambda value, limit: value == limit,
    "minimum": lambda value, limit: value >= limit,
    "maximum": lambda value, limit: value <= limit,
    "exclusiveMinimum": lambda value, limit: value > limit,
    "exclusiveMaximum": lambda value, limit: value < limit,
    "minLength": lambda value, limit: len(value) >= limit,
    "maxLength": lambda value, limit: len(value) <= limit,
    "minItems": lambda value, limit: len(value) >= limit,
    "maxItems": lambda value, limit: len(value) <= limit,
    "pattern": lambda value, limit: re.search(limit, value) is not None,
    "format": lambda value, limit: limit != "date-time" or _is_utc(value),
}


def mistakes(value: Any, schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> list[str]:
    """All that a schema does not allow in a value; `schemas` are those that references lead to."""
    return [*_mistakes(value, schema, schemas)]


def _mistakes(value: Any, schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> Iterator[str]:
    if "$ref" in schema:
        yield from _mistakes(value, schemas[schema["$ref"].rpartition("/")[2]], schemas)
    choices = schema.get("anyOf", ())
    if choices and all([*_mistakes(value, each, schemas)] for each in choices):
        yield f"{value!r} is none of the choices"
    if "type" in schema and not _KINDS[schema["type"]](value):
        yield f"{value!r} is no {schema['type']}"
        return
    for limit, is_kept in _LIMITS.items():
        if limit in schema and not is_kept(value, schema[limit]):
            yield f"{value!r} is against {limit} {schema[limit]!r}"
    if isinstance(value, list):
        yield from _of_list(value, schema, schemas)
    if isinstance(value, dict):
        yield from _of_map(value, schema, schemas)


def _of_list(value: list[Any], schema: Mapping[str, Any], schemas: Any) -> Iterator[str]:
    first = schema.get("prefixItems", ())
    for each, told in zip(value, first, strict=False):
        yield from _mistakes(each, told, schemas)
    for each in value[len(first) :]:
        yield from _mistakes(each, schema.get("items", {}), schemas)


def _of_map(value: dict[str, Any], schema: Mapping[str, Any], schemas: Any) -> Iterator[str]:
    members, other = schema.get("properties", {}), schema.get("additionalProperties")
    yield from (f"{name} is missing" for name in schema.get("required", ()) if name not in value)
    for name, each in value.items():
        if name in members:
            yield from (f"{name}: {mistake}" for mistake in _mistakes(each, members[name], schemas))
        elif isinstance(other, dict):
            yield from (f"{name}: {mistake}" for mistake in _mistakes(each, other, schemas))
        elif other is False or (members and other is None):
            yield f"{name} is not a member"


def _is_utc(value: str) -> bool:
    return value.endswith("Z") and datetime.fromisoformat(value).utcoffset() is not None
