"""Acts of a season over HTTP: teams send files, organizers freeze, close and judge anew."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.builders.installation import Installation, Person

SESSIONS = range(100, 160)
ADMIN = "/admin/competitions/otto"

FINAL = ("scored", "rejected", "failed", "cancelled")


def file_with(clicks: int, *, rows: range = SESSIONS) -> bytes:
    """A file whose first `clicks` sessions have their click right, and nothing else."""
    lines = ["session_type,labels"]
    for place, session in enumerate(rows):
        lines.append(f"{session}_clicks,{session if place < clicks else 1}")
        lines += [f"{session}_carts,1", f"{session}_orders,1"]
    return "\n".join(lines).encode()


def truth_with(shift: int) -> bytes:
    """The labels of the installation's ground truth, with every click moved by `shift`."""
    return b"".join(
        b'{"session": %d, "labels": {"clicks": %d, "carts": [%d, 7], "orders": [%d]}}\n'
        % (session, session + shift, session + 1, session + 2)
        for session in SESSIONS
    )


@dataclass
class Season:
    """The competition `otto` with its administrator and participants."""

    installation: Installation

    @property
    def admin(self) -> Person:
        return self.installation.admin

    def enters(self, name: str) -> Person:
        """A new person with a team of their own."""
        person = self.installation.person(name)
        answer = person.post("/competitions/otto/teams", json={"name": f"Team {name}"})
        assert answer.status_code == 201, answer.text
        return person

    def sends(self, person: Person, content: bytes) -> Any:
        """Sends a file that is accepted: the submission."""
        answer = person.post("/competitions/otto/submissions?filename=a.csv", content=content)
        assert answer.status_code == 202, answer.text
        return answer.json()

    def judged(self, person: Person, content: bytes) -> Any:
        """Sends a file and waits for its verdict: the submission as the person sees it."""
        return self.ended(person, self.sends(person, content)["id"])

    def ended(self, person: Person, submission_id: str) -> Any:
        """Waits for a verdict: the submission as the person sees it."""
        path = f"/submissions/{submission_id}"
        until(lambda: person.get(path).json()["status"] in FINAL)
        return person.get(path).json()

    def acts(self, act: str, **members: Any) -> Any:
        """An act of the administrator that must succeed."""
        answer = self.admin.post(f"{ADMIN}/{act}", json=members)
        assert answer.status_code in (200, 201, 202), answer.text
        return answer.json()

    def sets(self, **settings: Any) -> None:
        """A change of settings that must succeed."""
        answer = self.admin.patch(ADMIN, json=settings)
        assert answer.status_code == 200, answer.text

    def board(self, split: str = "public") -> list[tuple[str, float, int]]:
        """Team, score and number of submissions of every row, as everybody sees them."""
        rows = self.installation.anonymous.get(
            f"/competitions/otto/leaderboard?split={split}"
        ).json()
        return [(row["team"]["name"], row["score"], row["submissions"]) for row in rows["rows"]]

    def ready(self, rejudging_id: str) -> Any:
        """Waits until a rejudging can be applied: its document."""
        path = f"/admin/rejudgings/{rejudging_id}"
        until(lambda: self.admin.get(path).json()["status"] != "running")
        return self.admin.get(path).json()


def until(condition: Callable[[], bool], *, seconds: float = 120) -> None:
    """Waits for a condition."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come about in time"
        time.sleep(0.05)


def reveal(organizer: Any, slug: str, *, seconds: float = 300) -> None:
    """Reveals a competition, once all of it is judged: private runs of a metric follow verdicts."""

    def is_revealed() -> bool:
        answer = organizer.post(f"/admin/competitions/{slug}/reveal")
        assert answer.status_code == 200 or answer.json()["code"] == "still-judging", answer.text
        return bool(answer.status_code == 200)

    until(is_revealed, seconds=seconds)
