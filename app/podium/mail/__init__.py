"""ADAPTER: sends mail to people. Three functions, so that it can be replaced.

An installation without mail hides everything on its pages that needs it. This file is the
interface; `smtp.py` implements it with an SMTP server.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail to one person: the address, which has been checked, a subject without a word of a
    stranger's, and plain text."""

    to: str
    subject: str
    text: str


class Mailer(Protocol):
    """Sends letters, and reports on the mail server."""

    def send(self, letter: Letter) -> None:
        """Sends a letter through the mail server. Raises `Unavailable` (`mail-failed`)."""
        ...

    def trouble(self) -> str | None:
        """Checks the mail server without sending; returns the reason for which it cannot be used,
        or None."""
        ...

    def counts(self) -> Mapping[str, int]:
        """Counts the letters of this process so far that were `sent`, and those that `failed`."""
        ...
