"""Ids of another competition in addresses, queries and bodies: a user who may do something in one
competition can do nothing with it in another, and learns nothing of what is there."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

import pytest

from tests.builders.access.good_requests import TRUTH, entry, file_with
from tests.builders.access.seeing import told
from tests.builders.access.stage import Stage

pytestmark = pytest.mark.xdist_group("foreign objects")

OTTO = "/api/v1/competitions/otto"
ADMIN = "/api/v1/admin/competitions/otto"


@dataclass(frozen=True)
class Case:
    """A request about an object `{id}` of the other competition, and its answer."""

    role: str
    method: str
    address: str
    kind: str
    status: int
    body: Any = None

    def filled(self, objects: dict[str, str], foreign: str) -> tuple[str, Any]:
        """Address and body with this object."""

        def fill(value: Any) -> Any:
            if isinstance(value, str):
                return foreign if value == "{id}" else objects.get(value.strip("{}"), value)
            return [fill(item) for item in value] if isinstance(value, list) else value

        body = None if self.body is None else {name: fill(v) for name, v in self.body.items()}
        return self.address.format(id=foreign, **objects), body


WHY = {"reason": "it has to be"}

CASES = [
    Case("organizer", "GET", ADMIN + "/comparison?a={submission_id}&b={id}", "submission", 404),
    Case("organizer", "GET", ADMIN + "/ground-truth/{id}", "version", 404),
    Case("organizer", "POST", ADMIN + "/rejudgings", "submission", 422,
         {**WHY, "submission_ids": ["{id}"]}),
    Case("organizer", "POST", ADMIN + "/rejudgings", "submission", 422,
         {**WHY, "submission_ids": ["{submission_id}", "{id}"]}),
    Case("organizer", "POST", "/api/v1/admin/teams/{team_id}/merge", "team", 404,
         {**WHY, "team_id": "{id}"}),
    Case("organizer", "POST", "/api/v1/admin/teams/{id}/merge", "team", 404,
         {**WHY, "team_id": "{team_id}"}),
    Case("organizer", "POST", "/api/v1/admin/teams/{id}/disqualify", "team", 404, WHY),
    Case("organizer", "POST", "/api/v1/admin/submissions/{id}/disqualify", "submission", 404, WHY),
    Case("organizer", "GET", "/api/v1/submissions/{id}/file", "submission", 404),
    Case("organizer", "PATCH", ADMIN + "/announcements/{id}", "announcement", 404,
         {"title": "Mine"}),
    Case("organizer", "DELETE", ADMIN + "/announcements/{id}", "announcement", 404),
    Case("organizer", "DELETE", "/api/v1/admin/invites/{id}", "link", 404),
    Case("organizer", "POST", "/api/v1/admin/invites/{id}/replacement", "link", 404),
    Case("organizer", "POST", "/api/v1/admin/invites", "team", 422,
         {"competition": "otto", "team_id": "{id}"}),
    Case("organizer", "POST", "/api/v1/admin/invites", "slug", 404, {"competition": "{id}"}),
    Case("organizer", "GET", "/api/v1/admin/audit?competition={id}", "slug", 404),
    Case("organizer", "DELETE", ADMIN + "/organizers/{id}", "organizer", 404),
    Case("organizer", "GET", ADMIN + "/submissions?team={id}", "team", 200),
    Case("organizer", "POST", OTTO + "/submissions?team={id}", "baseline", 403),
    Case("member", "PUT", OTTO + "/selection", "own elsewhere", 422,
         {"submission_ids": ["{id}"]}),
    Case("member", "PUT", OTTO + "/selection", "rival's", 422, {"submission_ids": ["{id}"]}),
    Case("member", "POST", OTTO + "/team/merge-requests", "team", 404, {"team": "{id}"}),
    Case("member", "POST", OTTO + "/team/merge-requests", "team's name", 404, {"team": "{id}"}),
    Case("member", "POST", OTTO + "/team/merge-requests/{id}/accept", "wish", 404),
    Case("member", "POST", OTTO + "/team/merge-requests/{id}/decline", "wish", 404),
    Case("member", "POST", OTTO + "/submissions?team={id}", "rival's team", 403),
    Case("stranger", "POST", OTTO + "/teams/join", "invite code", 404, {"invite_code": "{id}"}),
    Case("foreign", "POST", "/api/v1/admin/competitions/other/rejudgings", "submission", 422,
         {**WHY, "submission_ids": ["{submission_id}"]}),
]  # fmt: skip


def _good(answer: Any) -> Any:
    assert answer.status_code in (200, 201, 202, 204), answer.text
    return answer.json() if answer.content else None


@pytest.fixture
def foreign(stage: Stage) -> dict[str, str]:
    """Ids of another competition, in which the member of the first one has a team too."""
    oscar, ada, bob = (stage.people[role] for role in ("foreign", "member", "rival"))
    ways = "/admin/competitions/other"
    body = {"slug": "other", "title": "other", "preset": "otto", "split": {"public_fraction": 0.5}}
    _good(oscar.post("/admin/competitions", json=body))
    _good(oscar.post(f"{ways}/ground-truth", content=TRUTH))
    _good(oscar.post(f"{ways}/launch"))
    _good(oscar.post(f"{ways}/ground-truth", content=TRUTH.replace(b"999]", b"998]")))
    # No second one could begin beside it, whatever it is about.
    olga, unfinished = stage.people["organizer"], stage.objects["rejudging_id"]
    _good(olga.post(f"/admin/rejudgings/{unfinished}/cancel"))
    own, others = (
        _good(person.post("/competitions/other/teams", json=entry(name)))
        for person, name in ((ada, "Ada elsewhere"), (bob, "Bob elsewhere"))
    )
    sent = _good(ada.post("/competitions/other/submissions", content=file_with(1)))
    wishes = "/competitions/other/team/merge-requests"
    announcement = _good(
        oscar.post(f"{ways}/announcements", json={"title": "Hello", "text": "There"})
    )
    return {
        "submission": sent["id"],
        "own elsewhere": sent["id"],
        "rival's": stage.objects["others_submission"],
        "version": "2",
        "team": others["id"],
        "team's name": "Bob elsewhere",
        "rival's team": stage.objects["others_team"],
        "baseline": _good(oscar.post(f"{ways}/baselines", json={"name": "Popular"}))["id"],
        "announcement": announcement["id"],
        "link": _good(oscar.post("/admin/invites", json={"competition": "other"}))["id"],
        "slug": "other",
        "organizer": stage.people["foreign"].id,
        "wish": _good(bob.post(wishes, json={"team": own["id"]}))["id"],
        "invite code": others["invite_code"],
    }


def test_objects_of_another_competition_are_answered_as_if_there_were_none(
    stage: Stage, foreign: dict[str, str]
) -> None:
    stage.keep()
    before = stage.content()
    for case in CASES:
        invented = "9" if case.kind == "version" else str(uuid.uuid4())
        answers = []
        for target in (foreign[case.kind], invented):
            address, body = case.filled(stage.objects, target)
            answer = stage.call(case.role, case.method, address, json=body)
            assert answer.status_code == case.status, (case, answer.text)
            answers.append(told(answer).replace(target, "<id>"))
            assert stage.content() == before, case
        # What exists elsewhere is answered as what exists nowhere.
        assert answers[0] == answers[1], case
    # And none of the answers is given to a user who may see the thing.
    listed = stage.call("foreign", "GET", "/api/v1/admin/competitions/other/submissions").json()
    assert [one["id"] for one in listed["items"]] == [foreign["submission"]]
    empty = stage.call("organizer", "GET", f"{ADMIN}/submissions?team={foreign['team']}").json()
    assert empty["items"] == []


def test_a_key_of_idempotency_is_its_owners_alone(stage: Stage) -> None:
    key = {"Idempotency-Key": "the-same-key"}
    first, again, others = (
        stage.people[role].post("/competitions/otto/submissions", content=content, headers=key)
        for role, content in (("member", b"a"), ("member", b"a"), ("rival", b"a"))
    )
    assert (first.status_code, again.status_code, others.status_code) == (202, 202, 202)
    assert again.json()["id"] == first.json()["id"]
    assert others.json()["id"] != first.json()["id"]
    assert others.json()["identical_to"] is None
    assert "idempotency-replayed" not in others.headers


def test_equal_bytes_of_another_team_are_not_named(stage: Stage) -> None:
    own = stage.people["member"].post("/competitions/otto/submissions", content=file_with(30))
    assert own.json()["identical_to"] is None
    again = stage.people["member"].post("/competitions/otto/submissions", content=file_with(30))
    assert again.json()["identical_to"] == own.json()["id"]
