"""The values of a custom metric's arguments, compared with the parameters of its function."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from podium.core.competition_settings.tables import Argument
from podium.custom_metric_runner.values import MAX_ELEMENTS, NAMED
from podium.errors.spelling import nearest

_WORDS = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}

_MANY = {bool: "truth values", int: "whole numbers", float: "numbers", str: "texts"}


def argument_problems(
    given: Mapping[str, Argument], wanted: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[str, str]]:
    """Finds arguments that are unknown to the function, of another type, or missing: the name of
    each and a sentence. `wanted` are the parameters that were found in the custom metric.

    >>> wanted = [{"name": "beta", "type": "float", "is_required": True, "default": None}]
    >>> list(argument_problems({"beta": 2}, wanted))
    []
    >>> dict(argument_problems({"bet": 2}, wanted))["bet"]
    'The function has no argument “bet”. Did you mean beta?'
    >>> dict(argument_problems({"beta": "2"}, wanted))["beta"]
    'The argument “beta” is a number.'
    """
    known = {each["name"]: each for each in wanted}
    for name, value in given.items():
        if name not in known:
            near = nearest(name, list(known))
            hint = "" if near is None else f" Did you mean {near}?"
            yield name, f"The function has no argument “{name}”.{hint}"
        elif words := _misfit(value, known[name]):
            yield name, f"The argument “{name}” is {words}."
    for name, each in known.items():
        if each["is_required"] and name not in given:
            yield name, f"The argument “{name}” has no default: give it a value."


def _misfit(value: Argument, wanted: Mapping[str, Any]) -> str | None:
    """Words the type of an argument that the value does not have; None for one that fits."""
    kind = NAMED.get(wanted["type"])
    if kind is None or (value is None and wanted["default"] == "null"):
        return None
    try:
        kind.taken(value)
    except ValueError:
        if kind.container is None:
            return _WORDS[kind.element]
        count = kind.length or f"at most {MAX_ELEMENTS:,}"
        return f"a list of {count} {_MANY[kind.element]}"
    return None
