"""Rules for columns of an archive beyond their database type: they admit only values that the
service itself would have written. Any other value could break every page that shows it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    TypeAdapter,
)

from podium.core.competition_settings import CompetitionSettings
from podium.core.competition_settings.texts import (
    AnnouncementText,
    Description,
    Slug,
    Title,
    Visibility,
    printable,
    readable,
)
from podium.core.configuration import missing_add_ons, task_of
from podium.core.judging_states import RejudgingState, State
from podium.core.leases import WorkState
from podium.core.names import clean_name
from podium.core.versions import VersionState
from podium.errors import InvalidInput
from podium.errors.codes import ErrorCode
from podium.materials.service.data_files import FILE_NAME
from podium.scoring.names import hidden_in
from podium.submissions.rules import base_name, checked_note
from podium.teams.rules import MergeStatus

MAX_REPORTED = 8_000
"""Characters of a failure's report, which holds the last output of a child."""

MAX_DIGITS = 1_000
"""The maximum number of digits of an exact number in a document, with its denominator."""


def _settings(given: dict[str, Any]) -> dict[str, Any]:
    """Returns settings that this version can score by. Raises `InvalidInput`
    (`archive-too-new`)."""
    try:
        settings = CompetitionSettings.model_validate(given)
        if not missing_add_ons(settings):
            task_of(settings)
    except (ValueError, InvalidInput):
        raise InvalidInput(
            "The archive's settings are not ones that this version knows.",
            code=ErrorCode.ARCHIVE_TOO_NEW,
        ) from None
    return given


def _unchanged_by(rule: Callable[[str], str]) -> Callable[[str], str]:
    """Returns a check for texts that this rule leaves unchanged."""

    def check(given: str) -> str:
        try:
            is_unchanged = rule(given) == given
        except InvalidInput:
            is_unchanged = False
        if not is_unchanged:
            raise ValueError("not a text that was ever taken in")
        return given

    return check


def _file_name(given: str) -> str:
    if FILE_NAME.fullmatch(given) is None:
        raise ValueError("no name of a file")
    return given


_LINES = dict.fromkeys(map(ord, "\n\r\t"))


def _shown(text: str) -> str:
    """Passes a text on that pages may show; names of columns may have spaces of any kind."""
    if hidden_in(text) is not None:
        raise ValueError("only characters that show")
    return text


def _texts_within(given: object) -> object:
    """Checks that all texts in a document, at any depth, are ones that pages may show."""
    waiting = [given]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            _shown(value.translate(_LINES))
        elif isinstance(value, dict):
            waiting.extend((*value, *value.values()))
        elif isinstance(value, list):
            waiting.extend(value)
    return given


def _exact(given: str) -> str:
    if len(given) > MAX_DIGITS:
        raise ValueError("a longer number than there are")
    try:
        Fraction(given)
    except (ValueError, ZeroDivisionError):
        raise ValueError("no exact number") from None
    return given


Kind: TypeAlias = Any
"""A type as a value; Python has no name for that."""

_Name = Annotated[str, AfterValidator(_unchanged_by(clean_name))]
_Column = Annotated[str, StringConstraints(max_length=200), AfterValidator(_shown)]
_AnyTexts = Annotated[dict[str, Any], AfterValidator(_texts_within)]
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
    objectives: dict[_Column, _Exact]
    notes: dict[_Column, dict[_Column, _Count]] = {}


class _StoredLengths(_Shape):
    k: _Count
    lists: _Count
    empty: _Count
    full: _Count
    items: _Count


class _Catalogue(_Shape):
    items: Annotated[int, Field(ge=1, strict=True)]
    predicted: _Count
    unknown: _Count


class _Lists(_Shape):
    objectives: dict[_Column, _StoredLengths]
    counted_share: Annotated[int, Field(ge=1, strict=True)]
    distinct: _Count | None
    catalogue: _Catalogue | None


class _Counts(BaseModel):
    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, _Count]

    lists: _Lists | None = None
    form: _Column = ""


class _OtherForm(_Shape):
    form: Annotated[str, AfterValidator(_shown)]
    forms: list[_Column]


