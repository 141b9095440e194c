"""Names of columns and objectives: which there may be, and how they are written in a header.

A name is any text that may stand in the header of a file; one with a comma or a quote is written in
quotes (RFC 4180). Names are compared character by character, without any normalization.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from podium.errors.reasons import NAME_PATTERN

JOINERS = "\u200c\u200d"
"""Format characters that words of several languages, and emoji, are written with."""

_NAME = re.compile(NAME_PATTERN)
_IN_IDS = re.compile(r"[!#-+\--^`-~]+")


def hidden_in(text: str) -> str | None:
    r"""Finds the first character that does not show, such as a control character or one that
    changes the direction of writing; None where there is none. Spaces of all kinds show.

    >>> hidden_in("고객 ID"), hidden_in("a\u00a0b"), hidden_in("a\u202eb")
    (None, None, '\u202e')
    """
    if text.isprintable():
        return None
    return next((sign for sign in text if not _shows(sign)), None)


def _shows(sign: str) -> bool:
    return sign.isprintable() or sign in JOINERS or unicodedata.category(sign) == "Zs"


def lack_of_name(name: str) -> str:
    """Explains why a text of a suitable length is no name; empty where it is one."""
    if name != name.strip():
        return "there are spaces around the name"
    if hidden := hidden_in(name):
        return f"the name holds U+{ord(hidden):04X}, which does not show"
    if is_pattern(name):
        return "a name does not both begin with ^ and end with $, as patterns do"
    return ""


def is_pattern(name: str) -> bool:
    """True for a text that Polars would not take as the name of a column, but as a pattern."""
    return name.startswith("^") and name.endswith("$")


def is_name(text: str) -> bool:
    """True for a text that settings take as the name of a column or an objective.

    >>> is_name("Fertilizer Name"), is_name('5" disk, old'), is_name(" a"), is_name("a" * 65)
    (True, True, False, False)
    """
    return _NAME.fullmatch(text) is not None and not lack_of_name(text)


def visible_name(name: str) -> str:
    r"""Formats a name on one line, with escapes for characters that do not show.

    >>> visible_name("Größe (m²)"), visible_name("a\u200bb")
    ('Größe (m²)', 'a\\u200bb')
    """
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in name
    )


def fits_ids(objective: str) -> bool:
    """True for the name of an objective that ids, `<session>_<name>`, may end with: printable ASCII
    without spaces, underscores, commas and quotes.

    >>> fits_ids("clicks"), fits_ids("ptend_t_0"), fits_ids("구매")
    (True, False, False)
    """
    return _IN_IDS.fullmatch(objective) is not None


def header_of(names: Iterable[str]) -> str:
    r"""Formats the header of a CSV file, without its line end.

    >>> print(header_of(["user", "price, in €", 'a "b" c']))
    user,"price, in €","a ""b"" c"
    """
    return ",".join(map(as_field, names))


def as_field(text: str) -> str:
    """Formats a field of a CSV file, in quotes where it has a comma or a quote."""
    if '"' not in text and "," not in text:
        return text
    doubled = text.replace('"', '""')
    return f'"{doubled}"'
