"""The declaration of a setting: its type, default and bounds, and beside them all that is said
about it. Forms, the API's description and the documentation take it from there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from operator import eq
from typing import Any

from pydantic import Field
from pydantic.fields import FieldInfo


@dataclass(frozen=True)
class SettingWords:
    """All that people read about a setting: its label on forms, its meaning, the words for its
    values where it is a choice, and those for its absence."""

    label: str
    meaning: str
    values: Mapping[str, str]
    none: str
    is_nullable: bool
    example: object

    @property
    def description(self) -> str:
        """All of it for those who write values themselves."""
        values = ", ".join(f"`{value}` ({words})" for value, words in self.values.items())
        none = self.none and f"{'Null' if self.is_nullable else 'Empty'}: {self.none}"
        return " ".join([self.meaning, *(f"{each}." for each in (values, none) if each)])

    def __call__(self, schema: dict[str, Any]) -> None:
        """Describes the setting in its JSON schema."""
        schema["description"] = self.description
        if self.example is not None:
            schema["examples"] = [self.example]


def setting(
    label: str,
    meaning: str,
    *,
    values: Mapping[str, str] | None = None,
    none: str = "",
    example: object = None,
    is_sparse: bool = False,
    **declared: Any,
) -> Any:  # noqa: ANN401 - what a field is declared with is of the field's type
    """The declaration of a setting, with its default and bounds as pydantic takes them. Documents
    leave one that `is_sparse` out while it has its default."""
    if is_sparse:
        default = Field(**declared).get_default(call_default_factory=True)
        declared["exclude_if"] = partial(eq, default)
    is_nullable = declared.get("default", ...) is None
    words = SettingWords(label, meaning, values or {}, none, is_nullable, example)
    return Field(json_schema_extra=words, **declared)


def words_of(field: FieldInfo) -> SettingWords:
    """All that is said about a setting."""
    words = field.json_schema_extra
    assert isinstance(words, SettingWords)
    return words


def example_of(field: FieldInfo) -> object:
    """A value that a setting may have: the one at its field, or its default."""
    example = words_of(field).example
    return field.default if example is None else example
