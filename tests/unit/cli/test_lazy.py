"""Commands are listed by what Python has compiled of them, and imported when they are called."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

from typer.main import get_command

from podium.cli.commands import build
from podium.cli.lazy import FORMER_NAMES, LazyCommand, LazyGroup, paragraphs


def listed() -> Iterator[LazyCommand]:
    group: Any = get_command(build())
    for command in group.commands.values():
        inner: Any = command.commands.values() if isinstance(command, LazyGroup) else [command]
        yield from inner


def test_every_command_is_listed_by_the_first_paragraph_of_its_docstring() -> None:
    commands = list(listed())
    assert len(commands) > 70
    for each in commands:
        documented = inspect.getdoc(each.function())
        assert documented, each.name
        assert each.summary == paragraphs(documented)[0]


def test_a_command_becomes_the_one_of_its_name() -> None:
    for each in listed():
        assert each.made.name == each.name


def test_a_former_name_calls_the_command_of_today_and_is_not_listed() -> None:
    group: Any = get_command(build())
    assert FORMER_NAMES == {"analyse": "analyze"}
    assert group.get_command(None, "analyse") is group.get_command(None, "analyze")
    assert "analyse" not in group.list_commands(None)
