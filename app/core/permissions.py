"""Who may do what: the actor of a use case and the few questions about them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Actor:
    """The authenticated person behind a request, and where the request came from."""

    user_id: str
    name: str
    is_administrator: bool = False
    is_organizer: bool = False
    address: str | None = None
    page_session_id: str | None = None
    """Set where a browser's cookie said who it is, and not a token."""
    token_id: str | None = None
    """The token that was sent, or that the browser's session ends with: whatever this person makes
    to get in by must end with it too."""

    @property
    def may_create_competitions(self) -> bool:
        """Administrators and accounts that were made organizers."""
        return self.is_administrator or self.is_organizer
