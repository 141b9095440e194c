"""Checks of several settings together, and all problems of a document in one refusal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, TypeAlias, TypeVar, get_args

from pydantic import BaseModel, ModelWrapValidatorHandler, ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError
from pydantic_core.core_schema import ErrorType

Place: TypeAlias = tuple[str | int, ...]

KNOWN = frozenset(get_args(ErrorType))
"""Kinds of errors that pydantic can make again by their name."""

TOGETHER = frozenset({"objectives", "objective_metrics"})
"""Members of which one may be given within the other."""


@dataclass(frozen=True, slots=True)
class Misfit:
    """Settings that do not fit together: the place to mark, why, and the `others` it depends on."""

    place: Place
    words: str
    others: frozenset[str] = frozenset()

    @property
    def members(self) -> frozenset[str]:
        """All members that it is about."""
        return self.others | {str(self.place[0])}


class _Checked(Protocol):
    def misfits(self) -> Iterable[Misfit]: ...

    def further_misfits(self) -> Iterable[Misfit]: ...


Model = TypeVar("Model", bound=_Checked)


def checked_whole(
    model: type[Model], values: object, handler: ModelWrapValidatorHandler[Model]
) -> Model:
    """The model of these values.

    Raises pydantic's `ValidationError` with everything that is wrong: members that are refused by
    themselves, and misfits among the members that are not.
    """
    try:
        made = handler(values)
    except ValidationError as error:
        if more := _misfits_beside(model, values, handler, error):
            raise _refusal(model, [*_again(error), *map(_detail, more)]) from None
        raise
    if found := list(made.misfits()):
        raise _refusal(model, map(_detail, (*found, *made.further_misfits())))
    return made


def _misfits_beside(
    model: type[Model],
    values: object,
    handler: ModelWrapValidatorHandler[Model],
    error: ValidationError,
) -> list[Misfit]:
    """The misfits among the members that are good; others take their defaults meanwhile."""
    bad = {str(each["loc"][0]) for each in error.errors() if each["loc"]}
    if bad & TOGETHER:
        bad |= TOGETHER
    if not bad or not isinstance(values, dict) or not issubclass(model, BaseModel):
        return []
    good = {name: value for name, value in values.items() if name not in bad}
    required = {name for name, field in model.model_fields.items() if field.is_required()}
    try:
        made = handler({**dict.fromkeys(required, "x"), **good})
    except ValidationError:
        return []
    found = (*made.misfits(), *made.further_misfits())
    return [each for each in found if not each.members & bad]


def _again(error: ValidationError) -> list[InitErrorDetails]:
    return [
        InitErrorDetails(
            type=each["type"]
            if each["type"] in KNOWN
            else PydanticCustomError(each["type"], "{words}", {"words": each["msg"]}),  # type: ignore[arg-type]
            loc=each["loc"],
            input=each["input"],
            ctx=each.get("ctx", {}),
        )
        for each in error.errors(include_url=False)
    ]


def _detail(misfit: Misfit) -> InitErrorDetails:
    return InitErrorDetails(
        type="value_error",
        loc=misfit.place,
        input=None,
        ctx={"error": ValueError(misfit.words)},
    )


def _refusal(model: type[Model], details: Iterable[InitErrorDetails]) -> ValidationError:
    return ValidationError.from_exception_data(model.__name__, list(details))
