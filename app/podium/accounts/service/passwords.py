"""Hashes passwords with Argon2id, so that hashing cannot starve the service, and its time does not
reveal if a user has a password. Independent of database and names."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from argon2 import PasswordHasher, Type
from argon2.exceptions import InvalidHashError, VerificationError

from podium.errors import Unavailable
from podium.errors.codes import ErrorCode

MEMORY_KIB, PASSES, LANES = 19 * 1024, 2, 1
"""OWASP's first choice for Argon2id: about 30 ms and 19 MiB each."""

AT_ONCE = 2
"""Concurrent hashes in one process."""

MAX_WAITING = 8
"""Maximum number of requests that wait for their turn; each occupies one of the threads that answer
all requests."""

LONGEST_WAIT_SECONDS = 3.0


_HASHER = PasswordHasher(time_cost=PASSES, memory_cost=MEMORY_KIB, parallelism=LANES, type=Type.ID)


@cache
def _stand_in() -> str:
    """Hashes a password that is checked for users without one: it takes the same time."""
    return _HASHER.hash("nobody has this password")


class Passwords:
    """Computes and checks hashes, a few at a time."""

    def __init__(self) -> None:
        self._stand_in_hash = _stand_in()
        self._turns = threading.Semaphore(AT_ONCE)
        self._places = threading.Semaphore(AT_ONCE + MAX_WAITING)

    def hashed(self, password: str) -> str:
        """Hashes a normalized password. Raises `Unavailable` (`busy`)."""
        with self._turn():
            return _HASHER.hash(password)

    def fits(self, kept: str | None, password: str) -> bool:
        """True if a normalized password matches the stored hash; false, after the same time, if
        there is no hash. Raises `Unavailable` (`busy`)."""
        with self._turn():
            try:
                return _HASHER.verify(kept or self._stand_in_hash, password) and kept is not None
            except (VerificationError, InvalidHashError):
                return False

    @contextmanager
    def _turn(self) -> Iterator[None]:
        if not self._places.acquire(blocking=False):
            raise _busy()
        try:
            if not self._turns.acquire(timeout=LONGEST_WAIT_SECONDS):
                raise _busy()
            try:
                yield
            finally:
                self._turns.release()
        finally:
            self._places.release()


def _busy() -> Unavailable:
    return Unavailable("Too many people sign in right now.", code=ErrorCode.BUSY, retry_after=5)
