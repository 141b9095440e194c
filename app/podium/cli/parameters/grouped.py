"""Groups of options: a parameter whose type is a dataclass stands for an option per annotated
field. Several commands share one declaration, and their functions get one value."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from copy import copy
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from typing import Annotated, Any, get_args, get_type_hints

from typer.models import OptionInfo

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
            parameters.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY))
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
        inner, (kind, *about) = _OptionGroup.of(hint), get_args(hint) or (hint,)
        if inner is not None:
            self.options += inner.options
        elif about and isinstance(about[0], OptionInfo):
            option = copy(about[0])
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
