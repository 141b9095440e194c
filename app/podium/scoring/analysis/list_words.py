"""Describes the statistics of lists in words, for pages and for the command line, from nothing but
the document of the API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from podium.scoring.task import MAX_K

STRANGE_SHARE = 0.9
"""The share of unknown items from which on they may be ids of other objects."""


def length_words(lists: Mapping[str, Any]) -> str:
    """Describes the lengths of the lists of all objectives.

    >>> lengths = {"k": 20, "lists": 1000, "empty": 4, "full": 930, "items": 19100}
    >>> length_words({"objectives": {"": lengths}})
    '19.1 items per list on average; 93 % of lists are full (20 items); 4 lists are empty'
    """
    each = list(lists["objectives"].values())
    count, empty, full, items = (
        sum(one[name] for one in each) for name in ("lists", "empty", "full", "items")
    )
    if not count:
        return "no lists"
    depths = sorted({one["k"] for one in each})
    limits = " or ".join(f"{k:,}" for k in depths)
    plural = "item" if depths == [1] else "items"
    fullness = f" {percent(full, count)} of lists are full ({limits} {plural});"
    if depths == [MAX_K] and not full:
        # A metric without K scores all items, and no list needs that many.
        fullness = ""
    none_is = _are(empty, "list", "empty") if empty else "no list is empty"
    return f"{items / count:,.1f} items per list on average;{fullness} {none_is}"


def item_words(lists: Mapping[str, Any]) -> str:
    """Describes the number of distinct items, and how many are in the catalog.

    >>> catalogue = {"items": 44600, "predicted": 18290, "unknown": 12}
    >>> item_words({"counted_share": 1, "distinct": 18302, "catalogue": catalogue})
    "18,302 different items, 41 % of the catalogue's 44,600; 12 items are not in the catalogue"
    >>> item_words({"counted_share": 64, "distinct": 7, "catalogue": None})
    '7 different items in one of 64 lists'
    """
    distinct, catalogue = lists["distinct"], lists["catalogue"]
    if distinct is None:
        return "too many different items to count"
    share = lists["counted_share"]
    counted = "" if share == 1 else f" in one of {share:,} lists"
    words = f"{distinct:,} different {'item' if distinct == 1 else 'items'}{counted}"
    if catalogue is not None:
        covered = percent(catalogue["predicted"], catalogue["items"])
        words += f", {covered} of the catalogue's {catalogue['items']:,}"
        if catalogue["unknown"]:
            words += f"; {_are(catalogue['unknown'], 'item', 'not in the catalogue')}"
    return words


def list_warning(lists: Mapping[str, Any], whose: str = "your") -> str | None:
    """Advises on items that a program changed, or asks where hardly any item is in the catalog;
    None otherwise.

    >>> lost = {"items": 9, "predicted": 0, "unknown": 5, "without_zeros": 4}
    >>> list_warning({"distinct": 5, "catalogue": lost}).partition(": ")[0]
    'In the catalogue 4 of your items have leading zeros'
    >>> few = {"items": 9, "predicted": 1, "unknown": 99}
    >>> list_warning({"distinct": 100, "catalogue": few})
    'Only 1 of your 100 different items is in the catalogue: are these the right ids?'
    """
    distinct, catalogue = lists["distinct"], lists["catalogue"]
    for change, (words, advice) in _CHANGES.items():
        if catalogue is not None and (count := catalogue.get(change, 0)):
            return f"In the catalogue {count:,} of {whose} items {words}: {advice}"
    if not distinct or catalogue is None or catalogue["unknown"] < STRANGE_SHARE * distinct:
        return None
    known = catalogue["predicted"]
    if not known:
        subject = f"None of {whose} items is"
    else:
        subject = f"Only {known:,} of {whose} {distinct:,} different items"
        subject += " is" if known == 1 else " are"
    return f"{subject} in the catalogue: are these the right ids?"


def percent(part: int, whole: int) -> str:
    """Formats a share in whole percent, which is 0 or 100 only for exactly none and all.

    >>> percent(41, 100), percent(1, 1000), percent(999, 1000), percent(5, 5)
    ('41 %', 'less than 1 %', 'more than 99 %', '100 %')
    """
    if 0 < part < whole:
        if part * 100 < whole:
            return "less than 1 %"
        if (whole - part) * 100 < whole:
            return "more than 99 %"
    return f"{100 * part / whole:.0f} %"


_CHANGES = {
    "without_zeros": (
        "have leading zeros",
        "a program removed them. Read the column as text, in pandas with dtype=str.",
    ),
    "as_floats": (
        "have no “.0” at their end",
        "a program made floats of them. Cast the column to integers.",
    ),
}
"""Changes of items, by the name of their count, with the words for each and the advice."""


def _are(count: int, thing: str, quality: str) -> str:
    return f"1 {thing} is {quality}" if count == 1 else f"{count:,} {thing}s are {quality}"
