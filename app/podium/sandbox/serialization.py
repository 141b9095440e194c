"""Converts tasks and results to JSON values, and strictly back: values that are unknown, missing or
of another type are refused. The only place that knows the format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from podium.sandbox import Rejected
from podium.sandbox.inputs import input_at
from podium.scoring.task import Task

Value = TypeVar("Value")


class Malformed(ValueError):
    """A value does not match its type; the text names the place."""


def encoded(value: Any) -> Any:
    """Returns a task, a result, or a part of one as a JSON value."""
    if isinstance(value, Task):
        return value.to_dict()
    if is_dataclass(value):
        return {each.name: encoded(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {name: encoded(each) for name, each in value.items()}
    if isinstance(value, tuple | list):
        return [encoded(each) for each in value]
    return str(value) if isinstance(value, Path) else value


def document_of(answer: Any) -> dict[str, Any]:
    """Returns the document of an answer: its members, and the status that identifies its class."""
    return {"status": answer.STATUS, **encoded(answer)}


def answer_of(kind: type[Value], document: Mapping[str, Any]) -> Value | Rejected:
    """Returns the answer in a child's document. Raises `Malformed`."""
    status, members = document["status"], {**document}
    del members["status"]
    if status == Rejected.STATUS:
        return decoded(Rejected, members)
    if status != getattr(kind, "STATUS", None):
        raise Malformed(f"no {kind.__name__} has the status {status!r}")
    return decoded(kind, members)


def decoded(kind: type[Value], value: Any) -> Value:
    """Returns the value of this type that a JSON value represents. Raises `Malformed`."""
    found: Value = _decoded(kind, value, kind.__name__)
    return found


def _decoded(kind: Any, value: Any, place: str) -> Any:
    origin = get_origin(kind)
    if kind is Any:
        return value
    if origin in (Union, UnionType):
        return _one_of(get_args(kind), value, place)
    if origin is Literal and value in get_args(kind):
        return value
    if origin is Mapping and isinstance(value, dict):
        inner = get_args(kind)[1]
        return {name: _decoded(inner, each, f"{place}.{name}") for name, each in value.items()}
    if origin is tuple and isinstance(value, list):
        inner = get_args(kind)[0]
        return tuple(_decoded(inner, each, f"{place}[{at}]") for at, each in enumerate(value))
    if kind is Task and isinstance(value, dict):
        return Task.from_dict(value)
    if is_dataclass(kind) and isinstance(value, dict):
        return _members(kind, value, place)
    return _plain(kind, value, place)


def _plain(kind: Any, value: Any, place: str) -> Any:
    if kind is Path and isinstance(value, str):
        return input_at(value)
    # In Python a bool is an int.
    if kind is float and isinstance(value, int | float) and not isinstance(value, bool):
        return value
    if type(value) is kind:
        return value
    raise Malformed(f"{place} is {type(value).__name__}, not {getattr(kind, '__name__', kind)}")


def _one_of(kinds: tuple[Any, ...], value: Any, place: str) -> Any:
    if value is None and type(None) in kinds:
        return None
    for kind in kinds:
        try:
            return _decoded(kind, value, place)
        except Malformed as error:
            refusal = error
    raise refusal


def _members(kind: Any, value: Mapping[str, Any], place: str) -> Any:
    hints = _hints(kind)
    known = {each.name: each for each in fields(kind)}
    if unknown := sorted(value.keys() - known.keys()):
        raise Malformed(f"{place} has no {unknown[0]!r}")
    needed = {name for name, each in known.items() if each.default is MISSING}
    if missing := sorted(needed - value.keys()):
        raise Malformed(f"{place} lacks {missing[0]!r}")
    return kind(
        **{name: _decoded(hints[name], each, f"{place}.{name}") for name, each in value.items()}
    )


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)
