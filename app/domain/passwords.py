"""What is taken as a password. How one is kept is none of this module's business."""

from __future__ import annotations

import unicodedata

from podium.domain.common_passwords import is_common
from podium.domain.names import name_key
from podium.errors import InvalidInput

MIN_CHARACTERS = 10

MAX_CHARACTERS = 256
"""Hashing takes no longer for a long password, but a body has to end somewhere."""

MIN_DIFFERENT = 5
"""Characters that must differ: `aaaaaaaaaa` is ten of them and no password."""


def prepared(given: str) -> str:
    """The password as it is hashed: NFKC, so that the same keys mean the same on every machine."""
    return unicodedata.normalize("NFKC", given)


def checked_password(given: str, *, name: str) -> str:
    """A new password, prepared. Any characters may be in it.

    Raises `InvalidInput` (`bad-password`) for one that is too short, too long, too uniform, made of
    the account's name, or among the first that anybody would try.
    """
    password = prepared(given)
    if not MIN_CHARACTERS <= len(password) <= MAX_CHARACTERS:
        raise InvalidInput(
            f"A password has {MIN_CHARACTERS} to {MAX_CHARACTERS} characters.", code="bad-password"
        )
    if len(set(password)) < MIN_DIFFERENT:
        raise InvalidInput(
            f"A password has at least {MIN_DIFFERENT} different characters.", code="bad-password"
        )
    if _is_made_of(password, name):
        raise InvalidInput("The password must not be your account name.", code="bad-password")
    if is_common(password):
        raise InvalidInput(
            "This password is too common. Choose another, for example several unrelated words.",
            code="bad-password",
        )
    return password


def _is_made_of(password: str, name: str) -> bool:
    """Whether a password is the account's name: repeated, or with digits and signs around it."""
    for given, own in ((password, name), (_letters(password), _letters(name))):
        whole, part = name_key(given), name_key(own)
        if part and whole and not whole.replace(part, ""):
            return True
    return False


def _letters(text: str) -> str:
    return "".join(character for character in text if character.isalpha())
