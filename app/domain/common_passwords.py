"""Passwords that everybody tries first: a list by how often they were found in leaks, and what
people make of such a word when they are told to add something."""

from __future__ import annotations

from functools import cache
from string import digits, punctuation, whitespace

MOST_ADDED = 4
"""Digits and signs around a common password that make it no other one: `Password2026`."""


def is_common(password: str) -> bool:
    """Whether a password is on the list, whatever its case, also repeated or with a few digits or
    signs around it.

    >>> is_common("Qwertyuiop"), is_common("password-123"), is_common("dragondragon")
    (True, True, True)
    >>> is_common("correct horse battery"), is_common("dragon, 4 of them")
    (False, False)
    """
    folded = password.casefold()
    core = folded.strip(digits + punctuation + whitespace)
    if len(folded) - len(core) > MOST_ADDED:
        core = folded
    return any(each in _common() for each in (folded, core, _repeated(folded)))


def _repeated(text: str) -> str:
    """The shortest part of which a text consists entirely; the text itself where there is none."""
    return text[: (text + text).find(text, 1)]


@cache
def _common() -> frozenset[str]:
    # The lists take a while to be loaded, and only whoever chooses a password needs them.
    from zxcvbn.frequency_lists import FREQUENCY_LISTS

    return frozenset(FREQUENCY_LISTS["passwords"])
