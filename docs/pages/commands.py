"""The page of the command line, from the application that `podium` runs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import typer
from typer.core import TyperArgument, TyperCommand

from docs.pages.markdown import table
from podium.cli.commands import GROUPS, OPERATING, PANELS, build, name_of
from podium.cli.lazy import LazyGroup

HEAD = """# Command line

Every command of `podium`, as its `--help` explains it. The guides show them at work: for
[participants](../participants.md), where the exit codes are, too, for
[organizers](../organizers.md) and for [operators](../operators.md). A command that needs another
[extra](../start.md#install) of the package says so.
"""

VALUES = {
    "str": "text",
    "list[str]": "text",
    "list[Path]": "path",
    "dir": "folder",
    "int": "number",
    "int range": "number",
    "float": "number",
    "float range": "number",
}
"""What an option takes, in words."""


def commands() -> str:
    """Every command and group, by its panel."""
    application = typer.main.get_command(build())
    assert isinstance(application, LazyGroup)
    found = application.whole()
    lines = [HEAD, "## Options of `podium` itself", *_parameters(application)]
    for panel, own in PANELS.items():
        groups = [name for name, (_, where, _) in GROUPS.items() if where == panel]
        lines += ["", f"## {panel}"]
        for name in (*map(name_of, own), *groups):
            lines += _described(found[name], f"podium {name}")
        if panel == OPERATING:
            lines += ["", "Their settings are environment variables: see [Settings](settings.md)."]
    return "\n".join(lines) + "\n"


def _described(
    command: Any,  # noqa: ANN401 - what a command and a group have in common is private to Typer
    name: str,
    level: int = 3,
) -> Iterator[str]:
    """A command, or a group with the commands in it."""
    yield f"\n{'#' * level} `{name}`\n"
    if isinstance(command, LazyGroup):
        yield command.help or ""
        for inner, one in command.whole().items():
            yield from _described(one, f"{name} {inner}", level + 1)
        return
    yield f"```text\n{name} {_usage(command)}\n```\n"
    yield _as_markdown(command.help or "")
    yield from _parameters(command)


def _usage(command: TyperCommand) -> str:
    pieces = []
    for one in command.params:
        if isinstance(one, TyperArgument):
            pieces.append(_argument(one) if one.required else f"[{_argument(one)}]")
        elif one.required:
            pieces.append(f"{one.opts[-1]} {_value(one, _context(command)).upper()}")
    return " ".join([*pieces, "[OPTIONS]"])


def _parameters(command: Any) -> Iterator[str]:  # noqa: ANN401 - as above
    """A table of arguments and options."""
    context = _context(command)
    rows = [
        (_name(one), _takes(one, context), _default(one, context), _as_markdown(one.help or ""))
        for one in command.params
        if not one.hidden
    ]
    if rows:
        yield ""
        yield from table(("argument or option", "takes", "default", "meaning"), rows)


def _context(command: TyperCommand) -> Any:  # noqa: ANN401 - as above
    return command.context_class(command)


def _argument(parameter: TyperArgument) -> str:
    if parameter.metavar is not None:
        return parameter.metavar
    return f"{parameter.name.upper()}{'' if parameter.nargs == 1 else '…'}"


def _name(parameter: Any) -> str:  # noqa: ANN401 - as above
    if isinstance(parameter, TyperArgument):
        return f"`{_argument(parameter)}`"
    return ", ".join(f"`{name}`" for name in (*parameter.opts, *parameter.secondary_opts))


def _takes(parameter: Any, context: Any) -> str:  # noqa: ANN401 - as above
    if getattr(parameter, "is_flag", False):
        return "–"
    pieces = [_value(parameter, context)]
    if parameter.min is not None:
        pieces.append(f"at least {parameter.min:,}")
    if parameter.max is not None:
        pieces.append(f"at most {parameter.max:,}")
    return ", ".join([*pieces, *(["may be repeated"] if parameter.multiple else [])])


def _value(parameter: Any, context: Any) -> str:  # noqa: ANN401 - as above
    if isinstance(parameter, TyperArgument):
        kind = parameter.display_type(context)
    else:
        kind = parameter.display_type_rich(ctx=context)
    kind = kind.strip("<>")
    return VALUES.get(kind, kind)


def _default(parameter: Any, context: Any) -> str:  # noqa: ANN401 - as above
    if parameter.required:
        return "required"
    default = parameter.get_default(context)
    if getattr(parameter, "is_flag", False):
        named = parameter.opts if default else parameter.secondary_opts
        return f"`{named[-1]}`" if parameter.secondary_opts else "–"
    return "–" if default in (None, "", (), []) else f"`{default}`"


def _as_markdown(text: str) -> str:
    """Options as code, so that their dashes stay two."""
    return re.sub(r"(?<![`\w-])(--[a-z][a-z-]*)(?![`\w])", r"`\1`", text)
