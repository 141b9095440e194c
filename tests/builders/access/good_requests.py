"""A good request for every operation: what is sent, and as whom. A role that may do it succeeds
with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.builders.access.operations import Operation

NAMES = {
    "stranger": "carl",
    "member": "ada",
    "rival": "bob",
    "foreign": "oscar",
    "organizer": "olga",
    "administrator": "administrator",
}

SECRET_ITEM = "1999000"
"""The beginning of labels that no file predicts."""


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


def file_with(right: int) -> bytes:
    """A file that knows the cart of the first so many sessions."""
    lines = ["session_type,labels"]
    for place, session in enumerate(range(100, 160)):
        cart = session if place < right else 1
        lines += [f"{session}_clicks,1", f"{session}_carts,{cart}", f"{session}_orders,1"]
    return "\n".join(lines).encode()


def entry(name: str) -> dict[str, Any]:
    """The request that enters with a team of this name."""
    return {"name": name, "accept_rules": True}


def request_of(operation: Operation, role: str, objects: Mapping[str, str]) -> dict[str, Any]:
    """The body and the query of a good request."""
    queries = {
        "compareSubmissions": {"a": objects["submission_id"], "b": objects["others_submission"]},
        "putItemFile": {"training_users": "30"},
        "compareMetricFiles": {"from": "1"},
        "getInvitation": {"invite_code": objects["invite_code"]},
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
        "signUp": {"name": "a newcomer", "password": PASSWORD, "code": "spring-term-26"},
        "requestAccount": {"name": "a newcomer", "password": PASSWORD},
        "signUpByMail": {"name": "a newcomer", "mail": "newcomer@example.org"},
        "forgotPassword": {"mail": "zoe@example.org"},
        "useMailLink": {"password": PASSWORD},
        "enterRoster": {"text": "a new student", "competition": objects["slug"]},
        "previewRoster": {"text": "a new student", "competition": objects["slug"]},
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
        "lookAtAlert": {
            "code": "few-lists",
            "team_ids": [objects["others_team"]],
            "submissions": 1,
        },
        "reinstateTeam": reason,
        "putMember": {**reason, "user_id": objects["bystander"]},
        "removeMember": {**reason, "user_id": objects["member"]},
        "mergeTeams": {**reason, "team_id": objects["others_team"]},
    }
