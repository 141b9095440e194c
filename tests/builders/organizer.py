"""An organizer with a browser."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from podium.core.database.types import new_id
from tests.builders.installation import TRUTH, Installation, Person
from tests.builders.page import Browser
from tests.builders.site import Site


@dataclass
class Organizer:
    """A person with competitions of their own, and a browser that is signed in."""

    site: Site
    person: Person
    browser: Browser

    @property
    def installation(self) -> Installation:
        """Everything behind the pages."""
        return self.site.installation

    def draft(self, **settings: object) -> str:
        """The slug of a new draft."""
        slug = f"c{new_id()[-12:]}"
        body = {"slug": slug, "title": "A competition", "preset": "otto", **settings}
        answer = self.person.post("/admin/competitions", json=body)
        assert answer.status_code == 201, answer.text
        return slug

    def launched(self, **settings: object) -> str:
        """The slug of a competition that is open."""
        slug = self.draft(split={"public_fraction": 0.5}, **settings)
        self.person.post(f"/admin/competitions/{slug}/ground-truth", content=TRUTH)
        answer = self.person.post(f"/admin/competitions/{slug}/launch")
        assert answer.status_code == 200, answer.text
        return slug

    def look(self, slug: str) -> dict[str, Any]:
        """The competition as its organizers see it."""
        found: dict[str, Any] = self.person.get(f"/competitions/{slug}").json()
        return found
