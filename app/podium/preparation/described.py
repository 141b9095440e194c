"""Describes options where they are declared: the command line and the API take name, default,
bounds and meaning from there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Literal, get_args, get_origin, get_type_hints


@dataclass(frozen=True)
class About:
    """Annotates a field of a dataclass of options: its meaning; bounds, both included; its name for
    users, if it is not that of the field; a letter for command lines, and the word for its value
    there."""

    meaning: str
    least: float | None = None
    most: float | None = None
    name: str = ""
    letter: str = ""
    metavar: str | None = None


@dataclass(frozen=True)
class DescribedOption:
    """The field of this name, with its type, its default and its annotation."""

    field: str
    type: Any
    default: Any
    about: About

    @property
    def name(self) -> str:
        """Returns the name for users."""
        return self.about.name or self.field

    @property
    def choices(self) -> tuple[str, ...]:
        """Returns the words of a choice; none if it is not one."""
        return get_args(self.type) if get_origin(self.type) is Literal else ()


def described_options(kind: type) -> Iterator[DescribedOption]:
    """Yields the described fields of a dataclass in order, with those of dataclasses in it."""
    hints = get_type_hints(kind, include_extras=True)
    for each in fields(kind):
        type_, *more = get_args(hints[each.name]) or (hints[each.name],)
        if is_dataclass(type_) and isinstance(type_, type):
            yield from described_options(type_)
        elif more and isinstance(more[0], About):
            yield DescribedOption(each.name, type_, each.default, more[0])
