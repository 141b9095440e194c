"""The calls of the Python client, from its classes."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

from docs.pages.markdown import NOT_SEARCHED, table
from podium.client import Organizer, Podium

HEAD = """# Calls of the Python client

All that `Podium` and `Organizer` of the [Python client](../client.md) can do. `help(Podium.submit)`
prints everything about a call, and the site that `make docs` builds has it on a page of its own.
"""

FURTHER = "`Organizer` has all calls of `Podium`, and these:"

DIRECTIVES = f"""{NOT_SEARCHED}# Calls in detail

::: podium.client.Podium

::: podium.client.Organizer
    options:
      inherited_members: false

{FURTHER}
"""

GROUP = """
::: {name}
    options:
      show_root_heading: false
      show_root_toc_entry: false
      inherited_members: false
"""

NEEDED = {
    "POSITIONAL_ONLY": "{}",
    "POSITIONAL_OR_KEYWORD": "{}",
    "VAR_POSITIONAL": "*{}",
    "KEYWORD_ONLY": "{}=",
}
"""The forms in which a call takes what it needs."""


def calls() -> str:
    """A line for each call."""
    lines = [HEAD, "## `Podium`\n", *_listed(_groups(Podium))]
    return "\n".join([*lines, "\n## `Organizer`\n", f"{FURTHER}\n", *_listed(_further_groups())])


def calls_in_detail() -> str:
    """Directives that put the docstrings of all calls onto the page."""
    names = (f"{group.__module__}.{group.__name__}" for group in _further_groups())
    return DIRECTIVES + "".join(GROUP.format(name=name) for name in names)


def _groups(client: type) -> list[type]:
    """The classes that give a client its calls."""
    return [group for group in client.__mro__ if any(_calls(group))]


def _further_groups() -> list[type]:
    own = _groups(Podium)
    return [group for group in _groups(Organizer) if group not in own]


def _calls(group: type) -> Iterator[str]:
    return (name for name, one in vars(group).items() if name[0] != "_" and inspect.isfunction(one))


def _listed(groups: list[type]) -> Iterator[str]:
    rows = [
        (f"`{name}({_parameters(group, name)})`", _first_sentence(group, name))
        for group in groups
        for name in _calls(group)
    ]
    yield from table(("call", "what it does"), rows)


def _parameters(group: type, name: str) -> str:
    """What a call needs, by name; of what it may be given, only that there is something."""
    parameters = list(inspect.signature(getattr(group, name)).parameters.values())[1:]
    needed = [one for one in parameters if one.default is one.empty and one.kind.name in NEEDED]
    pieces = [NEEDED[one.kind.name].format(one.name) for one in needed]
    return ", ".join([*pieces, *(["…"] if len(needed) < len(parameters) else [])])


def _first_sentence(group: type, name: str) -> str:
    text = " ".join((inspect.getdoc(getattr(group, name)) or "").split())
    return text.partition(". ")[0].rstrip(".") + "."
