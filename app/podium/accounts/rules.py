"""Rules of accounts: rate limits, strength of passwords and tokens, and the states of a request."""

from __future__ import annotations

import math
import unicodedata
from collections import OrderedDict, deque
from enum import StrEnum
from functools import cache
from itertools import pairwise
from string import digits, punctuation, whitespace

from podium.core.names import name_key
from podium.errors import InvalidInput, NotConfigured
from podium.errors.codes import ErrorCode
from podium.mail.addresses import is_address


class RequestState(StrEnum):
    """The state of a request for an account, or to enter a competition."""

    PENDING = "pending"
    APPROVED = "approved"
    DECLINED = "declined"


class MailLinkKind(StrEnum):
    """The purpose of a link that is sent by mail: to make an account, or to set a new password."""

    SIGN_UP = "sign-up"
    RESET = "reset"


def checked_mail(given: str) -> str:
    """Trims and checks a mail address. Raises `InvalidInput` (`bad-mail`)."""
    address = given.strip()
    if not is_address(address):
        raise InvalidInput(
            "This is not a mail address like ada@example.org.", code=ErrorCode.BAD_MAIL
        )
    return address


def mail_key(address: str) -> str:
    """Computes the unique key of an address: few servers distinguish upper from lower case.

    >>> mail_key("Ada@Example.org")
    'ada@example.org'
    """
    return address.lower()


MAX_KEYS = 10_000
"""Maximum number of keys that are stored; the least recent ones are removed first."""


class Attempts:
    """At most `limit` attempts of one key in `seconds`. Time is an argument, in seconds."""

    def __init__(self, *, limit: int, seconds: float, most_keys: int = MAX_KEYS) -> None:
        self._limit = limit
        self._seconds = seconds
        self._most_keys = most_keys
        self._made: OrderedDict[str, deque[float]] = OrderedDict()

    def wait(self, key: str, now: float) -> int:
        """Computes the whole seconds until the key may try again; 0 when it may now."""
        made = self._made.get(key, deque())
        while made and made[0] <= now - self._seconds:
            made.popleft()
        if len(made) < self._limit:
            return 0
        return max(1, math.ceil(made[0] + self._seconds - now))

    def count(self, key: str, now: float) -> None:
        """Adds an attempt at `now`; of too many keys, the least recently used is dropped."""
        self._made.setdefault(key, deque()).append(now)
        self._made.move_to_end(key)
        while len(self._made) > self._most_keys:
            self._made.popitem(last=False)

    def forgive(self, key: str) -> None:
        """Removes the last attempt, which succeeded."""
        made = self._made.get(key)
        if made:
            made.pop()
        if not made:
            self._made.pop(key, None)


CONFIGURED = "PODIUM_ADMIN_TOKEN"
"""The variable in which the operator sets the administrator's token, and its label."""

FOR_METRICS = "PODIUM_METRICS_TOKEN"
"""The variable with the token that opens the metrics alone."""

MIN_TOKEN_CHARACTERS = 20

MIN_DIFFERENT_CHARACTERS = 6
"""Minimum number of different characters: one random token of 20 hexadecimal digits in a million
has fewer."""


def require_sound_tokens(*, administrator: str | None, metrics: str | None) -> None:
    """Raises `NotConfigured` for tokens of the operator that are weak, or the same."""
    if administrator:
        require_strong_token(administrator)
    if metrics:
        require_strong_token(metrics, variable=FOR_METRICS)
    if metrics and metrics == administrator:
        raise NotConfigured(
            f"{FOR_METRICS} is the administrator's token, which opens everything. Make another one"
            " with: openssl rand -hex 32"
        )


def require_strong_token(token: str, *, variable: str = CONFIGURED) -> None:
    """Raises `NotConfigured` for an operator's token that no header can carry, or that can be
    guessed: the addresses that it opens are public, and no other secret is required."""
    if not token.isascii() or not token.isprintable() or " " in token:
        wrong = "may hold letters, digits and signs of ASCII only, and no spaces"
    elif len(token) < MIN_TOKEN_CHARACTERS:
        wrong = f"has {len(token)} characters, and needs {MIN_TOKEN_CHARACTERS} or more"
    elif len(set(token)) < MIN_DIFFERENT_CHARACTERS or is_common(token):
        wrong = "repeats itself or is a common password, and can be guessed"
    else:
        return
    raise NotConfigured(f"{variable} {wrong}. Make a good one with: openssl rand -hex 32")


