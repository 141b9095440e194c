"""What is taken as a password. How one is kept is none of this module's business."""

from __future__ import annotations

import unicodedata

from app.domain.common_passwords import is_common
from app.domain.names import name_key
from app.errors import InvalidInput

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
    if name_key(password).replace(name_key(name), "") == "":
        raise InvalidInput("A password is not the account's name.", code="bad-password")
    if is_common(password):
        raise InvalidInput(
            "This password is among those that are tried first. Choose another one, such as several"
            " words.",
            code="bad-password",
        )
    return password
