"""Inspects the functions of a custom metric: the shape of `score`, its arguments beside the tables,
and the values that a competition sets for them."""

from __future__ import annotations

import inspect
import json
import types
import typing
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Union

from podium.custom_metric_runner.modules.podium_metric import Result
from podium.custom_metric_runner.problems import MetricRefused
from podium.custom_metric_runner.values import (
    MAX_COUNTED,
    MAX_ELEMENTS,
    TYPES,
    Argument,
    ArgumentType,
    CodeProblem,
    CustomArgument,
    Shape,
)

SCORE, PER_ROW = "score", "per_row"
"""Names of the function that scores, and of the one that returns a number for each row."""

ID_COLUMN = "row_id_column_name"
"""The parameter that takes the name of the column of ids."""

LISTS = (list, Sequence, Collection, Iterable)
"""Types of annotations to which a list is passed."""

KAGGLE = "score(solution, submission, row_id_column_name: str, …) -> float"
PODIUM = "score(solution, submission, …) -> Result"

EITHER = (
    f"it is {KAGGLE} with pandas frames, or {PODIUM} with Polars frames, where Result is that of"
    " podium_metric"
)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A further parameter that a competition may set. `takes_none` where it is annotated as
    optional, or None is its default."""

    name: str
    type: ArgumentType
    takes_none: bool
    is_required: bool
    default: Any = None

    def described(self) -> CustomArgument:
        """Describes the parameter for pages and the API."""
        default = None if self.is_required else json.dumps(self.default)
        return CustomArgument(
            name=self.name, type=str(self.type), is_required=self.is_required, default=default
        )

    def taken(self, value: Argument) -> Any:  # noqa: ANN401 - of the parameter's type
        """Converts a value to the parameter's type. Raises ValueError."""
        if value is None and self.takes_none:
            return None
        try:
            return self.type.taken(value)
        except ValueError as error:
            raise ValueError(f"{self.name} takes {error}") from None


@dataclass(frozen=True, slots=True)
class Function:
    """A function of a custom metric, called with the tables first, and then, if it has such a
    parameter, the name of the column of ids."""

    call: Callable[..., Any]
    takes_id_column: bool
    parameters: tuple[Parameter, ...]
    answers: Any
    """The resolved annotation of its return value."""

    @property
    def names(self) -> set[str]:
        """The names of its further parameters."""
        return {parameter.name for parameter in self.parameters}


@dataclass(frozen=True, slots=True)
class Functions:
    """The functions of a custom metric, and its description."""

    shape: Shape
    score: Function
    per_row: Function | None
    description: str

    @property
    def arguments(self) -> tuple[CustomArgument, ...]:
        """The further arguments, as pages show them."""
        return tuple(parameter.described() for parameter in self._parameters())

    def _parameters(self) -> list[Parameter]:
        found = {parameter.name: parameter for parameter in self.score.parameters}
        for parameter in self.per_row.parameters if self.per_row is not None else ():
            found.setdefault(parameter.name, parameter)
        return list(found.values())

    def values(self, given: Mapping[str, Argument]) -> dict[str, Any]:
        """Checks and converts the values of arguments; arguments with a default may be omitted.
        Raises `MetricRefused` with all that are wrong."""
        known = {parameter.name: parameter for parameter in self._parameters()}
        problems, values = [], {}
        for name in sorted(given.keys() - known.keys()):
            allowed = ", ".join(known) or "none"
            detail = f"{SCORE} has no further argument {name}; it has {allowed}"
            problems.append(CodeProblem(code="argument-unknown", detail=detail))
        for name, parameter in known.items():
            if name not in given:
                if parameter.is_required:
                    detail = f"{SCORE} needs a value for {name} ({parameter.type})"
                    problems.append(CodeProblem(code="argument-missing", detail=detail))
                continue
            try:
                values[name] = parameter.taken(given[name])
            except ValueError as error:
                problems.append(CodeProblem(code="argument-type", detail=str(error)))
        if problems:
            raise MetricRefused(problems)
        return values


def functions_of(module: types.ModuleType) -> Functions:
    """Finds the functions of a metric's module. Raises `MetricRefused`."""
    score = _function(module, SCORE)
    if score is None:
        raise MetricRefused.because("no-score", f"there is no function {SCORE}: {EITHER}")
    shape: Shape = "podium" if _is_result(score.answers) else "kaggle"
    if shape == "kaggle" and not score.takes_id_column:
        raise _refused(score.call, f"{SCORE} takes no {ID_COLUMN} and does not say -> Result")
    per_row = _function(module, PER_ROW)
    docstring = inspect.getdoc(score.call) or inspect.cleandoc(module.__doc__ or "")
    return Functions(shape, score, per_row, str(docstring))


def _is_result(answers: object) -> bool:
    """True only for Podium's own class, so that a file written for another platform is not mistaken
    for the other shape."""
    return isinstance(answers, type) and issubclass(answers, Result)


