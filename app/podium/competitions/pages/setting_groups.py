"""The fields of the settings form, in groups."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Literal, get_args, get_origin

from pydantic import AwareDatetime, BaseModel
from pydantic.fields import FieldInfo

from podium.competitions.schemas.competitions import NewCompetition
from podium.core.competition_settings import FREE_AFTER_LAUNCH, CompetitionSettings
from podium.core.competition_settings.choices import MetricChoice, SplitChoice
from podium.core.competition_settings.fields import SettingWords, words_of

Kind = Literal[
    "text",
    "number",
    "size",
    "choice",
    "tick",
    "time",
    "objectives",
    "metric",
    "list",
    "ticks",
    "split",
    "columns",
    "columns by objective",
]

KINDS: dict[object, Kind] = {
    str: "text",
    int: "number",
    bool: "tick",
    AwareDatetime: "time",
    Literal: "choice",
    dict: "objectives",
    tuple: "list",
    MetricChoice: "metric",
    SplitChoice: "split",
}
"""Kinds of form fields, by the type that the setting is declared with."""

_OF_TABLES: dict[str, Kind] = {
    "table_columns": "columns",
    "objective_columns": "columns by objective",
}


TYPED: Mapping[Kind, str] = {
    "objectives": "One per line: name, weight and, if it differs, its metric; a name with spaces in"
    " quotes. Example: clicks 0.1",
    "list": "Separated by spaces.",
    "split": "For example 0.33 or 33 %.",
    "size": "For example 2 GB.",
    "columns": "One per line: a name for numbers, or JSON."
    ' Example: {"name": "price", "type": "number", "minimum": 0}',
    "columns by objective": "One objective per line. Example: breed: cat, dog",
}
"""The way in which fields of these kinds are filled in."""


@dataclass(frozen=True)
class Field:
    """A setting as a field of a form. Its label, description, type and rules of change come from
    its declaration."""

    name: str
    model: type[BaseModel] = NewCompetition

    @property
    def declared(self) -> FieldInfo:
        """The pydantic field that declares the setting."""
        return self.model.model_fields[self.name]

    @property
    def words(self) -> SettingWords:
        """The label and description of the setting."""
        return words_of(self.declared)

    @property
    def hint(self) -> str:
        """The help text of the field: its meaning, input format, and the meaning of an empty
        one."""
        words = self.words
        none = f"Empty: {words.none}." if words.none and not words.values else ""
        return " ".join(filter(None, (words.meaning, TYPED.get(self.kind), none))).replace("`", "")

    @cached_property
    def kind(self) -> Kind:
        """The kind of form field for the setting's type."""
        if self.name in _OF_TABLES:
            return _OF_TABLES[self.name]
        if self.name.endswith("_bytes"):
            return "size"
        annotation = self.declared.annotation
        known = [each for each in _types_of(annotation) if each in KINDS]
        if not known:
            raise TypeError(f"No kind of form field is for {self.name}, which is {annotation}.")
        kind = KINDS[known[0]]
        return "ticks" if kind == "list" and self.words.values else kind

    @property
    def bounds(self) -> dict[str, object]:
        """The bounds of a number or a text, as attributes of HTML."""
        names = {"ge": "min", "le": "max", "max_length": "maxlength"}
        return {
            names[name]: bound
            for each in self.declared.metadata
            for name in names
            if (bound := getattr(each, name, None)) is not None
        }

    @property
    def is_fixed(self) -> bool:
        """True if it changes by a rejudging, or never, after the launch."""
        settings = CompetitionSettings.model_fields.keys()
        return self.name == "slug" or self.name in settings - FREE_AFTER_LAUNCH


@dataclass(frozen=True, slots=True)
class SettingGroup:
    """Settings that one section of the form shows."""

    title: str
    about: str
    fields: tuple[Field, ...]

    @property
    def is_fixed(self) -> bool:
        """True if its settings change by a rejudging, or never, after the launch."""
        return all(field.is_fixed for field in self.fields)


def _types_of(annotation: Any) -> Iterator[object]:  # noqa: ANN401 - an annotation has no type
    """Yields the types in an annotation, without the wrappers of optional and annotated ones."""
    origin = get_origin(annotation)
    if origin in (None, Literal, dict, tuple):
        yield origin or annotation
        return
    parts = get_args(annotation)
    for part in parts[:1] if origin is Annotated else parts:
        yield from _types_of(part)


def _group(title: str, about: str, *names: str) -> SettingGroup:
    return SettingGroup(title, about, tuple(map(Field, names)))


ADDRESS = _group("Address", "", "slug")
"""Beside `GROUPS`, because forms for new competitions have a place of their own for it."""

GROUPS = (
    _group(
        "Basics",
        "",
        *("title", "summary", "image", "visibility"),
        *("registration", "registration_code", "starts_at", "ends_at"),
    ),
    _group(
        "Task",
        "",
        *("task", "objectives", "metric", "diagnostics"),
        *("missing_rows", "duplicates", "submission_duplicates", "split"),
    ),
    _group(
        "Columns",
        "The format of a submission.",
        *("id_column", "labels_column", "item_column", "context_column", "unit", "group_column"),
        *("table_columns", "objective_columns", "weight_column", "cluster_column"),
        *("query_ids", "context_ids", "item_ids", "forms"),
    ),
    _group(
        "Limits",
        "Per team. Rejected files don't count, except where scoring ran out of time or memory, or"
        " your custom metric refused them.",
        *("daily_limit", "total_limit", "leak_limit", "final_selections", "team_size"),
        *("max_upload_bytes", "max_expanded_bytes", "concurrent_uploads", "late_submissions"),
    ),
    _group(
        "Board",
        "What participants see before the reveal.",
        *("decimals", "member_names", "board", "objective_scores", "board_diagnostics"),
    ),
)

FIELDS = {field.name: field for group in (ADDRESS, *GROUPS) for field in group.fields}
