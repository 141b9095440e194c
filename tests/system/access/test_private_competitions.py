"""Entering a competition, by its visibility, its registration and its phase: the API and the
pages, for a stranger without an account, one with an account, and an organizer.

A private competition is not found by those who may not know of it. An account that knows the
address and that registration lets in finds the way in, and nothing else.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.builders.installation import Installation, Person, problem_of
from tests.builders.organizer import Organizer
from tests.builders.site import Site

pytestmark = pytest.mark.xdist_group("private competitions")

CODE = "spring 26"
TITLE = "Recommender systems, spring"

LAUNCHED = ("upcoming", "open", "frozen", "closed", "revealed")
PHASES = ("draft", *LAUNCHED)
REGISTRATIONS = ("open", "code", "approval", "invite")

TABS = ("", "/leaderboard", "/rules")
"""Pages of a competition but that of the team."""

numbers = itertools.count(1)


@dataclass(frozen=True)
class Case:
    """One competition."""

    visibility: str
    registration: str
    phase: str

    @property
    def takes_teams(self) -> bool:
        return self.phase in ("upcoming", "open", "frozen")

    @property
    def is_listed(self) -> bool:
        """Everybody may look at it."""
        return self.visibility == "public" and self.phase != "draft"

    @property
    def has_a_way_in(self) -> bool:
        """Accounts may know of it because they may enter."""
        return self.is_listed or (self.takes_teams and self.registration != "invite")

    def __str__(self) -> str:
        return f"{self.visibility}, {self.registration}, {self.phase}"


def made(olga: Organizer, phase: str) -> str:
    """The slug of a new competition in this phase."""
    settings: dict[str, Any] = {"title": TITLE, "rules": "Play fair."}
    if phase == "draft":
        return olga.draft(**settings)
    if phase == "upcoming":
        settings["starts_at"] = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    slug = olga.launched(**settings)
    acts = {"frozen": ["freeze"], "closed": ["close"], "revealed": ["close", "reveal"]}
    for act in acts.get(phase, []):
        answer = olga.person.post(f"/admin/competitions/{slug}/{act}")
        assert answer.status_code == 200, answer.text
    return slug


@pytest.mark.parametrize("phase", PHASES)
def test_those_who_may_enter_find_the_way_and_no_others_find_the_competition(
    olga: Organizer, site: Site, phase: str
) -> None:
    slug = made(olga, phase)
    for visibility, registration in itertools.product(("public", "private"), REGISTRATIONS):
        code = CODE if registration == "code" else ""
        body = {"visibility": visibility, "registration": registration, "registration_code": code}
        changed = olga.person.patch(f"/admin/competitions/{slug}", json=body)
        assert changed.status_code == 200, changed.text
        case = Case(visibility, registration, phase)
        student = site.installation.person(f"student {next(numbers)}")
        _everybody_finds_what_they_may(olga, site, case, slug, student)
        _enters(case, olga.person, student, f"/competitions/{slug}")


def _everybody_finds_what_they_may(
    olga: Organizer, site: Site, case: Case, slug: str, student: Person
) -> None:
    api, page = f"/competitions/{slug}", f"/competitions/{slug}"
    anonymous = site.browser()
    assert anonymous.get(page).status_code == (200 if case.is_listed else 404), case
    assert anonymous.get(f"{page}/team").status_code == 303, case
    assert site.installation.anonymous.get(f"{api}/registration").status_code == 401, case

    assert olga.browser.get(page).status_code == 200, case
    assert olga.browser.get(f"{page}/team").status_code == 200, case
    assert olga.person.get(f"{api}/registration").json()["registration"] == case.registration

    browser = site.browser(student)
    seen = {tab: browser.get(page + tab) for tab in (*TABS, "/team")}
    statuses = {tab: answer.status_code for tab, answer in seen.items()}
    if case.is_listed:
        assert statuses == dict.fromkeys((*TABS, "/team"), 200), case
    elif case.has_a_way_in:
        assert statuses == {**dict.fromkeys(TABS, 303), "/team": 200}, case
        led = {answer.headers.get("location") for answer in seen.values()}
        assert led == {None, f"{page}/team"}, case
        assert TITLE in seen["/team"].text, case
    else:
        assert set(statuses.values()) == {404}, case
        assert not any(TITLE in answer.text for answer in seen.values()), case
    if case.has_a_way_in:
        found = student.get(f"{api}/registration").json()
        assert (found["title"], found["phase"]) == (TITLE, case.phase), case
        assert student.get(f"{api}/rules").json()["text"] == "Play fair.", case
    else:
        for path in ("registration", "rules", "team", "join-request"):
            problem_of(student.get(f"{api}/{path}"), 404, "not-found")
    if not case.is_listed:
        # Not before they have entered.
        for path in ("", "/leaderboard", "/files", "/sample-submission"):
            problem_of(student.get(api + path), 404, "not-found")
        listed = student.get("/competitions", params={"limit": 1000}).json()["items"]
        assert slug not in {each["slug"] for each in listed}, case


def _enters(case: Case, organizer: Person, student: Person, api: str) -> None:
    """Tries all ways in, and looks around inside."""
    body = {"name": f"Team {student.id}", "accept_rules": True}
    if not case.has_a_way_in:
        problem_of(student.post(f"{api}/teams", json={**body, "code": CODE}), 404, "not-found")
        problem_of(student.post(f"{api}/join-request"), 404, "not-found")
        return
    if not case.takes_teams:
        problem_of(student.post(f"{api}/teams", json=body), 409, "competition-closed")
        return
    if case.registration == "invite":
        problem_of(student.post(f"{api}/teams", json=body), 403, "registration-closed")
        return
    if case.registration == "code":
        problem_of(student.post(f"{api}/teams", json=body), 403, "wrong-code")
        body["code"] = CODE
    if case.registration == "approval":
        problem_of(student.post(f"{api}/teams", json=body), 403, "approval-needed")
        assert student.get(f"{api}/join-request").status_code == 404
        asked = student.post(f"{api}/join-request").json()
        assert student.get(f"{api}/join-request").json()["id"] == asked["id"]
        answer = organizer.post(f"/admin/join-requests/{asked['id']}/approve")
        assert answer.status_code == 200, answer.text
    made = student.post(f"{api}/teams", json=body)
    assert made.status_code == 201, made.text
    assert student.get(api).json()["title"] == TITLE


@pytest.mark.parametrize("registration", ["code", "approval"])
def test_a_student_enters_a_private_competition_on_its_page(
    olga: Organizer, site: Site, registration: str
) -> None:
    given = {"registration_code": CODE} if registration == "code" else {}
    slug = olga.launched(title=TITLE, visibility="private", registration=registration, **given)
    student = site.installation.person(f"student {next(numbers)}")
    browser, page = site.browser(student), f"/competitions/{slug}/team"
    if registration == "approval":
        assert browser.send(page, act="ask-to-join", note="Ada").status_code == 303
        waiting = olga.person.get(f"/admin/competitions/{slug}/join-requests").json()["items"]
        olga.person.post(f"/admin/join-requests/{waiting[0]['id']}/approve")
        assert "You are approved" in browser.get(page).text
    else:
        assert "Class code" in browser.get(page).text
        refused = browser.send(page, act="create", name="Mine", code="wrong one")
        assert (refused.status_code, TITLE in refused.text) == (403, True)
    name = f"Team {student.id}"
    entered = browser.send(page, act="create", name=name, code=CODE)
    assert (entered.status_code, entered.headers["location"]) == (303, f"{page}?done=team-made")
    assert name in browser.get(page).text
    # Who leaves again can enter again.
    left = browser.send(page, act="leave", sure="yes")
    after = browser.get(left.headers["location"])
    assert (after.status_code, "You left the team." in after.text) == (200, True)


def test_organizers_are_told_what_to_give_away(olga: Organizer) -> None:
    slug = olga.launched(visibility="private")
    for registration, words in {
        "invite": "Only people whom you invite can join",
        "code": "Share its address and the class code",
        "approval": "approve those who ask",
        "open": "Share its address, or make links",
    }.items():
        body = {"registration": registration, "registration_code": CODE}
        assert olga.person.patch(f"/admin/competitions/{slug}", json=body).status_code == 200
        assert words in olga.browser.get(f"/organize/{slug}").text


def test_a_signed_out_student_is_led_from_the_address_over_signing_in_and_back(
    olga: Organizer, site: Site
) -> None:
    slug = olga.launched(visibility="private", registration="code", registration_code=CODE)
    text = site.browser().get(f"/competitions/{slug}").text
    assert f'href="/sign-in?next=%2Fcompetitions%2F{slug}"' in text


def test_what_an_act_makes_invisible_is_not_where_the_page_leads(
    olga: Organizer, site: Site
) -> None:
    slug = olga.launched(visibility="private", registration="invite")
    student = site.installation.person(f"student {next(numbers)}")
    body = {"name": f"Team {student.id}", "members": [student.id]}
    assert olga.person.post(f"/admin/competitions/{slug}/teams", json=body).status_code == 201
    browser = site.browser(student)
    left = browser.send(f"/competitions/{slug}/team", act="leave", sure="yes")
    assert "You left the team." in _followed(browser, left)

    other = site.installation.person(f"organizer {next(numbers)}", organizer=True)
    added = olga.person.post(f"/admin/competitions/{slug}/organizers", json={"user_id": other.id})
    assert added.status_code == 201, added.text
    theirs = site.browser(other)
    gone = theirs.send(f"/organize/{slug}/people/organizers/{other.id}/remove")
    assert "The organizer was removed." in _followed(theirs, gone)


def _followed(browser: Any, answer: Any) -> str:
    """The text of the page to which an answer leads in the end."""
    for _ in range(3):
        if answer.status_code != 303:
            break
        answer = browser.get(answer.headers["location"])
    assert answer.status_code == 200, answer.text
    return str(answer.text)


def test_to_hide_a_competition_does_not_leave_its_door_open(installation: Installation) -> None:
    def registration(**body: Any) -> Any:
        answer = installation.admin.patch("/admin/competitions/otto", json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()["registration"]

    installation.launched()
    assert registration(visibility="private") == "invite"
    assert registration(visibility="public", registration="open") == "open"
    assert registration(visibility="private", registration="open") == "open"
    assert registration(visibility="private", title="Renamed") == "open"
    code = {"registration": "code", "registration_code": CODE}
    assert registration(visibility="public", **code) == "code"
    assert registration(visibility="private") == "code"
    assert installation.draft("hidden", visibility="private")["registration"] == "invite"
    assert installation.draft("listed")["registration"] == "open"
