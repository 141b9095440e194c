"""Names that people choose for themselves and their teams: what is allowed, and when two are the
same to a reader's eye."""

from __future__ import annotations

import unicodedata

from app.errors import InvalidInput

MAX_NAME_CHARACTERS = 64

REFUSED_CATEGORIES = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""Control, format (zero width, writing direction), unassigned, private and surrogate characters,
and line separators: they hide, reorder or break what stands around a name."""

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
    """The name as it is kept: NFKC, trimmed, with single spaces.

    Raises `InvalidInput` (`bad-name`) when 1 to 64 visible characters do not remain.
    """
    parts = unicodedata.normalize("NFKC", given).split(" ")
    name = " ".join(part for part in parts if part)
    refused = next((c for c in name if unicodedata.category(c) in REFUSED_CATEGORIES), None)
    if refused is not None:
        raise InvalidInput(
            f"A name may not hold the character U+{ord(refused):04X}, which does not show.",
            code="bad-name",
        )
    if not 1 <= len(name) <= MAX_NAME_CHARACTERS or not _is_visible(name):
        raise InvalidInput(
            f"A name has 1 to {MAX_NAME_CHARACTERS} visible characters.", code="bad-name"
        )
    return name


def name_key(name: str) -> str:
    """What must be unique: equal for names that differ in case, accents, spaces or look-alikes."""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    bare = "".join(c for c in folded if unicodedata.category(c) != "Mn" and c != " ")
    return bare.translate(LOOK_ALIKES) or folded


def _is_visible(name: str) -> bool:
    return any(unicodedata.category(c)[0] in "LNPS" for c in name)
