"""Documents about announcements and rules."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from podium.http import examples
from podium.http.members import ClientAddress, CreatedAt, Id
from podium.http.schemas import Output, PersonOut, ShownTime


class RulesOut(Output):
    """The rules of a competition."""

    text: Annotated[str, Field(examples=["One account per person."])]
    """The rules as Markdown. Empty: there are none."""
    sha256: Annotated[str, Field(examples=[examples.TEXT_HASH])]
    """SHA-256 of the text, in hex."""
    accepted_at: ShownTime | None
    """The time at which the caller accepted this text. Null: not yet."""


class AcceptanceOut(Output):
    """A participant's acceptance of the rules."""

    person: PersonOut
    """The participant who accepted."""
    sha256: Annotated[str, Field(examples=[examples.TEXT_HASH])]
    """SHA-256 of the accepted text, in hex."""
    accepted_at: ShownTime
    """The time at which it was accepted."""
    address: ClientAddress


class AnnouncementOut(Output):
    """An announcement."""

    id: Annotated[Id, Field(examples=[examples.OTHER])]
    title: Annotated[str, Field(examples=["The final ranking is out"])]
    """The headline, one line."""
    text: str
    """The text as Markdown."""
    created_at: CreatedAt
    updated_at: ShownTime
    """The time at which it was last changed; equals `created_at` if it never was."""
