"""Options of commands in groups: a parameter whose type is a dataclass stands for an option for
each of its annotated fields. Several commands share one declaration, and a body gets one value."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Annotated, Any, get_args, get_type_hints

from typer.models import OptionInfo

PANEL = "panel"
"""The attribute of a group that names the panel of its options in `--help`."""


class Without(frozenset[str]):
    """Fields of a group that are not options of a command, in the annotation of its parameter."""


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """The command with an option for each field of its groups, in their place and order."""
    signature = inspect.signature(command, eval_str=True)
    groups: dict[str, tuple[Callable[..., object], list[str]]] = {}
    parameters: list[inspect.Parameter] = []
    for parameter in signature.parameters.values():
        group, *about = get_args(parameter.annotation) or (parameter.annotation,)
        if not is_dataclass(group) or not isinstance(group, type):
            parameters.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY))
            continue
        left_out = Without().union(*(each for each in about if isinstance(each, Without)))
        options = [each for each in _options(group) if each.name not in left_out]
        groups[parameter.name] = (group, [each.name for each in options])
        parameters += options

    @functools.wraps(command)
    def run(**given: object) -> None:
        for name, (group, members) in groups.items():
            given[name] = group(**{member: given.pop(member) for member in members})
        command(**given)

    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return run


def _options(group: Any) -> Iterator[inspect.Parameter]:  # noqa: ANN401 - any dataclass
    hints = get_type_hints(group, include_extras=True)
    for field in fields(group):
        kind, *about = get_args(hints[field.name]) or (hints[field.name],)
        if about and isinstance(about[0], OptionInfo):
            option = copy(about[0])
            option.rich_help_panel = option.rich_help_panel or getattr(group, PANEL, None)
            yield inspect.Parameter(
                field.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=_default(field),
                annotation=Annotated[kind, option],
            )


def _default(field: Field[Any]) -> object:
    return inspect.Parameter.empty if field.default is MISSING else field.default
