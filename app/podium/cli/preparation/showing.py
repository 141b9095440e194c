"""The output of a preparation."""

from __future__ import annotations

from typing import Any

from podium.cli.legible import say
from podium.cli.printing import print_facts, print_json


def show_made(facts: dict[str, Any], *, as_json: bool) -> None:
    """Prints the files and then the other facts."""
    if as_json:
        print_json(facts)
        return
    for path in facts.pop("files"):
        say(str(path))
    if facts:
        print_facts(facts)
