"""Registration by code and by approval, as the operator has set it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from podium.accounts.authentication.sign_up import sign_up_mode
from podium.errors import NotConfigured
from podium.settings import Settings
from tests.builders.installation import Installation, Person, problem_of
from tests.builders.site import Site, served

GOOD = "correct horse battery"
CODE = "spring-term-26"


@pytest.fixture
def by_code(tmp_path: Path, migrated_sqlite_file: Path) -> Iterator[Site]:
    """Those who know the code may register."""
    yield from served(tmp_path, migrated_sqlite_file, signup="code", signup_code=CODE)


@pytest.fixture
def by_approval(tmp_path: Path, migrated_sqlite_file: Path) -> Iterator[Site]:
    """An organizer approves each account."""
    yield from served(tmp_path, migrated_sqlite_file, signup="approval")


def sign_up(site: Site, **body: Any) -> Any:
    given = {"name": "Ada", "password": GOOD, "code": CODE, **body}
    return site.installation.anonymous.post("/sign-up", json=given)


def ask(site: Site, **body: Any) -> Any:
    given = {"name": "Ada", "password": GOOD, **body}
    return site.installation.anonymous.post("/sign-up/requests", json=given)


def waiting(site: Site) -> list[Any]:
    listed = site.installation.admin.get("/admin/sign-up/requests").json()
    return list(listed["items"])


def test_by_default_there_is_no_registration_and_no_page_speaks_of_it(
    installation: Installation,
) -> None:
    assert installation.anonymous.get("/sign-up").json() == {"mode": "off"}
    body = {"name": "Ada", "password": GOOD}
    for path, given in (("/sign-up", {**body, "code": ""}), ("/sign-up/requests", body)):
        problem_of(installation.anonymous.post(path, json=given), 403, "sign-up-off")
    assert installation.client.get("/sign-up").status_code == 404
    assert "/sign-up" not in installation.client.get("/sign-in").text


def test_a_person_who_knows_the_code_has_an_account_at_once(by_code: Site) -> None:
    made = sign_up(by_code)
    assert made.status_code == 201, made.text
    ada = Person(by_code.installation.client, made.json()["token"])
    me = ada.get("/me").json()
    assert (me["name"], me["organizer"], me["has_password"]) == ("Ada", False, True)
    problem_of(sign_up(by_code), 409, "name-taken")
    problem_of(sign_up(by_code, name="Bob", password="short"), 422, "bad-password")


def test_without_the_code_no_answer_tells_which_names_there_are(by_code: Site) -> None:
    sign_up(by_code)
    answers = [sign_up(by_code, name=name, code="wrong") for name in ("Ada", "Nobody")]
    told = [problem_of(answer, 403, "wrong-code") | {"request_id": ""} for answer in answers]
    assert told[0] == told[1]


def test_codes_cannot_be_guessed_and_right_ones_are_not_counted(by_code: Site) -> None:
    for number in range(60):
        assert sign_up(by_code, name=f"person {number}x", password="short").status_code == 422
    answers = [sign_up(by_code, code=f"wrong {n}") for n in range(51)]
    assert [answer.status_code for answer in answers] == [403] * 50 + [429]
    assert int(answers[-1].headers["retry-after"]) > 0
    problem_of(sign_up(by_code), 429, "too-many-attempts")


def test_the_page_signs_the_newcomer_in_and_leads_back(by_code: Site) -> None:
    browser = by_code.browser()
    landing = browser.get("/sign-in?next=/docs").text
    assert "/sign-up?next=%2Fdocs" in landing
    assert 'name="next" value="/docs"' in browser.get("/sign-up?next=/docs").text
    wrong = browser.send("/sign-up", name="Ada", password=GOOD, code="wrong", next="/docs")
    assert wrong.status_code == 403
    assert 'value="Ada"' in wrong.text
    assert GOOD not in wrong.text
    done = browser.send("/sign-up", name="Ada", password=GOOD, code=f" {CODE} ", next="/docs")
    assert (done.status_code, done.headers["location"]) == (303, "/docs")
    assert browser.get("/api/v1/me").json()["name"] == "Ada"
    assert browser.get("/sign-up?next=//evil.example").headers["location"] == "/"


def test_who_goes_on_to_a_competition_is_asked_for_both_codes_at_once(by_code: Site) -> None:
    by_code.installation.launched(
        visibility="private", registration="code", registration_code="class of 26"
    )
    browser = by_code.browser()
    page = "/competitions/otto/team"
    landing = browser.get(page)
    assert landing.status_code == 303
    sign_in = browser.get(landing.headers["location"]).text
    assert f"/sign-up?next={page.replace('/', '%2F')}" in sign_in
    asked = {to: browser.get(f"/sign-up?next={to}").text for to in (page, "/docs", "/")}
    assert ["Class code" in text for text in asked.values()] == [True, False, False]
    # The form does not tell which private competitions there are.
    nowhere = browser.get("/sign-up?next=/competitions/not-there/team").text
    assert nowhere.replace("not-there", "otto") == asked[page]
    given = {"name": "Ada", "password": GOOD, "next": page, "class_code": " class of 26 "}
    wrong = browser.send("/sign-up", **given, code="wrong")
    assert (wrong.status_code, "class of 26" in wrong.text) == (403, True)
    done = browser.send("/sign-up", **given, code=CODE)
    assert done.status_code == 303
    assert 'value="class of 26"' in browser.get(done.headers["location"]).text
    entered = browser.send(page, act="create", name="Ada", code="class of 26")
    assert (entered.status_code, entered.headers["location"]) == (303, f"{page}?done=team-made")
    elsewhere = by_code.browser()
    only = {"name": "Bob", "password": GOOD, "next": page, "class_code": ""}
    done = elsewhere.send("/sign-up", **only, code=CODE)
    assert (done.status_code, done.headers["location"]) == (303, page)


def test_a_request_becomes_an_account_when_an_organizer_approves_it(by_approval: Site) -> None:
    browser = by_approval.browser()
    sent = browser.send(
        "/sign-up", name="Ada", password=GOOD, note="Course of spring", next="/docs"
    )
    state = sent.headers["location"]
    assert re.fullmatch(r"/sign-up/requests/[\w-]{43}\?next=%2Fdocs", state)
    assert "has to approve" in browser.get(state).text
    assert browser.send("/sign-in", name="Ada", password=GOOD).status_code == 401
    grace = by_approval.installation.person("grace", organizer=True)
    board = by_approval.browser(grace)
    listed = board.get("/organizers/sign-ups")
    assert "Course of spring" in listed.text
    (request,) = waiting(by_approval)
    approved = board.send(f"/organizers/sign-ups/{request['id']}/approve", name="Ada")
    assert approved.status_code == 303, approved.text
    assert "approved" in browser.get(state).text
    signed = browser.send("/sign-in", name="ada", password=GOOD, next="/docs")
    assert (signed.status_code, signed.headers["location"]) == (303, "/docs")
    again = by_approval.installation.admin.post(
        f"/admin/sign-up/requests/{request['id']}/approve", json={}
    )
    problem_of(again, 409, "already-decided")


def test_a_request_is_answered_alike_whether_its_name_is_taken_or_not(by_approval: Site) -> None:
    by_approval.installation.person("Ada")
    answers = [ask(by_approval, name=name) for name in ("Ada", "Nobody", "Nobody")]
    assert [answer.status_code for answer in answers] == [202] * 3
    assert {tuple(answer.json()) for answer in answers} == {("code", "address")}
    first, second, third = waiting(by_approval)
    route = "/admin/sign-up/requests"
    admin = by_approval.installation.admin
    problem_of(admin.post(f"{route}/{first['id']}/approve"), 409, "name-taken")
    renamed = admin.post(f"{route}/{first['id']}/approve", json={"name": "Ada L"})
    assert renamed.json()["name"] == "Ada L"
    state = by_approval.installation.anonymous.get(f"{route[6:]}/{answers[0].json()['code']}")
    assert state.json() == {"state": "approved", "name": "Ada", "account": "Ada L"}
    assert admin.post(f"{route}/{second['id']}/approve").status_code == 200
    assert admin.post(f"{route}/{third['id']}/decline").status_code == 204
    declined = by_approval.browser().get(answers[2].json()["address"])
    assert "did not approve" in declined.text
    assert waiting(by_approval) == []


def test_two_organizers_who_approve_at_once_make_one_account(by_approval: Site) -> None:
    ask(by_approval)
    (request,) = waiting(by_approval)
    admin = by_approval.installation.admin
    path = f"/admin/sign-up/requests/{request['id']}/approve"
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda name: admin.post(path, json={"name": name}), ("A1", "B2")))
    assert sorted(answer.status_code for answer in answers) == [200, 409]


def test_requests_of_one_network_are_limited_before_a_password_is_hashed(
    by_approval: Site,
) -> None:
    answers = [ask(by_approval, password="short") for _ in range(101)]
    assert [answer.status_code for answer in answers] == [422] * 100 + [429]


def test_only_organizers_decide(by_approval: Site) -> None:
    ask(by_approval)
    (request,) = waiting(by_approval)
    ada = by_approval.installation.person("participant")
    route = "/admin/sign-up/requests"
    problem_of(ada.get(route), 403, "not-allowed")
    for act in ("approve", "decline"):
        problem_of(ada.post(f"{route}/{request['id']}/{act}"), 403, "not-allowed")
    unknown = by_approval.installation.anonymous.get("/sign-up/requests/never-made")
    problem_of(unknown, 404, "not-found")
    assert by_approval.browser(ada).get("/organizers/sign-ups").status_code == 404


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"signup": "open"}, "needs PODIUM_MAIL_URL and PODIUM_MAIL_FROM"),
        ({"signup": "open", "mail_from": "p@x.org"}, "needs PODIUM_MAIL_URL and PODIUM_MAIL_FROM"),
        ({"signup": "open", "mail_url": "smtp://x"}, "needs PODIUM_MAIL_URL and PODIUM_MAIL_FROM"),
        ({"signup": "code"}, "PODIUM_SIGNUP_CODE"),
        ({"signup": "code", "signup_code": "short"}, "8 or more"),
        ({"signup": "approval", "signup_code": CODE}, "PODIUM_SIGNUP=code only"),
    ],
    ids=str,
)
def test_settings_that_cannot_be_are_refused_at_the_start(
    settings: dict[str, Any], told: str
) -> None:
    with pytest.raises(NotConfigured, match=told):
        sign_up_mode(Settings(**settings))


def test_the_log_forgets_who_asked_once_the_account_is_deleted(by_approval: Site) -> None:
    ask(by_approval, name="Ada Lovelace")
    ask(by_approval, name="Grace Hopper")
    admin, request = by_approval.installation.admin, waiting(by_approval)[0]
    made = admin.post(f"/admin/sign-up/requests/{request['id']}/approve").json()
    gone = admin.delete(f"/admin/users/{made['id']}", json={"confirm": "Ada Lovelace"})
    assert gone.status_code == 204
    told = admin.get("/admin/audit").text
    assert "Ada Lovelace" not in told
    assert "Grace Hopper" in told
