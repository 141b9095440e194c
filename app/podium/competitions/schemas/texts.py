"""Documents about announcements and rules."""

from __future__ import annotations

from podium.http.members import ClientAddress, CreatedAt, Id
from podium.http.schemas import Output, PersonOut, ShownTime


class RulesOut(Output):
    """The rules of a competition."""

    text: str
    """The rules as Markdown. Empty: there are none."""
    sha256: str
    """SHA-256 of the text, in hex."""
    accepted_at: ShownTime | None
    """The time at which the caller accepted this text. Null: not yet."""


class AcceptanceOut(Output):
    """A participant's acceptance of the rules."""

    person: PersonOut
    """The participant who accepted."""
    sha256: str
    """SHA-256 of the accepted text, in hex."""
    accepted_at: ShownTime
    """The time at which it was accepted."""
    address: ClientAddress


class AnnouncementOut(Output):
    """An announcement."""

    id: Id
    title: str
    """The headline, one line."""
    text: str
    """The text as Markdown."""
    created_at: CreatedAt
    updated_at: ShownTime
    """The time at which it was last changed; equals `created_at` if it never was."""
