"""Links of several seats: as many people as seats, whatever they do at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from podium.core.models import AccessLink
from tests.builders.installation import Installation, Person, problem_of


def invite(person: Person, **body: Any) -> Any:
    answer = person.post("/admin/invites", json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()


def use(installation: Installation, code: str, **body: Any) -> Any:
    return installation.anonymous.post(f"/links/{code}", json=body)


def test_twenty_people_at_once_take_the_seven_seats_and_no_more(
    installation_on_both: Installation,
) -> None:
    installation_on_both.launched()
    made = invite(installation_on_both.admin, competition="otto", seats=7)
    with ThreadPoolExecutor(20) as pool:
        answers = list(
            pool.map(
                lambda n: use(installation_on_both, made["code"], name=f"user {n}x"), range(20)
            )
        )
    assert sorted(answer.status_code for answer in answers) == [200] * 7 + [404] * 13
    assert len(installation_on_both.admin.get("/admin/users").json()["items"]) == 8
    teams = installation_on_both.admin.get("/admin/competitions/otto/teams").json()["items"]
    assert len(teams) == 7
    link = installation_on_both.admin.get(f"/admin/invites/{made['id']}").json()
    assert (link["seats"], link["seats_taken"], link["code"]) == (7, 7, None)
    assert link["used_at"] is not None


def test_a_refused_use_takes_no_seat(installation: Installation) -> None:
    installation.launched()
    made = invite(installation.admin, competition="otto", seats=2)
    ada = installation.person("ada")
    assert ada.post(f"/links/{made['code']}", json={}).status_code == 200
    problem_of(ada.post(f"/links/{made['code']}", json={"team": "B"}), 409, "already-in-team")
    problem_of(use(installation, made["code"], name="Ada"), 409, "name-taken")
    looked = installation.anonymous.get(f"/links/{made['code']}").json()
    assert (looked["seats"], looked["seats_left"]) == (2, 1)
    assert use(installation, made["code"], name="Bob").status_code == 200
    problem_of(use(installation, made["code"], name="Eve"), 404, "unknown-link")


def test_a_link_that_is_revoked_between_two_uses_lets_no_other_in(
    installation: Installation,
) -> None:
    made = invite(installation.admin, seats=3)
    assert use(installation, made["code"], name="Ada").status_code == 200
    assert installation.admin.delete(f"/admin/invites/{made['id']}").status_code == 204
    problem_of(use(installation, made["code"], name="Bob"), 404, "unknown-link")
    assert made["code"] not in installation.admin.get("/admin/invites").text


def test_only_its_maker_and_the_administrator_see_the_code_again(
    installation: Installation,
) -> None:
    grace = installation.person("grace", organizer=True)
    other = installation.person("other", organizer=True)
    several, one = invite(grace, seats=2), invite(grace)
    for person in (grace, installation.admin):
        assert person.get(f"/admin/invites/{several['id']}").json()["code"] == several["code"]
        assert person.get(f"/admin/invites/{one['id']}").json()["code"] is None
    problem_of(other.get(f"/admin/invites/{several['id']}"), 404, "not-found")


@pytest.mark.parametrize(
    "wanted", [{"seats": 0}, {"seats": 10_001}, {"seats": 2, "organizer": True}]
)
def test_seats_are_few_enough_and_never_those_of_organizers(
    installation: Installation, wanted: dict[str, Any]
) -> None:
    problem_of(installation.admin.post("/admin/invites", json=wanted), 422, "invalid")


def test_a_link_of_several_seats_may_last_for_a_year(installation: Installation) -> None:
    end = (datetime.now(UTC) + timedelta(days=360)).isoformat()
    assert invite(installation.admin, seats=2, expires_at=end)["seats"] == 2
    refused = installation.admin.post("/admin/invites", json={"expires_at": end})
    problem_of(refused, 422, "bad-date")


def test_its_page_shows_a_code_for_cameras_that_was_drawn_here(installation: Installation) -> None:
    installation.launched()
    sent = {"seats": "30", "note": "Course of spring"}
    headers = {"Authorization": f"Bearer {installation.admin.token}"}
    made = installation.client.post("/organize/otto/people/links", data=sent, headers=headers)
    assert made.status_code == 200, made.text
    (link,) = installation.admin.get("/admin/invites").json()["items"]
    page = installation.client.get(f"/organizers/links/{link['id']}", headers=headers)
    assert "0 of 30 taken" in page.text
    assert "<h1>OTTO</h1>" in page.text
    assert "Revoke" not in page.text
    assert 'aria-label="Organizers"' not in page.text
    assert f"http://testserver/links/{link['code']}" in page.text
    for shown in (made, page):
        assert '<svg viewBox="0 0' in shown.text
        assert 'class="qr-code"' in shown.text
        assert "style=" not in shown.text
    assert "30 seats left" in installation.client.get(f"/links/{link['code']}").text
    with installation.application.database.write() as session:
        session.query(AccessLink).update({"expires_at": datetime(2026, 1, 1, tzinfo=UTC)})
    late = installation.client.get(f"/organizers/links/{link['id']}", headers=headers)
    assert "has expired" in late.text
    assert link["code"] not in late.text
    wrong = {"seats": "many"}
    refused = installation.client.post("/organize/otto/people/links", data=wrong, headers=headers)
    assert refused.status_code == 422
