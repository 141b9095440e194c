"""The sections of an installation's pages, which are the administrator's."""

from __future__ import annotations

from typing import ClassVar

from fastapi import Request

from podium.errors import NotAllowed
from podium.http.pages.layout import PageContext, require_visitor

SECTIONS = (
    ("status", "/server", "Status"),
    ("accounts", "/organizers/accounts", "Accounts"),
    ("links", "/organizers/links", "Links"),
    ("log", "/server/log", "Audit log"),
    ("import", "/server/import", "Import"),
)
"""Key, address and words of each section."""


class ServerPage(PageContext):
    """The context of a section of the installation; `section` is its key."""

    section: ClassVar[str]

    def context(self) -> dict[str, object]:
        """Adds the sections of the administration."""
        return {**super().context(), "section": self.section, "sections": SECTIONS}


async def require_administrator(request: Request) -> None:
    """Redirects anonymous visitors to the sign-in. Raises `NotAllowed` for all but the
    administrator."""
    visitor = await require_visitor(request)
    if not visitor.is_administrator:
        raise NotAllowed("Only the administrator of this installation has this page.")
