"""Documents about announcements and rules."""

from __future__ import annotations

from podium.http.schemas import Output, PersonOut, ShownTime


class RulesOut(Output):
    """The rules (Markdown) with the SHA-256 of their text, and when the reader accepted it."""

    text: str
    sha256: str
    accepted_at: ShownTime | None


class AcceptanceOut(Output):
    """Who accepted which text, when, from where."""

    person: PersonOut
    sha256: str
    accepted_at: ShownTime
    address: str | None


class AnnouncementOut(Output):
    """An announcement; `updated_at` differs from `created_at` once it was changed."""

    id: str
    title: str
    text: str
    created_at: ShownTime
    updated_at: ShownTime
