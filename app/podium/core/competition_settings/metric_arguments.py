"""The values of a custom metric's arguments, compared with the parameters of its function."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from podium.core.competition_settings.tables import Argument
from podium.errors.spelling import nearest

_CLASSES: Mapping[str, tuple[type, ...]] = {
    "bool": (bool,),
    "int": (int,),
    "float": (int, float),
    "str": (str,),
}

_WORDS = {"bool": "true or false", "int": "a whole number", "float": "a number", "str": "a text"}


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
    """
    known = {each["name"]: each for each in wanted}
    for name, value in given.items():
        if name not in known:
            near = nearest(name, list(known))
            hint = "" if near is None else f" Did you mean {near}?"
            yield name, f"The function has no argument “{name}”.{hint}"
        elif not _fits(value, known[name]):
            kind = known[name]["type"]
            yield name, f"The argument “{name}” is {_WORDS.get(kind, kind)}."
    for name, each in known.items():
        if each["is_required"] and name not in given:
            yield name, f"The argument “{name}” has no default: give it a value."


def _fits(value: Argument, wanted: Mapping[str, Any]) -> bool:
    if value is None:
        return bool(wanted["default"] == "null")
    classes = _CLASSES.get(wanted["type"])
    if classes is None:
        return True
    return isinstance(value, classes) and (bool in classes or not isinstance(value, bool))
