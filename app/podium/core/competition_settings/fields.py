"""The declaration of a setting: its type, default and bounds, with its label and description.
Forms, the API's description and the documentation are generated from it."""

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
    """Describes a setting for people: its label on forms, its meaning, and descriptions of its
    values where it is a choice, and of its absence."""

    label: str
    meaning: str
    values: Mapping[str, str]
    none: str
    is_nullable: bool
    example: object

    @property
    def description(self) -> str:
        """The whole description, for people who write values themselves."""
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
    """Declares a setting, with its default and bounds as pydantic takes them. Documents omit one
    that `is_sparse` while it has its default."""
    if is_sparse:
        default = Field(**declared).get_default(call_default_factory=True)
        declared["exclude_if"] = partial(eq, default)
    is_nullable = declared.get("default", ...) is None
    words = SettingWords(label, meaning, values or {}, none, is_nullable, example)
    return Field(json_schema_extra=words, **declared)


def words_of(field: FieldInfo) -> SettingWords:
    """Reads the label and description of a setting from its field."""
    words = field.json_schema_extra
    assert isinstance(words, SettingWords)
    return words


def example_of(field: FieldInfo) -> object:
    """Finds an example value of a setting: the declared one, or its default."""
    example = words_of(field).example
    return field.default if example is None else example
