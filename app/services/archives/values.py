"""What columns of an archive may hold beyond their type in the database: what the service itself
would have written there. A value that it never writes could break every page that shows it."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter

from app.domain.competition_settings import CompetitionSettings
from app.domain.competition_texts import Description, Title
from app.domain.names import clean_name
from app.errors import InvalidInput
from app.services.tasks import task_of

MOST_DIGITS = 1_000
"""Of an exact number in a document, with its denominator."""


def _settings(given: dict[str, Any]) -> dict[str, Any]:
    """Settings that this version can score by. Raises `InvalidInput` (`archive-too-new`)."""
    try:
        task_of(CompetitionSettings.model_validate(given))
    except (ValueError, InvalidInput):
        raise InvalidInput(
            "The archive's settings are not ones that this version knows.", code="archive-too-new"
        ) from None
    return given


def _name(given: str) -> str:
    try:
        is_clean = clean_name(given) == given
    except InvalidInput:
        is_clean = False
    if not is_clean:
        raise ValueError("no name of a team")
    return given


def _exact(given: str) -> str:
    if len(given) > MOST_DIGITS:
        raise ValueError("a longer number than there are")
    try:
        Fraction(given)
    except (ValueError, ZeroDivisionError):
        raise ValueError("no exact number") from None
    return given


_Exact = Annotated[str, AfterValidator(_exact)]
_Count = Annotated[int, Field(ge=0, strict=True)]
_Error = Annotated[float, Field(ge=0, allow_inf_nan=False, strict=True)]


class _Shape(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _Objective(_Shape):
    hits: _Count
    denominator: _Count
    queries: _Count
    value: _Exact


class _Diagnostic(_Shape):
    score: _Exact
    objectives: dict[str, _Exact]
    notes: dict[str, dict[str, _Count]] = {}


class _Problem(_Shape):
    code: str
    detail: str
    line: Annotated[int, Field(strict=True)] | None
    errors: list[dict[str, Any]]
    error_count: _Count


def _like(shape: Any) -> Any:
    """A JSON document of this shape, kept as it is."""
    adapter = TypeAdapter(shape)

    def check(given: Any) -> Any:
        adapter.validate_python(given)
        return given

    return Annotated[Any, AfterValidator(check)]


_SCORES = {
    "objectives": _like(dict[str, _Objective]),
    "diagnostics": _like(dict[str, _Diagnostic]),
    "diagnostic_errors": _like(dict[str, _Error | None]),
}

NARROW: dict[str, dict[str, Any]] = {
    "competitions": {
        "title": Title,
        "description": Description,
        "visibility": Literal["public", "private"],
        "settings": Annotated[dict[str, Any], AfterValidator(_settings)],
    },
    "teams": {
        "name": Annotated[str, AfterValidator(_name)],
        "tags": list[Literal["organizer", "baseline", "hidden"]],
    },
    "standings": {"decimals": Annotated[int, Field(ge=0, le=12)]},
    "judgings": {"counts": _like(dict[str, _Count]), "problem": _like(_Problem)},
    "public_scores": _SCORES,
    "private_scores": _SCORES,
}
"""By table and column, what its type leaves open; a column that may be null still may."""
