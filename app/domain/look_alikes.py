"""What a text looks like: its skeleton after Unicode's UTS #39, in which characters that pass for
each other are one. The list of those is Unicode's own, by way of a package."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from functools import cache

MARK = "\u200e"
"""Stands in the list around characters that are written from right to left; no part of them."""


def skeleton(text: str) -> str:
    r"""The text with one character for all that look like it; equal for texts that look alike.

    It is for comparing and never shown. Upper and lower case differ here.

    >>> skeleton("\u0440\u0430\u0443\u0440\u0430l") == skeleton("paypal")
    True
    >>> skeleton("modern") == skeleton("rnodern"), skeleton("Ada") == skeleton("Eve")
    (True, False)
    """
    known = _prototypes()
    plain = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFD", "".join(known.get(c, c) for c in plain))


@cache
def _prototypes() -> dict[str, str]:
    """By character, what stands for it and for all of its look-alikes."""
    # A megabyte that only whoever chooses a name needs.
    from confusable_homoglyphs.confusables import confusables_data

    alike: defaultdict[str, set[str]] = defaultdict(set)
    for one, others in confusables_data.items():
        for other in others:
            pair = one.replace(MARK, ""), other["c"].replace(MARK, "")
            alike[pair[0]].add(pair[1])
            alike[pair[1]].add(pair[0])
    return {
        one: min({_center(one, alike), *alike[_center(one, alike)]}, key=_preference)
        for one in alike
        if len(one) == 1
    }


def _center(one: str, alike: dict[str, set[str]]) -> str:
    """Look-alikes are listed as stars: many characters, and the one that they all look like."""
    return max({one, *alike[one]}, key=lambda each: (len(alike[each]), each))


def _preference(each: str) -> tuple[bool, int, str]:
    # Several letters that look like one stand for it, since text is read letter by letter.
    return not each.isascii(), -len(each), each
