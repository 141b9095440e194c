"""People who wait for approval: organizers see them first, and they see that they are approved."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.builders.installation import Installation, Person
from tests.builders.page import Browser
from tests.builders.site import Site, served

STEP = '<h2 id="next">Next step: {}</h2>'


@pytest.fixture
def approving(tmp_path: Path, migrated_sqlite_file: Path) -> Iterator[Site]:
    yield from served(tmp_path, migrated_sqlite_file, signup="approval")


def asking(installation: Installation, name: str) -> Person:
    person = installation.person(name)
    answer = person.post("/competitions/otto/join-request", json={"note": "me"})
    assert answer.status_code in (200, 201, 202), answer.text
    return person


def requests(installation: Installation) -> Any:
    return installation.admin.get("/admin/competitions/otto/join-requests").json()["items"]


def test_who_waits_to_join_is_the_next_step_and_sees_the_approval(approving: Site) -> None:
    installation = approving.installation
    installation.launched(registration="approval")
    organizer = approving.browser(installation.admin)
    assert STEP.format("invite people") in organizer.get("/organize/otto").text
    ada = asking(installation, "Ada")
    shown = organizer.get("/organize/otto").text
    assert STEP.format("1 person waits for approval") in shown
    assert 'href="/organize/otto/people#requests"' in shown
    asking(installation, "Bo")
    assert STEP.format("2 people wait for approval") in organizer.get("/organize/otto").text
    own: Browser = approving.browser(ada)
    assert "You are approved" not in own.get("/competitions/otto/team").text
    for each in requests(installation):
        answer = installation.admin.post(f"/admin/join-requests/{each['id']}/approve", json={})
        assert answer.status_code == 200, answer.text
    assert "for approval</h2>" not in organizer.get("/organize/otto").text
    page = own.get("/competitions/otto/team").text
    assert "You are approved" in page
    assert "Create team and join" in page


def test_where_teams_are_in_no_invitation_is_the_next_step(approving: Site) -> None:
    installation = approving.installation
    installation.launched()
    roster = {"competition": "otto", "text": "Grace,Engines"}
    assert installation.admin.post("/admin/roster", json=roster).status_code == 201
    shown = approving.browser(installation.admin).get("/organize/otto").text
    assert STEP.format("see who is in") in shown
    assert 'href="/organize/otto/people">People and links</a>' in shown


def test_who_waits_for_an_account_is_told_beside_the_next_step(approving: Site) -> None:
    installation = approving.installation
    installation.launched()
    body = {"name": "Sofia", "password": "correct horse battery"}
    asked = installation.anonymous.post("/sign-up/requests", json=body)
    assert asked.status_code == 202, asked.text
    shown = approving.browser(installation.admin).get("/organize/otto").text
    assert STEP.format("invite people") in shown
    assert '<p class="alert-title">1 person waits for approval</p>' in shown
    assert 'href="/organizers/sign-ups"' in shown


def test_over_a_competition_requests_to_join_are_no_step(approving: Site) -> None:
    installation = approving.installation
    installation.launched(registration="approval")
    asking(installation, "Ada")
    assert installation.admin.post("/admin/competitions/otto/close", json={}).status_code == 200
    shown = approving.browser(installation.admin).get("/organize/otto").text
    assert STEP.format("publish the final ranking") in shown