def _function(module: types.ModuleType, name: str) -> Function | None:
    call = getattr(module, name, None)
    if call is None:
        return None
    if not callable(call):
        raise MetricRefused.because("signature", f"{name} is not a function: {EITHER}")
    try:
        parameters = list(inspect.signature(call).parameters.values())
    except (TypeError, ValueError):
        raise _refused(call, f"{name} tells nothing about its arguments") from None
    hints = _hints(call)
    places = [each for each in parameters if _is_place(each)]
    if len(places) < 2:
        raise _refused(call, f"{name} takes fewer than two tables")
    takes_id_column = len(places) > 2 and _takes_id_column(places[2], hints)
    tables = {each.name for each in places[: 3 if takes_id_column else 2]}
    further = [each for each in parameters if each.name not in tables]
    return Function(
        call, takes_id_column, tuple(_further(call, further, hints)), hints.get("return")
    )


def _is_place(parameter: inspect.Parameter) -> bool:
    return parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)


def _takes_id_column(third: inspect.Parameter, hints: Mapping[str, Any]) -> bool:
    """True for a third parameter of this name, or of another name with the same ending, as in some
    past metrics, that takes a text without a default."""
    is_text = hints.get(third.name, str) is str and third.default is third.empty
    return third.name == ID_COLUMN or (is_text and third.name.endswith("id_column_name"))


def _hints(call: Callable[..., Any]) -> dict[str, Any]:
    """Resolves the annotations of a function; those that cannot be resolved are omitted."""
    try:
        return typing.get_type_hints(call)
    except Exception:  # noqa: BLE001 - names of any kind may be missing
        found = {}
        for name, given in getattr(call, "__annotations__", {}).items():
            try:
                known = getattr(call, "__globals__", {})
                alone = types.SimpleNamespace(__annotations__={name: given})
                found[name] = typing.get_type_hints(alone, globalns=known)[name]
            except Exception:  # noqa: BLE001, S112 - as above
                continue
        return found


def _further(
    call: Callable[..., Any], parameters: list[inspect.Parameter], hints: Mapping[str, Any]
) -> Iterator[Parameter]:
    for parameter in parameters:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        is_required = parameter.default is parameter.empty
        default = None if is_required else parameter.default
        kind, takes_none = _kind_of(hints.get(parameter.name), default)
        if kind is None and not is_required:
            # Of a type that a competition cannot set: it retains its default.
            continue
        if kind is None or parameter.kind is parameter.POSITIONAL_ONLY:
            words = f"{parameter.name} needs an annotation: bool, int, float, str, a list of one of"
            raise _refused(
                call, f"{words} these, or any of these or None, and a name to be called by"
            )
        yield Parameter(
            parameter.name,
            kind,
            takes_none or (not is_required and default is None),
            is_required,
            default,
        )


def _kind_of(hint: object, default: object) -> tuple[ArgumentType | None, bool]:
    """Determines the type of an argument, by its annotation or otherwise by its default, and
    whether the annotation allows None; the type is None where a competition cannot set it."""
    members = _members(hint)
    takes_none = type(None) in members
    is_fitting = default is None or _is_single(default) or _is_flat(default)
    return (_type_of(members - {type(None)}, default) if is_fitting else None), takes_none


def _members(hint: object) -> set[Any]:
    is_union = typing.get_origin(hint) in (Union, types.UnionType)
    return set(typing.get_args(hint)) if is_union else {hint}


def _is_single(value: object) -> bool:
    return type(value) in TYPES


def _is_flat(value: object) -> bool:
    if not isinstance(value, list | tuple) or type(value) not in (list, tuple):
        return False
    return len(value) <= MAX_ELEMENTS and all(map(_is_single, value))


def _type_of(members: set[Any], default: object) -> ArgumentType | None:
    if members == {None}:
        return _type_of_value(default)
    if element := _element(members):
        return ArgumentType(element)
    hint = members.pop() if len(members) == 1 else None
    origin, parts = typing.get_origin(hint) or hint, typing.get_args(hint)
    container = tuple if origin is tuple else list if origin in LISTS else None
    if container is None:
        return None
    if not parts:
        return _type_of_value(default) if type(default) is container else None
    length = None if container is list or parts[-1] is ... else len(parts)
    elements = {_element(_members(each)) for each in parts if each is not ...}
    element = elements.pop() if len(elements) == 1 else None
    if element is None or (length or 0) > MAX_COUNTED:
        return None
    return ArgumentType(element, container, length)


def _element(members: set[Any]) -> type | None:
    """Returns the type of single values that an annotation names; numbers of both kinds count as
    floats."""
    if members == {int, float}:
        return float
    return next((kind for kind in TYPES if members == {kind}), None)


def _type_of_value(value: object) -> ArgumentType | None:
    """Returns the type of a default without an annotation; None where its elements have none, or
    several."""
    if _is_single(value):
        return ArgumentType(type(value))
    kinds = {type(each) for each in value} if isinstance(value, list | tuple) else set()
    element = float if kinds == {int, float} else kinds.pop() if len(kinds) == 1 else None
    return None if element is None else ArgumentType(element, type(value))


def _refused(call: Callable[..., Any], detail: str) -> MetricRefused:
    code = getattr(call, "__code__", None)
    line = getattr(code, "co_firstlineno", None)
    return MetricRefused.because("signature", f"{detail}: {EITHER}", line=line)
