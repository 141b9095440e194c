"""Describes the settings of an installation for people: in `podium serve --help`, in the
documentation, and in the refusal of a wrong one. Everything is derived from the fields of
`Settings`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from podium.settings import Settings

PREFIX = "PODIUM_"

KINDS = {"integer": "a whole number", "number": "a number", "boolean": "1 or 0", "string": "text"}

A_SIZE = "a size such as 3 GiB or 500 MB"

BOUNDS = {"exclusiveMinimum": "above", "minimum": "of at least", "maximum": "at most"}
"""Bounds of a number, by their names in JSON Schema, in words."""

LARGE = 1_000_000
"""From this size on, numbers are shown with all their digits."""

UNITS = ((30, "GiB"), (20, "MiB"), (10, "KiB"))


@dataclass(frozen=True, slots=True)
class DescribedSetting:
    """A variable: its name, its default ("" for none), its values, and its meaning."""

    variable: str
    default: str
    takes: str
    meaning: str
    is_secret: bool

    @property
    def form(self) -> str:
        """The values and the default in short."""
        return f"{self.takes}; default: {self.default}" if self.default else self.takes


def described_settings() -> Iterator[DescribedSetting]:
    """Yields all settings, in the order of their definition."""
    from pydantic import SecretStr

    schemas = Settings.model_json_schema()["properties"]
    for name, field in Settings.model_fields.items():
        is_secret = SecretStr in (field.annotation, *getattr(field.annotation, "__args__", ()))
        yield DescribedSetting(
            variable=f"{PREFIX}{name.upper()}",
            default="" if is_secret else _default(name, field.default),
            takes=_takes(name, schemas[name]),
            meaning=" ".join((field.description or "").split()),
            is_secret=is_secret,
        )


def _default(name: str, value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(int(value))
    return _number(name, value) if isinstance(value, int | float) else str(value)


def _number(name: str, amount: float) -> str:
    """Formats a number; one that counts bytes with a unit."""
    if "bytes" in name and isinstance(amount, int):
        for bits, unit in UNITS:
            if amount and amount % (1 << bits) == 0:
                return f"{amount >> bits} {unit}"
    return f"{amount:g}" if amount < LARGE else str(amount)


def _takes(name: str, schema: Mapping[str, Any]) -> str:
    if values := schema.get("enum"):
        return f"{', '.join(values[:-1])} or {values[-1]}"
    kinds = [schema, *schema.get("anyOf", ())]
    kind = next(each for each in kinds if each.get("type", "null") != "null")
    if kind.get("format") == "path":
        return "a folder"
    bounds = [f"{words} {_number(name, kind[key])}" for key, words in BOUNDS.items() if key in kind]
    words = A_SIZE if "bytes" in name else KINDS.get(kind["type"], "text")
    if words is A_SIZE and not kind.get("minimum"):
        return words
    return " ".join([words, " and ".join(bounds)]).strip()
