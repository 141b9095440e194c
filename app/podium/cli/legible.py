"""Text that is safe for terminals: nothing from a file, a server or a name may control one."""

from __future__ import annotations

import sys


def legible(text: str) -> str:
    r"""Returns the text with nonprintable characters escaped; line ends and tabs stay.

    >>> legible("\x1b[31mred\x07 \u202e\n")
    '\\x1b[31mred\\x07 \\u202e\n'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in "\n\t" else _escaped(c) for c in text)


def say(text: str = "") -> None:
    """Prints a result for people."""
    print(legible(text))


def say_as_it_is(text: str) -> None:
    """Prints a text that may become a file again: escaped in a terminal, else unchanged."""
    print(legible(text) if sys.stdout.isatty() else text, end="")


def _escaped(character: str) -> str:
    if ord(character) < 256:
        return f"\\x{ord(character):02x}"
    return character.encode("ascii", "backslashreplace").decode()
