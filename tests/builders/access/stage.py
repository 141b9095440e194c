"""A competition with everything in it that an operation can be about, and a user in each role."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select, update

from podium.accounts.service import mail_links, sign_up
from podium.accounts.service.page_sessions import begin_session
from podium.core.access import Actor
from podium.core.database.engine import database_now
from podium.core.models import Competition, SignUpRequest, Worker
from podium.teams.queries import join_requests
from tests.builders.access.good_requests import (
    ITEMS,
    NAMES,
    PASSWORD,
    SESSIONS,
    TRUTH,
    entry,
    file_with,
    request_of,
)
from tests.builders.access.operations import Operation
from tests.builders.access.seeing import judged
from tests.builders.installation import ADMIN_TOKEN, Installation, Person
from tests.builders.season import until

WORKERS = f'INSERT INTO "{Worker.__tablename__}"'

ROLES = ("anonymous", "stranger", "member", "rival", "foreign", "organizer", "administrator")
"""Roles: an anonymous visitor; an account; a member of the team that things are about; of another
team; an organizer of another competition; of this one; the administrator."""

PHASES: dict[str, tuple[str, ...]] = {
    "frozen": ("freeze",),
    "closed": ("close",),
    "revealed": ("close", "reveal"),
}
"""The acts that lead from an open competition to each later phase."""


@dataclass
class Stage:
    """The installation, who is who, and the ids of what there is."""

    installation: Installation
    people: dict[str, Person]
    objects: dict[str, str] = field(default_factory=dict)
    special: dict[str, dict[str, str]] = field(default_factory=dict)
    """Objects of single operations, in place of those of all."""
    _kept: sqlite3.Connection | None = None
    _watching: sqlite3.Connection | None = None
    _writes: int | None = None

    def ask(self, operation: Operation, role: str) -> Any:
        """The answer that this role gets. The request is a good one: a role that may do it
        succeeds."""
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
        # What was kept of answers is forgotten with the end of a write. Heartbeats of live workers
        # are those of now, not of when the content was kept.
        with self.installation.application.database.write() as session:
            alive = update(Worker).where(Worker.stopped_at.is_(None))
            session.execute(alive.values(heartbeat_at=database_now(session)))

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
        """All rows of all tables of the service's own, except those of workers: their heartbeats go
        on whatever a request does."""
        with closing(self._connected()) as source:
            return "\n".join(line for line in source.iterdump() if WORKERS not in line)

    def differs_from(self, before: str) -> bool:
        """True if the content is another one. Asked after each of many requests, so it is only
        looked at where anything was written since the last time; a caller that is told so has to
        restore it."""
        if self._watching is None:
            self._watching = self._connected()
        (writes,) = self._watching.execute("PRAGMA data_version").fetchone()
        was_written = writes != self._writes
        self._writes = writes
        return was_written and self.content() != before

    def close(self) -> None:
        """Forgets what was kept."""
        if self._kept is not None:
            self._kept.close()
        if self._watching is not None:
            self._watching.close()
            self._watching, self._writes = None, None

    def _connected(self) -> sqlite3.Connection:
        url = self.installation.application.settings.database
        return sqlite3.connect(url.removeprefix("sqlite:///"))


def _good(answer: Any) -> Any:
    assert answer.status_code in (200, 201, 202, 204), answer.text
    return answer.json() if answer.content else None


def _people(installation: Installation) -> dict[str, Person]:
    made = {
        role: installation.person(NAMES[role], organizer=role in ("foreign", "organizer"))
        for role in ("stranger", "member", "rival", "foreign", "organizer")
    }
    administrator = Person(installation.client, ADMIN_TOKEN)
    return {"anonymous": installation.anonymous, **made, "administrator": administrator}


def _launched(installation: Installation, person: Person, slug: str) -> None:
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


def set_up(installation: Installation) -> Stage:
    """Plays a competition until everything is there. A worker has to be running."""
    people = _people(installation)
    stage = Stage(installation, people)
    olga, ada, bob = people["organizer"], people["member"], people["rival"]
    _launched(installation, olga, "otto")
    # The key that signs receipts is made with the first request for it.
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
    announcement = _good(
        olga.post(f"{ways}/announcements", json={"title": "Hello", "text": "There"})
    )
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
        "announcement_id": announcement["id"],
        "link_id": invite["id"],
        "code": invite["code"],
        "session_id": _browser_of(installation, ada),
        "token_id": _good(ada.post("/me/tokens", json={}))["id"],
        "user_id": bystander.id,
        "bystander": bystander.id,
        "member": ada.id,
        "name": "train.csv",
        "version": "1",
        "upload_id": _good(ada.post("/uploads"))["id"],
    }
    _good(olga.post("/admin/roster", json={"text": "Carla"}))
    card = next(one for one in olga.get("/admin/invites").json()["items"] if one["kind"] == "first")
    stage.special = {
        "removeOrganizer": {"user_id": second.id},
        "replaceCard": {"link_id": card["id"]},
        **_requests(installation, people),
    }
    return stage


def _requests(
    installation: Installation, people: Mapping[str, Person]
) -> dict[str, dict[str, str]]:
    """A request for an account, a link of a mail, and a request of the stranger's to join, by
    operation."""
    with installation.application.database.write() as session:
        code = sign_up.request_account(
            session, name="yuri", password_hash="none", note="", address=None
        )
        account = session.scalars(select(SignUpRequest.id)).one()
        letter = mail_links.ask_for_account(
            session, mail="yuri@example.org", name="yuri", next_address="/", base_url=""
        )
        competition = session.scalars(select(Competition.id).where(Competition.slug == "otto"))
        joining, _ = join_requests.kept_request(
            session,
            competition_id=competition.one(),
            user_id=people["stranger"].id,
            note="",
            now=database_now(session),
        )
        join = {"request_id": joining.id}
    mail_link = {"code": letter.text.partition("/mail-links/")[2].split()[0]}
    return {
        "getAccountRequest": {"code": code},
        "getMailLink": mail_link,
        "useMailLink": mail_link,
        "approveAccountRequest": {"request_id": account},
        "declineAccountRequest": {"request_id": account},
        "approveJoinRequest": join,
        "declineJoinRequest": join,
    }


def _browser_of(installation: Installation, person: Person) -> str:
    """The id of a session on pages. The common client must not keep its cookie."""
    with installation.application.database.write() as session:
        actor = Actor(user_id=person.id, name="")
        return begin_session(session, actor=actor, browser="a browser")[0].id


def queue_another(stage: Stage) -> None:
    """A submission that waits, for those who cancel; no worker judges any more."""
    sent = _good(stage.people["member"].post("/competitions/otto/submissions", content=b"a"))
    waiting = {"submission_id": sent["id"]}
    stage.special |= {"cancelOwnSubmission": waiting, "cancelSubmission": waiting}
