"""Names of people and teams: how they are cleaned, compared, and distinguished from look-alikes."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from functools import cache

from podium.errors import InvalidInput
from podium.errors.codes import ErrorCode

NAMELESS_FILE = "submission"
"""The name of a file that was sent without one, or whose person has deleted the account."""

MARK = "\u200e"
"""The left-to-right mark, which the list of look-alikes puts around right-to-left characters."""


def skeleton(text: str) -> str:
    r"""Replaces each character by one that represents all its look-alikes; equal for texts that
    look alike.

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
    """Maps each character to the one that represents it and all its look-alikes."""
    # Imported here: it takes a megabyte, which only the choice of a name needs.
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
    """Finds the center of a star: look-alikes are listed as many characters and the one that they
    all resemble."""
    return max({one, *alike[one]}, key=lambda each: (len(alike[each]), each))


def _preference(each: str) -> tuple[bool, int, str]:
    # Several letters represent the one that they look like, since text is read letter by letter.
    return not each.isascii(), -len(each), each


MAX_NAME_CHARACTERS = 64

REFUSED_CATEGORIES = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""Control, format (zero width, writing direction), unassigned, private and surrogate characters,
and line separators: they hide, reorder or break the text around a name."""

BLANK = frozenset("\u034f\u115f\u1160\u1680\u17b4\u17b5\u2800\u3164\uffa0").union(
    *(map(chr, range(first, last + 1)) for first, last in ((0x180B, 0x180F), (0xFE00, 0xFE0D))),
    map(chr, range(0xE0100, 0xE01F0)),
)
"""Letters, marks and signs that are invisible all the same: fillers, variation selectors, and the
blank pattern of Braille."""

STYLES = str.maketrans("", "", "\ufe0e\ufe0f")
"""Removes variation selectors, which choose between the plain and the colored form of a sign and
carry no meaning in a name."""

LOOK_ALIKES = str.maketrans(
    {
        **dict(zip("авгԁеһікмнорстухѕјԛԝѵӏ", "abrdehlkmhopctyxsjqwvl", strict=True)),
        **dict(zip("αβεζηικμνορτυχ", "abezhlkmnoptyx", strict=True)),
        **dict(zip("01i|ıɩɡ", "olllllg", strict=True)),
    }
)
"""Cyrillic, Greek and other characters after case folding, each with the Latin letter that it, or
its capital, passes for."""


def clean_name(given: str) -> str:
    """Normalizes a name for storage: NFKC, trimmed, with single spaces.

    Raises `InvalidInput` (`bad-name`) when 1 to 64 visible characters do not remain.
    """
    parts = unicodedata.normalize("NFKC", given).translate(STYLES).split(" ")
    name = " ".join(part for part in parts if part)
    refused = next((c for c in name if _is_hidden(c)), None)
    if refused is not None:
        raise InvalidInput(
            f"A name may not hold the character U+{ord(refused):04X}, which does not show.",
            code=ErrorCode.BAD_NAME,
        )
    if not 1 <= len(name) <= MAX_NAME_CHARACTERS or not _is_visible(name):
        raise InvalidInput(
            f"A name has 1 to {MAX_NAME_CHARACTERS} visible characters.", code=ErrorCode.BAD_NAME
        )
    return name


def name_key(name: str) -> str:
    """Computes the unique key of a name: equal for names that differ in case, accents, spaces or
    look-alikes."""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    bare = "".join(c for c in folded if unicodedata.category(c) != "Mn" and c != " ")
    return bare.translate(LOOK_ALIKES) or folded


def look_of(name: str) -> str:
    """Computes a second unique key of a name: equal for names that look alike, whatever their
    scripts.

    It is stored in tables: a change of it needs a migration that computes it again.
    """
    # Characters of other scripts may only look like a letter in one case, and "m" like "rn".
    return name_key(skeleton(skeleton(unicodedata.normalize("NFKC", name)).casefold()))


def _is_hidden(character: str) -> bool:
    return character in BLANK or unicodedata.category(character) in REFUSED_CATEGORIES


def _is_visible(name: str) -> bool:
    return any(unicodedata.category(c)[0] in "LNPS" for c in name)
