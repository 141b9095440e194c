"""A competition with everything in it that an operation can be about, and somebody in each role."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.functional.api.installation import ADMIN_TOKEN, Installation, Person
from tests.functional.integrity.operations import Operation
from tests.functional.integrity.seeing import judged
from tests.functional.running.season import until

ROLES = ("anonymous", "stranger", "member", "rival", "foreign", "organizer", "administrator")
"""Nobody; an account; in the team that things are about; in another team; organizer of another
competition; of this one; the administrator."""

NAMES = {
    "stranger": "carl",
    "member": "ada",
    "rival": "bob",
    "foreign": "oscar",
    "organizer": "olga",
    "administrator": "administrator",
}

SECRET_ITEM = "1999000"
"""What the labels that no file predicts begin with."""


def _labels(session: int) -> bytes:
    item = SECRET_ITEM.encode()
    secret_carts = b", ".join(b"%s%d" % (item, 999 - n) for n in range(8 if session == 100 else 1))
    carts = b"%d, %s" % (session, secret_carts)
    return b'{"session": %d, "labels": {"clicks": %s%d, "carts": [%s], "orders": [%s%d]}}\n' % (
        session,
        item,
        session,
        carts,
        item,
        session,
    )


TRUTH = b"".join(map(_labels, range(100, 160)))
"""60 sessions: a cart of each can be known, everything else is secret.

The carts are 127, a prime, so that no public score is a private one's equal, whichever way chance
splits the sessions: were a/p = b/(127 − p), p would divide a, which is smaller."""

PASSWORD = "correct horse battery"
ITEMS = b"item,users\n1,3\n7,20\n100,4\n"
SESSIONS = b"session,shop\n" + b"".join(b"%d,de\n" % session for session in range(100, 160))

PHASES: dict[str, tuple[str, ...]] = {
    "frozen": ("freeze",),
    "closed": ("close",),
    "revealed": ("close", "reveal"),
}
"""The acts that lead from an open competition to each later phase."""


def file_with(right: int) -> bytes:
    """A file that knows the cart of the first so many sessions."""
    lines = ["session_type,labels"]
    for place, session in enumerate(range(100, 160)):
        cart = session if place < right else 1
        lines += [f"{session}_clicks,1", f"{session}_carts,{cart}", f"{session}_orders,1"]
    return "\n".join(lines).encode()


@dataclass
class Stage:
    """The installation, who is who, and the ids of what there is."""

    installation: Installation
    people: dict[str, Person]
    objects: dict[str, str] = field(default_factory=dict)
    special: dict[str, dict[str, str]] = field(default_factory=dict)
    """Objects of single operations, in place of those of all."""
    _kept: sqlite3.Connection | None = None

    def ask(self, operation: Operation, role: str) -> Any:
        """What this role is answered. The request is a good one: whoever may, succeeds."""
        objects = {**self.objects, **self.special.get(operation.id, {})}
        return self.send(operation, role, objects)

    def send(self, operation: Operation, role: str, objects: Mapping[str, str]) -> Any:
        """The same about other objects."""
        return self.call(
            role,
            operation.method,
            operation.address(objects),
            **request_of(operation, role, objects),
        )

    def call(self, role: str, method: str, address: str, **arguments: Any) -> Any:
        """Any request of a role's, pages included."""
        token = self.people[role].token
        headers = dict(arguments.pop("headers", {}))
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        return self.installation.client.request(method, address, headers=headers, **arguments)

    def keep(self) -> None:
        """Remembers the database as it is."""
        if self._kept is not None:
            self._kept.close()
        self._kept = sqlite3.connect(":memory:", check_same_thread=False)
        with closing(self._connected()) as source:
            source.backup(self._kept)

    def restore(self) -> None:
        """Makes the database what it was, whatever happened since."""
        assert self._kept is not None
        with closing(self._connected()) as target:
            self._kept.backup(target)
        # What was kept of answers is forgotten with the end of a write.
        with self.installation.application.database.write():
            pass

    @contextmanager
    def kept_for_now(self) -> Iterator[None]:
        """A block that may keep what it likes; after it `restore` goes back to what was kept."""
        before, self._kept = self._kept, None
        special = dict(self.special)
        self.keep()
        try:
            yield
        finally:
            self.close()
            self._kept, self.special = before, special

    def act(self, act: str, **body: Any) -> Any:
        """An act of the organizer's."""
        address = f"/api/v1/admin/competitions/{self.objects['slug']}/{act}"
        return self.call("organizer", "POST", address, json=body)

    def content(self) -> str:
        """All rows of all tables of the service's own."""
        with closing(self._connected()) as source:
            return "\n".join(source.iterdump())

    def close(self) -> None:
        """Forgets what was kept."""
        if self._kept is not None:
            self._kept.close()

    def _connected(self) -> sqlite3.Connection:
        url = self.installation.application.settings.database
        return sqlite3.connect(url.removeprefix("sqlite:///"))


