"""Passwords that everybody tries first: a list by how often they were found in leaks, and what
people make of such a word when they are told to add something."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from string import digits, punctuation, whitespace

MOST_ADDED = 6
"""Digits and signs around a common password that make it no other one: `Password2026`."""


LEAST_UNFORESEEN = 6
"""Characters that do not simply follow from those before them."""

FOLLOWING = {"90": 1, "09": -1}
"""Digits as they stand on a keyboard."""

BETWEEN = punctuation + whitespace


def is_common(password: str) -> bool:
    """Whether a password is on the list, whatever its case, also repeated or with a few digits or
    signs around it; or counts along: `0123456789`, `aaaabcdefg`.

    >>> is_common("Qwertyuiop"), is_common("password-123"), is_common("dragondragon")
    (True, True, True)
    >>> is_common("correct horse battery"), is_common("dragon, 4 of them")
    (False, False)
    """
    folded = password.casefold()
    core = folded.strip(digits + punctuation + whitespace)
    if len(folded) - len(core) > MOST_ADDED:
        core = folded
    closed = "".join(character for character in folded if character not in BETWEEN)
    if any(each in _common() for each in (folded, core, _repeated(folded), _repeated(closed))):
        return True
    return _unforeseen(folded) < LEAST_UNFORESEEN


def _unforeseen(text: str) -> int:
    """How many characters remain where runs that count up or down are two each."""
    left, run, last = 0, 0, 0
    for before, after in pairwise(text):
        step = FOLLOWING.get(before + after, ord(after) - ord(before))
        run = run + 1 if run and step == last else 1
        last = step
        left += run == 1 or abs(step) != 1
    return left + 1


def _repeated(text: str) -> str:
    """The shortest part of which a text consists entirely; the text itself where there is none."""
    return text[: (text + text).find(text, 1)]


@cache
def _common() -> frozenset[str]:
    # The lists take a while to be loaded, and only whoever chooses a password needs them.
    from zxcvbn.frequency_lists import FREQUENCY_LISTS

    return frozenset(FREQUENCY_LISTS["passwords"])