class _Problem(_Shape):
    code: Annotated[str, AfterValidator(readable)]
    detail: Annotated[str, AfterValidator(_shown)]
    line: Annotated[int, Field(strict=True)] | None
    errors: list[_AnyTexts]
    error_count: _Count
    reading_stopped: Annotated[bool, Field(strict=True)] = False
    readable_as: _OtherForm | None = None


def _like(shape: Kind) -> Kind:
    """Returns the rule for a JSON document of this shape, which stays as it is."""
    adapter = TypeAdapter(shape)

    def check(given: object) -> object:
        adapter.validate_python(given)
        return given

    return Annotated[Any, AfterValidator(check)]


_SCORES = {
    "objectives": _like(dict[_Column, _Objective]),
    "diagnostics": _like(dict[_Column, _Diagnostic]),
    "diagnostic_errors": _like(dict[_Column, _Error | None]),
}

_Reasoned = Annotated[str, StringConstraints(max_length=500), AfterValidator(readable)]
_Version = Annotated[str, StringConstraints(max_length=256), AfterValidator(printable)]

IDS = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
"""A UUID in lower case, with hyphens."""

HASHES = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
"""The type of SHA-256 hashes of files and texts."""

LINE = Annotated[str, StringConstraints(max_length=1_000), AfterValidator(printable)]
"""The type of every text that has no rule of its own below."""

NARROW: dict[str, dict[str, Any]] = {
    "users": {"name": _Name},
    "competition_secrets": {"split_key": HASHES},
    "published_id_lists": {"source": Literal["ground-truth", "list"]},
    "ground_truth_versions": {
        "status": Literal[tuple(state.value for state in VersionState)],
        "preparation": _like(_AnyTexts),
        "summary": _like(_AnyTexts),
        "problem": _like(_AnyTexts),
        "parts": _like(dict[Literal["public", "private"], HASHES]),
    },
    "metric_versions": {
        "status": Literal["checking", "stored", "rejected"],
        "file_name": Annotated[str, AfterValidator(_unchanged_by(base_name))],
        "note": Annotated[str, AfterValidator(_unchanged_by(checked_note))],
        "checked": _like(_AnyTexts),
        "problem": _like(_AnyTexts),
    },
    "item_files": {"summary": _like(_AnyTexts)},
    "session_files": {"columns": list[_Column]},
    "data_files": {"name": Annotated[str, AfterValidator(_file_name)]},
    "merge_requests": {"status": Literal[tuple(status.value for status in MergeStatus)]},
    "submissions": {
        "filename": Annotated[str, AfterValidator(_unchanged_by(base_name))],
        "note": Annotated[str, AfterValidator(_unchanged_by(checked_note))],
        "disqualified_because": _Reasoned,
    },
    "rejudgings": {
        "reason": _Reasoned,
        "state": Literal[tuple(state.value for state in RejudgingState)],
        "settings": _like(_AnyTexts),
    },
    "rejudging_changes": {"change": _like(_AnyTexts)},
    "announcements": {"title": Title, "text": AnnouncementText},
    "competitions": {
        "slug": Slug,
        "title": Title,
        "description": Description,
        "visibility": Visibility,
        "settings": Annotated[dict[str, Any], AfterValidator(_settings)],
    },
    "teams": {
        "name": _Name,
        "invite_code": Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{22}$")],
        "disqualified_because": _Reasoned,
        "tags": list[Literal["organizer", "baseline", "hidden"]],
    },
    "standings": {
        "board": Literal["public", "private"],
        "decimals": Annotated[int, Field(ge=0, le=12)],
    },
    "judgings": {
        "state": Literal[tuple(state.value for state in State)],
        "scorer_version": _Version,
        "failure": Annotated[str, StringConstraints(max_length=MAX_REPORTED)],
        "counts": _like(_Counts),
        "problem": _like(_Problem),
        # Only in archives of earlier versions.
        "private_run": Literal["pending", "failed"],
        "metric_notes": _like(_AnyTexts),
        "told_bits": _Error,
        "told_detail_bits": _Error,
    },
    "runs": {
        "state": Literal[tuple(state.value for state in WorkState)],
        "note": _like(_AnyTexts),
    },
    "public_scores": _SCORES,
    "private_scores": _SCORES,
}
"""By table and column, rules beyond the column's type; nullable columns may still be null."""
