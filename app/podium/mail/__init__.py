"""ADAPTER: sends mail to people. Three functions, so that it can be replaced.

An installation without mail has none of it: whatever needs a mail is not on its pages then. This
file is the interface; `smtp.py` implements it with a server that speaks SMTP.
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
    """Sends letters."""

    def send(self, letter: Letter) -> None:
        """Hands a letter to the mail server. Raises `Unavailable` (`mail-failed`)."""
        ...

    def trouble(self) -> str | None:
        """The reason why the mail server cannot be used now; None where it can. Sends nothing."""
        ...

    def counts(self) -> Mapping[str, int]:
        """The letters of this process so far that were `sent`, and those that `failed`."""
        ...
