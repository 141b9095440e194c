"""Checks of several settings together, and all problems of a document in one refusal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, TypeVar

from pydantic import BaseModel, ModelWrapValidatorHandler, ValidationError

Place: TypeAlias = tuple[str | int, ...]

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
        """All members that the misfit concerns."""
        return self.others | {str(self.place[0])}


class _Checked(Protocol):
    def misfits(self) -> Iterable[Misfit]: ...

    def further_misfits(self) -> Iterable[Misfit]: ...


Model = TypeVar("Model", bound=_Checked)


def checked_whole(
    model: type[Model], values: object, handler: ModelWrapValidatorHandler[Model]
) -> Model:
    """Validates the values and builds the model.

    Raises pydantic's `ValidationError` with everything that is wrong: members that are refused by
    themselves, and misfits among the members that are not.
    """
    try:
        made = handler(values)
    except ValidationError as error:
        if more := _misfits_beside(model, values, handler, error):
            kept = map(_kept, error.errors(include_url=False))
            raise _refusal(model, [*kept, *map(_detail, more)]) from None
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
    """Finds misfits among the valid members; the others have their defaults meanwhile."""
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


def _kept(found: Any) -> Any:  # noqa: ANN401 - pydantic's own dicts, which differ by kind
    """Prepares an error to be raised again; of a kind that pydantic cannot create by name, only the
    message is retained."""
    detail = {name: found[name] for name in ("type", "loc", "input", "ctx") if name in found}
    try:
        ValidationError.from_exception_data("", [detail])  # type: ignore[list-item]
    except KeyError:
        return _detail(Misfit(found["loc"], found["msg"]))
    return detail


def _detail(misfit: Misfit) -> Any:  # noqa: ANN401 - as above
    error = ValueError(misfit.words)
    return {"type": "value_error", "loc": misfit.place, "input": None, "ctx": {"error": error}}


def _refusal(model: type[Model], details: Iterable[Any]) -> ValidationError:
    return ValidationError.from_exception_data(model.__name__, list(details))