def request_of(operation: Operation, role: str, objects: Mapping[str, str]) -> dict[str, Any]:
    """The body and the query of a good request."""
    queries = {
        "compareSubmissions": {"a": objects["submission_id"], "b": objects["others_submission"]},
        "putItemFile": {"training_users": "30"},
        "listAudit": {"competition": objects["slug"]},
    }
    made: dict[str, Any] = {"params": queries.get(operation.id, {})}
    if operation.id in _HEADERS:
        made["headers"] = _HEADERS[operation.id]
    if operation.takes_a_file:
        made["content"] = _FILES.get(operation.id, b"a file")
    elif operation.method != "GET":
        made["json"] = _bodies(role, objects).get(operation.id, {})
        if operation.method == "DELETE" and operation.id not in ("deleteMe", "deleteUser"):
            del made["json"]
    return made


_FILES = {
    "submit": file_with(3),
    "uploadGroundTruth": TRUTH,
    "putItemFile": ITEMS,
    "putSessionFile": SESSIONS,
}

_HEADERS = {"appendToUpload": {"Upload-Offset": "0"}}


def _bodies(role: str, objects: Mapping[str, str]) -> dict[str, Any]:
    reason = {"reason": "it has to be"}
    return {
        "deleteMe": {"confirm": NAMES.get(role, "")},
        "createUser": {"name": "a new person"},
        "changeUser": {"name": "another name"},
        "deleteUser": {"confirm": "zoe"},
        "addOrganizer": {"user_id": objects["bystander"]},
        "createAnnouncement": {"title": "Title", "text": "Text"},
        "changeAnnouncement": {"title": "Another title"},
        "createCompetition": {"slug": "new", "title": "New", "preset": "otto"},
        "changeCompetition": {"title": "Another title"},
        "createInvite": {"competition": objects["slug"]},
        "useLink": {"accept_rules": True} | ({"name": "new"} if role == "anonymous" else {}),
        "requestMerge": {"team": objects["others_team"]},
        "startRejudging": reason,
        "signIn": {"name": "zoe", "password": PASSWORD},
        "setPassword": {"password": PASSWORD},
        "disqualifySubmission": reason,
        "selectFinals": {"submission_ids": [objects["submission_id"]]},
        "createTeam": entry("A new team"),
        "joinTeam": {"invite_code": objects["invite_code"], "accept_rules": True},
        "makeTeam": {"name": "A made team", "members": [objects["bystander"]]},
        "renameTeam": {"name": "Another name"},
        "makeBaseline": {"name": "A baseline"},
        "changeTeam": {"name": "Another name"},
        "disqualifyTeam": reason,
        "reinstateTeam": reason,
        "putMember": {**reason, "user_id": objects["bystander"]},
        "removeMember": {**reason, "user_id": objects["member"]},
        "mergeTeams": {**reason, "team_id": objects["others_team"]},
    }


def _good(answer: Any) -> Any:
    assert answer.status_code in (200, 201, 202, 204), answer.text
    return answer.json() if answer.content else None


