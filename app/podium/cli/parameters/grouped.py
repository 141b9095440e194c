"""Groups of options: a parameter whose type is a dataclass stands for an option per annotated
field. Several commands share one declaration, and their functions get one value. An annotation
`About` an option declares it, too."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from copy import copy
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from typing import Annotated, Any, get_args, get_type_hints

import typer
from typer.models import OptionInfo

from podium.preparation.described import About

PANEL = "panel"
"""The attribute of a group with the name of its panel in `--help`."""


class Without(frozenset[str]):
    """Fields of a group that are not options of a command, in the annotation of its parameter."""


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """Returns the command with an option for each field of its groups, in their place and order."""
    signature = inspect.signature(command, eval_str=True)
    groups: dict[str, _OptionGroup] = {}
    parameters: list[inspect.Parameter] = []
    for parameter in signature.parameters.values():
        if (group := _OptionGroup.of(parameter.annotation)) is None:
            declared = _declared(parameter.name, parameter.annotation)
            hint = Annotated[declared] if declared else parameter.annotation
            kind = inspect.Parameter.KEYWORD_ONLY
            parameters.append(parameter.replace(kind=kind, annotation=hint))
        else:
            groups[parameter.name] = group
            parameters += group.options

    @functools.wraps(command)
    def run(**given: object) -> None:
        for name, group in groups.items():
            given[name] = group.built(given)
        command(**given)

    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return run


def _declared(
    name: str,
    annotation: Any,  # noqa: ANN401 - any type
) -> tuple[Any, OptionInfo] | None:
    """Returns the type and the option of an annotation; None if it is not about an option."""
    kind, *more = get_args(annotation) or (annotation,)
    if not more or not isinstance(more[0], OptionInfo | About):
        return None
    if isinstance(about := more[0], OptionInfo):
        return kind, copy(about)
    word = (about.name or name).replace("_", "-")
    flag = f"--{word}/--no-{word}" if kind == bool | None else f"--{word}"
    names = [flag, f"-{about.letter}"] if about.letter else [flag]
    bounds, metavar = (about.least, about.most), about.metavar
    return kind, typer.Option(
        *names, min=bounds[0], max=bounds[1], metavar=metavar, help=about.meaning
    )


@dataclass
class _OptionGroup:
    """A dataclass, its options in order, and its fields that are groups themselves."""

    kind: Any
    options: list[inspect.Parameter] = field(default_factory=list)
    members: dict[str, _OptionGroup | None] = field(default_factory=dict)

    @classmethod
    def of(cls, annotation: Any) -> _OptionGroup | None:  # noqa: ANN401 - any type
        """Returns the group of an annotation; None for an ordinary option."""
        kind, *about = get_args(annotation) or (annotation,)
        if not (isinstance(kind, type) and is_dataclass(kind)):
            return None
        group, left_out = cls(kind), Without().union(*(a for a in about if isinstance(a, Without)))
        hints = get_type_hints(kind, include_extras=True)
        for each in fields(kind):
            if each.name not in left_out:
                group._add(each, hints[each.name])
        return group

    def _add(self, member: Field[Any], hint: Any) -> None:  # noqa: ANN401 - any type
        if (inner := _OptionGroup.of(hint)) is not None:
            self.options += inner.options
        elif (declared := _declared(member.name, hint)) is not None:
            kind, option = declared
            option.rich_help_panel = option.rich_help_panel or getattr(self.kind, PANEL, None)
            default = inspect.Parameter.empty if member.default is MISSING else member.default
            hint = Annotated[kind, option]
            named = member.name, inspect.Parameter.KEYWORD_ONLY
            self.options.append(inspect.Parameter(*named, default=default, annotation=hint))
        else:
            return
        self.members[member.name] = inner

    def built(self, given: dict[str, object]) -> object:
        """Builds the value from options, which are removed from those `given`."""
        members = self.members.items()
        return self.kind(**{n: each.built(given) if each else given.pop(n) for n, each in members})