PRODUCT = "podium"
"""The first word that a guesser of passwords would try here."""

MAX_ADDED = 6
"""Maximum number of digits and signs around a common password that do not make it uncommon:
`Password2026`."""


MIN_UNFORESEEN = 6
"""Minimum number of characters that do not follow from those before them."""

FOLLOWING = {"90": 1, "09": -1}
"""Adjacent digits on a keyboard that are not consecutive numbers."""

BETWEEN = punctuation + whitespace


def is_common(password: str) -> bool:
    """True if a password is on the list, whatever its case, also repeated or with a few digits or
    signs around it; or counts along: `0123456789`, `aaaabcdefg`.

    >>> is_common("Qwertyuiop"), is_common("password-123"), is_common("dragondragon")
    (True, True, True)
    >>> is_common("correct horse battery"), is_common("dragon, 4 of them")
    (False, False)
    """
    folded = password.casefold()
    core = folded.strip(digits + punctuation + whitespace)
    if len(folded) - len(core) > MAX_ADDED:
        core = folded
    closed = "".join(character for character in folded if character not in BETWEEN)
    if any(each in _common() for each in (folded, core, _repeated(folded), _repeated(closed))):
        return True
    return _unforeseen(folded) < MIN_UNFORESEEN


def _unforeseen(text: str) -> int:
    """Counts the characters that remain if ascending and descending runs count as two each."""
    left, run, last = 0, 0, 0
    for before, after in pairwise(text):
        step = FOLLOWING.get(before + after, ord(after) - ord(before))
        run = run + 1 if run and step == last else 1
        last = step
        left += run == 1 or abs(step) != 1
    return left + 1


def _repeated(text: str) -> str:
    """Finds the shortest part whose repetition is the whole text; the text itself where there is
    none."""
    return text[: (text + text).find(text, 1)]


@cache
def _common() -> frozenset[str]:
    # Imported here: the lists take a while to load, and only the choice of a password needs them.
    from zxcvbn.frequency_lists import FREQUENCY_LISTS

    return frozenset(FREQUENCY_LISTS["passwords"]) | {PRODUCT}


MIN_CHARACTERS = 10

MAX_CHARACTERS = 256
"""Hashing takes no longer for a long password, but a body needs a limit."""

MIN_DIFFERENT = 5
"""Minimum number of different characters: `aaaaaaaaaa` has ten characters and is easily guessed."""


def prepared(given: str) -> str:
    """Normalizes a password for hashing: NFKC, so that the same keys give the same hash on every
    machine."""
    return unicodedata.normalize("NFKC", given)


def checked_password(given: str, *, name: str) -> str:
    """Checks and normalizes a new password. Any characters are allowed.

    Raises `InvalidInput` (`bad-password`) for one that is too short, too long, too uniform, made of
    the account's name, or among the most common ones.
    """
    password = prepared(given)
    if not MIN_CHARACTERS <= len(password) <= MAX_CHARACTERS:
        raise InvalidInput(
            f"A password has {MIN_CHARACTERS} to {MAX_CHARACTERS} characters.",
            code=ErrorCode.BAD_PASSWORD,
        )
    if len(set(password)) < MIN_DIFFERENT:
        raise InvalidInput(
            f"A password has at least {MIN_DIFFERENT} different characters.",
            code=ErrorCode.BAD_PASSWORD,
        )
    if _is_made_of(password, name):
        raise InvalidInput(
            "The password must not be your account name.", code=ErrorCode.BAD_PASSWORD
        )
    if is_common(password):
        raise InvalidInput(
            "This is a common password, perhaps repeated or with digits or signs around it. Choose"
            " another, for example several unrelated words.",
            code=ErrorCode.BAD_PASSWORD,
        )
    return password


def _is_made_of(password: str, name: str) -> bool:
    """True if a password is the account's name: repeated, or with digits and signs around it."""
    for given, own in ((password, name), (_letters(password), _letters(name))):
        whole, part = name_key(given), name_key(own)
        if part and whole and not whole.replace(part, ""):
            return True
    return False


def _letters(text: str) -> str:
    return "".join(character for character in text if character.isalpha())
