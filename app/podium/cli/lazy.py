"""Commands that are imported when they are called: listing them takes only their names and
docstrings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, cached_property
from importlib import import_module
from importlib.util import find_spec
from inspect import cleandoc
from types import CodeType
from typing import Any

from typer.core import TyperCommand, TyperGroup

Place = str
"""The place of a command: its module below this package and its function, such as `people:add`."""


class LazyCommand(TyperCommand):
    """The name of a command, and a function that builds the command."""

    def __init__(
        self, name: str, place: Place, panel: str | None, make: Callable[[Any], Any]
    ) -> None:
        super().__init__(name=name, rich_help_panel=panel)
        self.place = place
        self._make = make

    @cached_property
    def made(self) -> Any:  # noqa: ANN401 - private to Typer
        """The command that Typer builds on first use, when its module is imported."""
        return self._make(self)

    def function(self) -> Callable[..., None]:
        """The function of the command; imports its module."""
        module, _, name = self.place.partition(":")
        found: Callable[..., None] = getattr(import_module(_whole(module)), name)
        return found

    @property
    def summary(self) -> str:
        """The first paragraph of that function's docstring, read from the compiled module without
        importing it."""
        module, _, name = self.place.partition(":")
        return paragraphs(cleandoc(_docstrings(_whole(module))[name]))[0]


@cache
def _docstrings(module: str) -> dict[str, str]:
    """Finds the first constant of each function of a module, which is its docstring."""
    loader: Any = getattr(find_spec(module), "loader", None)
    codes = (each for each in loader.get_code(module).co_consts if isinstance(each, CodeType))
    return {code.co_name: str(code.co_consts[0]) for code in codes if code.co_consts}


FORMER_NAMES = {"analyse": "analyze"}
"""Former names of commands, still accepted, with today's names."""


class LazyGroup(TyperGroup):
    """A group of commands that are imported one by one."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ANN401 - as above
        """Returns the command of this name, current or former."""
        return super().get_command(ctx, FORMER_NAMES.get(cmd_name, cmd_name))

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401 - as above
        """Returns the names of the commands, in order, after setting the summaries that the help
        shows."""
        for command in self.commands.values():
            if isinstance(command, LazyCommand):
                command.help = command.summary
        return super().list_commands(ctx)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # noqa: ANN401 - as above
        """Returns the command that is called, imported."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, getattr(command, "made", command), rest

    def whole(self) -> Mapping[str, Any]:
        """Imports and returns all commands."""
        return {name: getattr(each, "made", each) for name, each in self.commands.items()}


def paragraphs(text: str) -> list[str]:
    """Returns the paragraphs of a docstring, each on one line: the terminal wraps it."""
    return [" ".join(each.split()) for each in text.split("\n\n")]


def _whole(module: str) -> str:
    return f"podium.cli.{module}"
