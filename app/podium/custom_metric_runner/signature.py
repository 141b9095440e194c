"""Inspects the functions of a custom metric: the shape of `score`, its arguments beside the tables,
and the values that a competition sets for them."""

from __future__ import annotations

import inspect
import json
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Union

from podium.custom_metric_runner.modules.podium_metric import Result
from podium.custom_metric_runner.problems import MetricRefused
from podium.custom_metric_runner.values import Argument, CodeProblem, CustomArgument, Shape

SCORE, PER_ROW = "score", "per_row"
"""Names of the function that scores, and of the one that returns a number for each row."""

ID_COLUMN = "row_id_column_name"
"""The parameter that takes the name of the column of ids."""

TYPES: tuple[type, ...] = (bool, int, float, str)
"""Types that further arguments of a metric may have."""

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
    type: type
    takes_none: bool
    is_required: bool
    default: Argument = None

    def described(self) -> CustomArgument:
        """Describes the parameter for pages and the API."""
        default = None if self.is_required else json.dumps(self.default)
        return CustomArgument(
            name=self.name, type=self.type.__name__, is_required=self.is_required, default=default
        )

    def taken(self, value: Argument) -> Argument:
        """Converts a value to the parameter's type. Raises ValueError."""
        if value is None and self.takes_none:
            return None
        if type(value) is self.type:
            return value
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if self.type is float and is_number:
            return float(value)  # type: ignore[arg-type] # it is a number
        if self.type is int and isinstance(value, float) and value.is_integer():
            return int(value)
        raise ValueError(f"{self.name} takes {self.type.__name__}, not {value!r}")


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

    def values(self, given: Mapping[str, Argument]) -> dict[str, Argument]:
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
                    detail = f"{SCORE} needs a value for {name} ({parameter.type.__name__})"
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
            words = f"{parameter.name} needs an annotation: bool, int, float, str or one of these"
            raise _refused(call, f"{words} or None, and a name to be called by")
        yield Parameter(
            parameter.name,
            kind,
            takes_none or (not is_required and default is None),
            is_required,
            default,
        )


def _kind_of(hint: object, default: object) -> tuple[type | None, bool]:
    """Determines the type of an argument, by its annotation or otherwise by its default, and
    whether the annotation allows None; the type is None where a competition cannot set it."""
    members = typing.get_args(hint) if typing.get_origin(hint) in (Union, types.UnionType) else ()
    kinds = {each for each in members if each is not type(None)} or {hint}
    kind: Any = type(default) if hint is None else kinds.pop() if len(kinds) == 1 else None
    if kinds == {int, float}:
        kind = float
    is_fitting = default is None or type(default) in TYPES
    return (kind if kind in TYPES and is_fitting else None), type(None) in members


def _refused(call: Callable[..., Any], detail: str) -> MetricRefused:
    code = getattr(call, "__code__", None)
    line = getattr(code, "co_firstlineno", None)
    return MetricRefused.because("signature", f"{detail}: {EITHER}", line=line)