def _people(installation: Installation) -> dict[str, Person]:
    made = {
        role: installation.person(NAMES[role], organizer=role in ("foreign", "organizer"))
        for role in ("stranger", "member", "rival", "foreign", "organizer")
    }
    administrator = Person(installation.client, ADMIN_TOKEN)
    return {"anonymous": installation.nobody, **made, "administrator": administrator}


def _launched(person: Person, slug: str) -> None:
    body = {
        "slug": slug,
        "title": slug,
        "preset": "otto",
        "split": {"public_fraction": 0.5},
        "rules": "Play fair.",
        # So many digits that no other number of an answer is a score by chance.
        "decimals": 12,
    }
    route = f"/admin/competitions/{slug}"
    _good(person.post("/admin/competitions", json=body))
    _good(person.post(f"{route}/ground-truth", content=TRUTH))
    _good(person.put(f"{route}/items", content=ITEMS, params={"training_users": 30}))
    _good(person.post(f"{route}/launch"))


def entry(name: str) -> dict[str, Any]:
    """What enters with a team of this name."""
    return {"name": name, "accept_rules": True}


def set_up(installation: Installation) -> Stage:
    """Plays a competition until everything is there. A worker has to be running."""
    people = _people(installation)
    stage = Stage(installation, people)
    olga, ada, bob = people["organizer"], people["member"], people["rival"]
    _launched(olga, "otto")
    # The key that signs receipts is made when somebody asks for it first.
    _good(olga.get("/signing-key"))
    teams = {
        person.token: _good(person.post("/competitions/otto/teams", json=entry(name)))
        for person, name in ((ada, "Team Ada"), (bob, "Team Bob"))
    }
    for person, right in ((ada, 20), (bob, 30)):
        _good(person.post("/competitions/otto/submissions", content=file_with(right)))
    own, others = ([item["id"] for item in judged(person)] for person in (ada, bob))
    ways = "/admin/competitions/otto"
    rejudging = _good(
        olga.post(f"{ways}/rejudgings", json={"reason": "to be sure", "submission_ids": own})
    )["id"]
    until(lambda: _good(olga.get(f"/admin/rejudgings/{rejudging}"))["status"] == "ready")
    bystander = installation.person("zoe")
    _good(bystander.put("/me/password", json={"password": PASSWORD}))
    second = installation.person("otis")
    _good(olga.post(f"{ways}/organizers", json={"user_id": second.id}))
    _good(olga.put(f"{ways}/files/train.csv", content=b"1,2,3\n"))
    _good(olga.put(f"{ways}/sessions", content=SESSIONS))
    said = _good(olga.post(f"{ways}/announcements", json={"title": "Hello", "text": "There"}))
    invite = _good(olga.post("/admin/invites", json={"competition": "otto"}))
    wish = _good(
        bob.post("/competitions/otto/team/merge-requests", json={"team": teams[ada.token]["id"]})
    )
    stage.objects = {
        "slug": "otto",
        "submission_id": own[0],
        "others_submission": others[0],
        "team_id": teams[ada.token]["id"],
        "others_team": teams[bob.token]["id"],
        "invite_code": teams[ada.token]["invite_code"],
        "rejudging_id": rejudging,
        "request_id": wish["id"],
        "announcement_id": said["id"],
        "link_id": invite["id"],
        "code": invite["code"],
        "token_id": _good(ada.post("/me/tokens", json={}))["id"],
        "user_id": bystander.id,
        "bystander": bystander.id,
        "member": ada.id,
        "name": "train.csv",
        "version": "1",
        "upload_id": _good(ada.post("/uploads"))["id"],
    }
    stage.special = {"removeOrganizer": {"user_id": second.id}}
    return stage


def queue_another(stage: Stage) -> None:
    """A submission that waits, for those who cancel; nobody judges any more."""
    sent = _good(stage.people["member"].post("/competitions/otto/submissions", content=b"a"))
    waiting = {"submission_id": sent["id"]}
    stage.special |= {"cancelOwnSubmission": waiting, "cancelSubmission": waiting}
