"""Commands that are imported when they are called: to list them, their names and docstrings do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from inspect import cleandoc
from types import CodeType
from typing import Any

from typer.core import TyperCommand, TyperGroup

Place = str
"""The place of a command: its module below this package and its function, as in `people:add`."""


class LazyCommand(TyperCommand):
    """The name of a command, and what it takes to become that command."""

    def __init__(
        self, name: str, place: Place, panel: str | None, make: Callable[[Any], Any]
    ) -> None:
        super().__init__(name=name, rich_help_panel=panel)
        self.place = place
        self._make = make

    @cached_property
    def made(self) -> Any:  # noqa: ANN401 - private to Typer
        """The command itself."""
        return self._make(self)

    def function(self) -> Callable[..., None]:
        """The function of the command, for which its module is imported."""
        module, _, name = self.place.partition(":")
        found: Callable[..., None] = getattr(import_module(_whole(module)), name)
        return found

    @property
    def summary(self) -> str:
        """The first paragraph of that function's docstring. Nothing is imported for it: it stands
        in what Python has compiled."""
        module, _, name = self.place.partition(":")
        loader: Any = getattr(find_spec(_whole(module)), "loader", None)
        functions = (each for each in loader.get_code(_whole(module)).co_consts)
        code = next(
            each for each in functions if isinstance(each, CodeType) and each.co_name == name
        )
        return paragraphs(cleandoc(str(code.co_consts[0])))[0]


FORMER_NAMES = {"analyse": "analyze"}
"""Names of today by former names of commands, which are still taken."""


class LazyGroup(TyperGroup):
    """A group of commands that are imported one by one."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ANN401 - as above
        """The command of this name of today, or of before."""
        return super().get_command(ctx, FORMER_NAMES.get(cmd_name, cmd_name))

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401 - as above
        """The names, each with a word about what it is for."""
        for command in self.commands.values():
            if isinstance(command, LazyCommand):
                command.help = command.summary
        return super().list_commands(ctx)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # noqa: ANN401 - as above
        """The command that is called."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, getattr(command, "made", command), rest

    def whole(self) -> Mapping[str, Any]:
        """All commands, imported, for those that look at all of them."""
        return {name: getattr(each, "made", each) for name, each in self.commands.items()}


def paragraphs(text: str) -> list[str]:
    """The paragraphs of a docstring, each on one line: a terminal breaks it as wide as it is."""
    return [" ".join(each.split()) for each in text.split("\n\n")]


def _whole(module: str) -> str:
    return f"podium.cli.{module}"
