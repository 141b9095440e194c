"""A competition in each phase with everything in it, and a user in each role."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.builders.installation import Installation, Person
from tests.builders.preparation.served import launch_prepared
from tests.builders.season import FINAL, file_with, truth_with, until

PHASES = {
    "open": (),
    "frozen": ("freeze",),
    "closed": ("close",),
    "revealed": ("close", "reveal"),
}
"""The acts that lead to a phase in which files have come already."""

RATINGS = "user,item,rating,Usage\n1,10,4,Public\n1,11,2,Public\n2,10,5,Private\n2,11,5,Private\n"

ITEMS = b"item,users\n1,3\n7,20\n100,4\n"

SEGMENTS = b"session,shop\n" + b"".join(
    b"%d,%s\n" % (session, b"de" if session % 2 else b"fr") for session in range(100, 160)
)

TEXT = "Read the [board](/competitions/open/leaderboard) and [all rules](/#main)."
"""Links of an organizer's are links too."""


@dataclass(frozen=True)
class Cast:
    """A user in each role. Olga organizes all of the competitions."""

    people: dict[str, Person]
    code: str
    """The code of a link that a user was sent."""


def played(installation: Installation) -> Cast:
    """Plays all competitions. A worker has to be running."""
    names = {
        "anonymous": None,
        "without a team": "carl",
        "in a team": "ada",
        "organizer": "olga",
        "organizer of nothing": "oscar",
    }
    people = {
        role: installation.person(name, organizer=role.startswith("organizer"))
        if name
        else installation.anonymous
        for role, name in names.items()
    }
    people["administrator"] = installation.admin
    olga, ada = people["organizer"], people["in a team"]
    bob, eve = installation.person("bob"), installation.person("eve")
    good(ada.put("/me/password", json={"password": "correct horse battery"}))
    good(olga.post("/admin/competitions", json={"slug": "bare", "title": "The bare one"}))
    _make(olga, "draft")
    _make(olga, "upcoming", starts_at="2999-01-01T00:00:00Z")
    _act(olga, "upcoming", "launch")
    for slug, acts in PHASES.items():
        _make(olga, slug)
        _act(olga, slug, "launch")
        _compete(olga, slug, ada, bob, eve)
        for act in acts:
            _act(olga, slug, act)
    _predict_ratings(olga, ada, bob)
    launch_prepared(olga, "films", "The films")
    good(olga.post("/admin/invites", json={"competition": "open", "seats": 30}))
    link = good(olga.post("/admin/invites", json={"competition": "open"}))
    return Cast(people, link["code"])


def good(answer: Any) -> Any:
    """The document of an answer that must not be a refusal."""
    assert answer.is_success, answer.text
    return answer.json() if answer.content else None


def _make(olga: Person, slug: str, **settings: Any) -> None:
    way = f"/admin/competitions/{slug}"
    body = {
        "slug": slug,
        "title": f"The {slug} one",
        "preset": "otto",
        "description": TEXT,
        "rules": TEXT,
        "split": {"public_fraction": 0.5},
        "daily_limit": 50,
        "final_selections": 1,
        "objective_scores": "always",
        **settings,
    }
    good(olga.post("/admin/competitions", json=body))
    good(olga.post(f"{way}/ground-truth", content=truth_with(0)))
    good(olga.put(f"{way}/items", content=ITEMS, params={"training_users": 30}))
    good(olga.put(f"{way}/sessions", content=SEGMENTS))
    good(olga.put(f"{way}/files/train.csv", content=b"1,2,3\n"))
    good(olga.post(f"{way}/announcements", json={"title": "Welcome", "text": TEXT}))


def _act(olga: Person, slug: str, act: str, **members: Any) -> Any:
    return good(olga.post(f"/admin/competitions/{slug}/{act}", json=members))


def _compete(olga: Person, slug: str, ada: Person, bob: Person, eve: Person) -> None:
    for person, name in ((ada, "Ada"), (bob, "Bob"), (eve, "Eve")):
        entry = {"name": f"Team {name}", "accept_rules": True}
        good(person.post(f"/competitions/{slug}/teams", json=entry))
    good(bob.post(f"/competitions/{slug}/team/merge-requests", json={"team": "Team Ada"}))
    files = ((ada, file_with(20)), (ada, _bad_file()), (ada, file_with(20)), (bob, file_with(10)))
    way = f"/competitions/{slug}/submissions"
    sent = [
        good(person.post(way, content=content, params={"filename": "a.csv"}))["id"]
        for person, content in files
    ]
    for (person, _), one in zip(files, sent, strict=True):
        _wait_for_verdict(person, one)
    _act(olga, slug, "teams", name="Made", members=[])
    _act(olga, slug, "baselines", name="A baseline")
    good(olga.post(f"/admin/submissions/{sent[3]}/disqualify", json={"reason": "a test"}))
    rejudging = _act(olga, slug, "rejudgings", reason="To be sure.")["id"]
    state = f"/admin/rejudgings/{rejudging}"
    until(lambda: good(olga.get(state))["status"] == "ready")
    if slug != "open":
        good(olga.post(f"{state}/apply"))
    good(ada.send("POST", "/uploads", headers={"Upload-Length": "2000"}))


def _predict_ratings(olga: Person, *people: Person) -> None:
    way = "/admin/competitions/ratings"
    body = {"slug": "ratings", "title": "The stars", "preset": "rmse", "split": "usage"}
    good(olga.post("/admin/competitions", json=body))
    good(olga.post(f"{way}/ground-truth", content=RATINGS.encode()))
    _act(olga, "ratings", "launch")
    for stars, person in enumerate(people, 3):
        rows = "".join(f"{pair},{stars}\n" for pair in ("1,10", "1,11", "2,10", "2,11"))
        good(person.post("/competitions/ratings/teams", json={"name": f"Team {stars}"}))
        sent = good(
            person.post("/competitions/ratings/submissions", content=f"user,item,rating\n{rows}")
        )
        _wait_for_verdict(person, sent["id"])
    _act(olga, "ratings", "close")
    _act(olga, "ratings", "reveal")


def send_another(cast: Cast) -> None:
    """Sends a file that waits: no worker may judge any more."""
    ada = cast.people["in a team"]
    good(ada.post("/competitions/open/submissions", content=file_with(5)))


def _bad_file() -> bytes:
    return file_with(30).replace(b"101_clicks,101", b"101_clicks,eleven")


def _wait_for_verdict(person: Person, submission_id: str) -> None:
    path = f"/submissions/{submission_id}"
    until(lambda: good(person.get(path))["status"] in FINAL)
