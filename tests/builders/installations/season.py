"""The history of an installation before it is frozen: people, teams, submissions, rejudgings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.builders.installations.contests import all_contests
from tests.builders.installations.program import ADMIN_TOKEN, Program, until
from tests.builders.installations.recording import FINAL
from tests.builders.installations.rows import METRICS
from tests.builders.installations.shape import Contest

PEOPLE = ("ada", "bob", "carl", "dora", "erin")

PASSWORD = "seven green lanterns"


@dataclass
class Season:
    """The program of a version, what it can do, and who and what there is."""

    program: Program
    people: dict[str, str] = field(default_factory=dict)
    """The token of each person."""
    ids: dict[str, str] = field(default_factory=dict)
    """The id of each person, and of other things by a name."""
    contests: dict[str, Contest] = field(default_factory=dict)
    """The competitions that the version can have."""
    sent: dict[str, str] = field(default_factory=dict)
    """The id of each submission by competition and file."""
    drafts: list[str] = field(default_factory=list)
    operations: frozenset[str] = frozenset()

    def begin(self) -> None:
        """Everything that is over when the installation is frozen. Server and worker run."""
        self._look_at_the_version()
        self._people()
        for contest in self.contests.values():
            self._launch(contest)
            self._teams(contest)
            self._submissions(contest)
            self._second_truth(contest)
        self._files_and_words()
        self._acts()
        self._rejudgings()

    def can(self, operation: str) -> bool:
        """True if the version has an operation of this id."""
        return operation in self.operations

    def organize(self, method: str, slug: str, way: str, **given: Any) -> Any:
        """A request of the organizer about a competition, which must succeed."""
        path = f"/admin/competitions/{slug}{way}"
        return self.program.good(method, path, self.people["olga"], **given)

    def take_part(self, who: str, method: str, slug: str, way: str, **given: Any) -> Any:
        """A request of a participant about a competition, which must succeed."""
        path = f"/competitions/{slug}{way}"
        return self.program.good(method, path, self.people[who], **given)

    def send(self, who: str, slug: str, name: str, content: bytes | None = None) -> str:
        """The id of a submission of one of the competition's files, or of other bytes."""
        content = self.contests[slug].files[name] if content is None else content
        given = {"filename": name, "note": f"{name} of {who}"}
        sent = self.take_part(who, "POST", slug, "/submissions", params=given, content=content)
        self.sent[f"{slug}/{name}"] = str(sent["id"])
        return str(sent["id"])

    def status(self, submission_id: str) -> str:
        """The status of a submission."""
        return str(self.program.good("GET", f"/submissions/{submission_id}")["status"])

    def ended(self, submission_id: str) -> str:
        """The status of a submission, once it has a verdict."""
        until(lambda: self.status(submission_id) in FINAL)
        return self.status(submission_id)

    def rejudged(self, slug: str, **settings: Any) -> str:
        """The id of a rejudging that can be applied."""
        begun = self.organize("POST", slug, "/rejudgings", json={"reason": "a fix", **settings})
        path = f"/admin/rejudgings/{begun['id']}"
        until(lambda: self.program.good("GET", path)["status"] == "ready")
        return str(begun["id"])

    def _look_at_the_version(self) -> None:
        described = self.program.ask("GET", "/openapi.json").json()
        self.operations = frozenset(
            one["operationId"]
            for operations in described["paths"].values()
            for one in operations.values()
            if "operationId" in one
        )
        schemas = described["components"]["schemas"]
        settings = next(
            members["properties"]
            for members in schemas.values()
            if {"task", "objectives", "id_column", "split"} <= set(members.get("properties", ()))
        )
        for contest in all_contests():
            if contest.kind in _values(settings["task"]) and contest.needs <= set(settings):
                self.contests[contest.slug] = contest

    def _people(self) -> None:
        for name in ("olga", *PEOPLE):
            body = {"name": name, "organizer": name == "olga"}
            made = self.program.good("POST", "/admin/users", json=body)
            self.people[name], self.ids[name] = made["token"], made["id"]
        for name in ("ada", "bob"):
            body = {"password": f"{PASSWORD} {name}"}
            self.program.good("PUT", "/me/password", self.people[name], json=body)
        further = {"label": "of a script"}
        self.program.good("POST", "/me/tokens", self.people["ada"], json=further)
        revoked = self.program.good("POST", "/me/tokens", self.people["ada"], json=further)
        self.program.good("DELETE", f"/me/tokens/{revoked['id']}", self.people["ada"])
        self.people["admin"] = ADMIN_TOKEN

    def _launch(self, contest: Contest) -> None:
        slug = contest.slug
        body = {"slug": slug, "title": f"The {slug}", "daily_limit": 200, **contest.settings}
        self.program.good("POST", "/admin/competitions", self.people["olga"], json=body)
        if contest.published:
            self.organize("PUT", slug, "/published-ids", content=contest.published)
        self.organize("POST", slug, "/ground-truth", content=contest.truths[0])
        if slug == "lists":
            items = "item,users,price\n" + "".join(f"{n},{n + 2},{n / 2}\n" for n in range(1, 13))
            given = {"training_users": 30}
            self.organize("PUT", slug, "/items", content=items.encode(), params=given)
        if slug == "customized":
            for source in METRICS:
                self.program.ask(
                    "POST",
                    f"/admin/competitions/{slug}/metric-files",
                    self.people["olga"],
                    content=source.encode(),
                )
            self.organize("PATCH", slug, "", json={"own_metric": {"version": 1}})
        self.organize("POST", slug, "/launch")

    def _teams(self, contest: Contest) -> None:
        slug = contest.slug
        rules = {"accept_rules": True} if contest.settings.get("rules") else {}
        for who in ("ada", "bob", "carl"):
            made = self.take_part(
                who, "POST", slug, "/teams", json={"name": f"Team {who}", **rules}
            )
            self.ids[f"{slug}/{who}"] = made["id"]
            if who == "ada":
                body = {"invite_code": made["invite_code"], **rules}
                self.take_part("dora", "POST", slug, "/teams/join", json=body)

    def _submissions(self, contest: Contest) -> None:
        slug = contest.slug
        names = list(contest.files)[:5]
        for place, name in enumerate(names):
            self.send(("ada", "bob", "dora")[place % 3], slug, name)
        self.send("carl", slug, "same.csv", contest.files[names[0]])
        for name in [*names, "same.csv"]:
            status = self.ended(self.sent[f"{slug}/{name}"])
            seen = self.program.good("GET", f"/submissions/{self.sent[f'{slug}/{name}']}")
            # A version between two releases may fail to read what others can.
            assert status in ("scored", "failed"), (slug, name, seen)
        assert self.ended(self.send("bob", slug, "wrong.csv", contest.wrong)) == "rejected"
        if slug == "customized":
            header, *rows = contest.files[names[0]].splitlines()
            for value, ending in ((b"91", "rejected"), (b"77", "failed")):
                odd = [rows[0].partition(b",")[0] + b"," + value, *rows[1:]]
                name = f"{value.decode()}.csv"
                content = b"\n".join([header, *odd, b""])
                assert self.ended(self.send("carl", slug, name, content)) == ending

    def _second_truth(self, contest: Contest) -> None:
        self.organize("POST", contest.slug, "/ground-truth", content=contest.truths[1])

    def _files_and_words(self) -> None:
        self.organize("PUT", "lists", "/files/train.csv", content=b"session,item\n1,2\n")
        sessions = "session,shop\n" + "".join(f"{n},{n % 2}\n" for n in range(100, 124))
        self.organize("PUT", "lists", "/sessions", content=sessions.encode())
        text = {"title": "Hello", "text": "A *word*."}
        self.organize("POST", "lists", "/announcements", json=text)
        self.organize("POST", "lists", "/organizers", json={"user_id": self.ids["erin"]})
        self.organize("POST", "lists", "/baselines", json={"name": "A baseline"})
        for team in ({}, {"team_id": self.ids["lists/bob"]}):
            body = {"competition": "lists", **team}
            self.program.good("POST", "/admin/invites", self.people["olga"], json=body)
        self.program.good("POST", f"/admin/users/{self.ids['carl']}/reset-link")
        self.program.good("GET", "/signing-key")
        self._newcomers()

    def _newcomers(self) -> None:
        """People who have been entered, and people who ask to be let in."""
        olga = self.people["olga"]
        if self.can("enterRoster"):
            roster = {"text": "Carla Class\nCarlo Class", "competition": "lists"}
            self.program.good("POST", "/admin/roster", olga, json=roster)
        if self.can("requestAccount"):
            wish = {"name": "yuri", "password": f"{PASSWORD} yuri"}
            self.program.good("POST", "/sign-up/requests", None, json=wish)
        if self.can("requestToJoin"):
            self.organize("PATCH", "singles", "", json={"registration": "approval"})
            self.take_part("erin", "POST", "singles", "/join-request", json={"note": "Please."})

    def _acts(self) -> None:
        wish = {"team": self.ids["lists/bob"]}
        self.take_part("ada", "POST", "lists", "/team/merge-requests", json=wish)
        wish = {"team": self.ids["graded/bob"]}
        made = self.take_part("carl", "POST", "graded", "/team/merge-requests", json=wish)
        self.take_part("bob", "POST", "graded", f"/team/merge-requests/{made['id']}/accept")
        wish = {"team": self.ids["words/bob"]}
        made = self.take_part("ada", "POST", "words", "/team/merge-requests", json=wish)
        self.take_part("bob", "POST", "words", f"/team/merge-requests/{made['id']}/decline")
        reason = {"reason": "against the rules"}
        path = f"/admin/submissions/{self.sent['ratings/0.csv']}/disqualify"
        self.program.good("POST", path, self.people["olga"], json=reason)
        path = f"/admin/teams/{self.ids['ended/carl']}/disqualify"
        self.program.good("POST", path, self.people["olga"], json=reason)
        chosen = {"submission_ids": [self.sent["ended/0.csv"]]}
        self.take_part("ada", "PUT", "ended", "/selection", json=chosen)
        self.organize("POST", "words", "/freeze")
        assert self.ended(self.send("bob", "words", "5.csv")) == "scored"

    def _rejudgings(self) -> None:
        applied = self.rejudged("lists", ground_truth_version=2)
        self.program.good("POST", f"/admin/rejudgings/{applied}/apply")
        self.rejudged("lists", settings={"metric": "recall@20"}, times=2)
        cancelled = self.rejudged("ratings", ground_truth_version=2)
        self.program.good("POST", f"/admin/rejudgings/{cancelled}/cancel")
        for slug in ("graded", "tables", "singles"):
            if slug in self.contests:
                self.rejudged(slug, ground_truth_version=2)
        if "customized" in self.contests:
            applied = self.rejudged("customized", settings={"own_metric": {"version": 2}})
            self.program.good("POST", f"/admin/rejudgings/{applied}/apply")
        self.organize("POST", "ended", "/close")
        until(lambda: self._is_revealed("ended"))
        assert self.ended(self.send("bob", "ended", "6.csv")) == "scored"

    def _is_revealed(self, slug: str) -> bool:
        path = f"/admin/competitions/{slug}/reveal"
        return bool(self.program.ask("POST", path, self.people["olga"]).status_code == 200)


def _values(schema: dict[str, Any]) -> list[str]:
    """The values of a member that has a few."""
    return list(schema.get("enum") or [one["const"] for one in schema["anyOf"] if "const" in one])
