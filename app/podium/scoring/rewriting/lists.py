"""Writes lists as the form `podium` has them: their items with spaces between them."""

from __future__ import annotations

from typing import Any, NoReturn

from podium.scoring.problems import Code, quoted
from podium.scoring.text.fields import RowProblem


def joined(items: list[Any]) -> str:
    """Joins the items of a list by spaces. Raises RowProblem for what would not be one item.

    >>> joined(["7", "9"]), joined([])
    ('7 9', '')
    """
    try:
        text = " ".join(items)
    except TypeError:
        _refuse(items)
    if text.count(" ") >= (len(items) or 1) or "" in items:
        _refuse(items)
    return text


def _refuse(items: list[Any]) -> NoReturn:
    wrong = next(each for each in items if not (isinstance(each, str) and each) or " " in each)
    hint = "The items of a list are numbers, or texts without spaces: [7, 9]."
    raise RowProblem(Code.BAD_LABEL, f"{value_words(wrong)} is not an item of a list", hint)


def value_words(value: object) -> str:
    """Shows a value of JSON in a sentence.

    >>> value_words(True), value_words([1]), value_words("a b")
    ('true', 'a list', '“a b”')
    """
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    return "null" if value is None else str(value).lower()
