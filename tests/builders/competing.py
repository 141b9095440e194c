"""A competition for tests that act through HTTP only."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

from tests.builders.installation import Installation, Person
from tests.builders.season import until

numbers = itertools.count(1)


@dataclass
class Competition:
    """A competition that is open, split by the column `Usage` of its ground truth."""

    installation: Installation
    slug: str
    launched: Any

    @classmethod
    def opened(
        cls, installation: Installation, truth: str | bytes, *, listed: Any = "", **settings: Any
    ) -> Competition:
        """Makes, fills and launches one, with a list of published ids where there is one."""
        slug = f"number-{next(numbers)}"
        body = {"slug": slug, "title": slug, "split": "usage", **settings}
        made = installation.admin.post("/admin/competitions", json=body)
        assert made.status_code == 201, made.text
        route = f"/admin/competitions/{slug}"
        if listed:
            put = installation.admin.put(f"{route}/published-ids", content=listed.encode())
            assert put.status_code == 200, put.text
        content = truth if isinstance(truth, bytes) else truth.encode()
        stored = installation.admin.post(f"{route}/ground-truth", content=content)
        assert stored.status_code == 201, stored.text
        launched = installation.admin.post(f"{route}/launch")
        assert launched.status_code == 200, launched.text
        return cls(installation, slug, launched.json())

    def team(self) -> Person:
        """A new user in a team of their own."""
        person = self.installation.person(f"person {next(numbers)}")
        answer = person.post(f"/competitions/{self.slug}/teams", json={"name": f"of {person.id}"})
        assert answer.status_code == 201, answer.text
        return person

    def judged(self, person: Person, file: str) -> Any:
        """Sends a file that is scored: the submission as this person sees it."""
        seen = verdict(person, self.slug, file.encode())
        assert seen["status"] == "scored", seen
        return seen

    def board(self, split: str) -> list[tuple[Any, Any]]:
        """Rank and score of each row."""
        answer = self.installation.anonymous.get(
            f"/competitions/{self.slug}/leaderboard", params={"split": split}
        )
        assert answer.status_code == 200, answer.text
        return [(row["rank"], row["score"]) for row in answer.json()["rows"]]

    def reveal(self) -> None:
        """Ends it and publishes the private board."""
        for act in ("close", "reveal"):
            answer = self.installation.admin.post(f"/admin/competitions/{self.slug}/{act}")
            assert answer.status_code == 200, answer.text


def verdict(person: Person, slug: str, file: bytes) -> Any:
    """Sends a file and waits for its verdict: the submission as this person sees it."""
    sent = person.post(f"/competitions/{slug}/submissions", content=file)
    assert sent.status_code == 202, sent.text
    path = f"/submissions/{sent.json()['id']}"
    until(lambda: person.get(path).json()["judged_at"] is not None)
    return person.get(path).json()
