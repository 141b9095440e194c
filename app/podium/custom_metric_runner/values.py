"""Values that are exchanged between a custom metric's process and its callers, and the types of
those that its function takes."""

from __future__ import annotations

import json
import math
import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Literal

Shape = Literal["kaggle", "podium"]
"""The shape of `score`. `kaggle`: takes pandas frames and returns a number. `podium`: takes Polars
frames and returns a result with several numbers."""

MAX_VISIBLE_CHARACTERS = 280
"""The most characters of a metric's message to a participant; the rest is cut off."""

MAX_OUTPUT_BYTES = 64 << 10
"""Bytes of a metric's output that are retained for the organizer: the end."""

MAX_REPORT_CHARACTERS = 16_000
"""Characters of a traceback that are retained for the organizer: the end."""

MAX_DETAIL_CHARACTERS = 2_000
"""The most characters of one problem of a custom metric."""

MAX_PROBLEMS = 50
"""The most problems of a custom metric that are reported."""

Scalar = bool | int | float | str

Argument = Scalar | tuple[Scalar, ...] | None
"""The value of a further argument of a metric's function: in JSON a tuple is an array."""

TYPES: tuple[type, ...] = (bool, int, float, str)
"""Types of single values."""

MAX_ELEMENTS = 1_000
"""The most elements of an array."""

MAX_COUNTED = 16
"""The most elements that the annotation of a tuple may count."""

ONE_KIND = "an array whose elements are all numbers, all texts, or all true or false"

TRUE, FALSE = ("true", "1", "yes"), ("false", "0", "no")


@dataclass(frozen=True, slots=True)
class ArgumentType:
    """A type of single values, or a list or tuple of these; `length` is the number of elements of a
    tuple whose annotation counts them."""

    element: type
    container: type | None = None
    length: int | None = None

    def __str__(self) -> str:
        """The type as an annotation has it."""
        name = self.element.__name__
        if self.container is not tuple:
            return name if self.container is None else f"list[{name}]"
        counted = [name, "..."] if self.length is None else [name] * self.length
        return f"tuple[{', '.join(counted)}]"

    def taken(self, value: object) -> Any:  # noqa: ANN401 - of the type that this stands for
        """Converts a value to the type. Raises ValueError."""
        if self.container is None:
            return self._single(value)
        if not isinstance(value, list | tuple) or self.length not in (None, len(value)):
            given = reprlib.repr(value)
            raise ValueError(f"{self}, an array of at most {MAX_ELEMENTS:,} values, not {given}")
        return self.container(map(self._single, elements_of(value)))

    def _single(self, value: Any) -> Any:  # noqa: ANN401 - as above
        if type(value) is self.element:
            return value
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        try:
            if is_number and self.element is float:
                return float(value)
        except OverflowError:
            pass
        if self.element is int and isinstance(value, float) and value.is_integer():
            return int(value)
        raise ValueError(f"{self}, not {value!r}")


NAMED = {
    str(each): each
    for element in TYPES
    for each in (
        ArgumentType(element),
        ArgumentType(element, list),
        *(ArgumentType(element, tuple, length) for length in (None, *range(1, MAX_COUNTED + 1))),
    )
}
"""All types of arguments by name."""


def elements_of(array: Sequence[object]) -> tuple[Scalar, ...]:
    """Checks an array that is the value of an argument: flat, bounded, of one type, and of finite
    numbers. Raises ValueError, whose text says what an argument takes."""
    if len(array) > MAX_ELEMENTS:
        raise ValueError(f"an array of at most {MAX_ELEMENTS:,} elements, not {len(array):,}")
    kinds = {float if type(each) is int else type(each) for each in array}
    if len(kinds) > 1 or not kinds <= set(TYPES):
        raise ValueError(ONE_KIND)
    if any(isinstance(each, float) and not math.isfinite(each) for each in array):
        raise ValueError("an array of finite numbers")
    return tuple(array)  # type: ignore[arg-type] # their types are known by now


