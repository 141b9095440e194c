"""Parses JSON strictly: numbers keep their spelling, and what two programs could read differently
is refused."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

SPACES = " \t\n\r"
"""The characters that JSON has between values."""


class NotJson(ValueError):
    """A text is not JSON at the position `at`, perhaps only because it `is_cut` there; the reason
    is empty where the syntax alone is wrong."""

    def __init__(self, reason: str, at: int, *, is_cut: bool = False) -> None:
        super().__init__(reason)
        self.at, self.is_cut = at, is_cut


def value_at(text: str, at: int = 0) -> tuple[Any, int]:
    """Parses the value that begins at a position, and returns it with its end. Numbers are texts,
    as strings are. Raises NotJson.

    >>> value_at('{"a": [1.50, "b", true, null]}, 5')
    ({'a': ['1.50', 'b', True, None]}, 30)
    """
    try:
        return _DECODER.raw_decode(text, at)
    except json.JSONDecodeError as wrong:
        is_open = wrong.msg.startswith("Unterminated string")
        is_cut = is_open or _CUT.fullmatch(text, wrong.pos) is not None
        raise NotJson("", wrong.pos, is_cut=is_cut) from None
    except RecursionError:
        raise NotJson("it is nested too deeply", at) from None
    except ValueError as wrong:
        raise NotJson(str(wrong), at) from None


def without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Builds the value of an object. Raises ValueError where a key occurs twice."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key occurs twice")
    return found


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a value of JSON")


_DECODER = json.JSONDecoder(
    object_pairs_hook=without_duplicates,
    parse_int=str,
    parse_float=str,
    parse_constant=_refuse_constant,
)

_CUT = re.compile(
    r"[ \t\n\r]*(t|tr|tru|f|fa|fal|fals|n|nu|nul|-|\\(u[0-9a-fA-F]{0,3})?)?|u?[0-9a-fA-F]{0,3}"
)
"""The end of a text in which a value is cut: spaces, or the begin of a word or an escape."""