def value_of(text: str, kind: str) -> Argument:
    """Reads the value of an argument of this type from the text of an option or a form. Text that
    cannot be read stays as it is, for the check of the value.

    >>> value_of("2", "float"), value_of("yes", "bool"), value_of("x", "int")
    (2, True, 'x')
    >>> value_of("[3, 1]", "list[float]"), value_of("None", "list[float]")
    ((3, 1), None)
    """
    lowered = text.lower()
    if kind == "str":
        return text
    if lowered in ("none", "null"):
        return None
    if kind == "bool" and lowered in (*TRUE, *FALSE):
        return lowered in TRUE
    try:
        found = json.loads(text)
        if isinstance(found, list):
            return elements_of(found)
    except (ValueError, RecursionError):
        return text
    return found if isinstance(found, int | float) else text


def text_of(value: Argument) -> str:
    """Writes a value as `value_of` reads it.

    >>> text_of((3, 1.5)), text_of(True), text_of("a b")
    ('[3, 1.5]', 'true', 'a b')
    """
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomArgument:
    """A further argument of a metric's function: the name of its type and, as JSON, its default;
    `is_required` where it has none."""

    name: str
    type: str
    is_required: bool
    default: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeProblem:
    """A problem of a custom metric, with its line (from 1) where known; `file` is the name within a
    package."""

    code: str
    detail: str
    line: int | None = None
    file: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricCall:
    """One run on a split, with the files and values that it needs.

    `columns` are a submission's canonical columns, all rows in published order; `solution` is the
    solution of the split. `arguments` are the values of the function's further arguments; `numbers`
    the names that may be reported beside the score. `resamples` is the number of bootstrap runs
    where the metric returns no terms of rows, over rows or, with a `cluster_column`, over clusters;
    `seed` is that of their draws.
    """

    metric: Path
    columns: Path
    solution: Path
    id_column: str
    arguments: Mapping[str, Argument] = field(default_factory=dict)
    cluster_column: str = ""
    numbers: tuple[str, ...] = ()
    resamples: int = 0
    seed: int = 0
    is_lenient: bool = False
    """True for a version that was accepted before a rule was added that it breaks: it remains
    valid."""
    shuffled_by: int | None = None
    """The seed of an order in which rows are passed instead of the solution's: a launch tests
    whether the score depends on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricChecked:
    """The result of checking a custom metric; it is accepted where there are no `problems`.

    `packages` are the names and versions of the packages that it may import; `doctests` is the
    number of examples that were run.
    """

    STATUS: ClassVar = "checked"

    problems: tuple[CodeProblem, ...]
    shape: Shape | None
    arguments: tuple[CustomArgument, ...]
    has_per_row: bool
    doctests: int
    description: str
    """The docstring of `score`, or of the file."""
    packages: Mapping[str, str]
    output: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricRun:
    """The result of a run for one split. `outcome`: `measured` has `score` and `numbers` by name,
    each as hexadecimal text of a float64, and `standard_error` if there is one; `refused` has
    `text` for the participant; `failed` has `report`, a traceback for the organizer only.

    `terms` is the kind of the file of terms: `rows`, numbers whose mean is the score; `resamples`,
    the score of each resample, NaN where it lacks one; `none`.
    """

    STATUS: ClassVar = "run"

    outcome: Literal["measured", "refused", "failed"]
    score: str | None = None
    numbers: Mapping[str, str] | None = None
    standard_error: float | None = None
    terms: Literal["rows", "resamples", "none"] = "none"
    rows: int = 0
    text: str = ""
    report: str = ""
    output: str = ""
    warnings: tuple[str, ...] = ()
    """Problems for which a new version would be refused, while this older one remains valid."""
    processor: str = ""
    """The processor's name and the packages' versions, for the receipt."""

    def without_score(self) -> MetricRun:
        """Drops the score, and all that belongs to it."""
        return replace(self, score=None, numbers=None, standard_error=None, terms="none")
