"""One's own account on its page, without JavaScript."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.builders.installation import Person
from tests.builders.page import Browser, Page
from tests.builders.site import Site

GOOD, BETTER = "correct horse battery", "even better horse battery"


@pytest.fixture
def ada(site: Site, request: pytest.FixtureRequest) -> Person:
    """A new user for every test, called as the test is."""
    return site.installation.person(request.node.name[-60:])


def sessions(person: Person) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = person.get("/me/sessions").json()["items"]
    return found


def test_a_token_is_shown_once_and_works_until_it_is_revoked(site: Site, ada: Person) -> None:
    browser = site.browser(ada)
    made = browser.send("/account", act="token", label="<b>laptop", expires_on="2199-01-31")
    found = re.search(r"data-copy>([\w-]{43})<", made.text)
    assert found is not None
    laptop = Person(site.installation.client, found[1])
    kept = next(t for t in laptop.get("/me/tokens").json()["items"] if t["label"] == "<b>laptop")
    # It is the last day wherever the person is: in the west it ends twelve hours after UTC's.
    assert kept["expires_at"] == "2199-02-01T11:59:59Z"
    shown = browser.get("/account").text
    assert found[1] not in shown
    assert "&lt;b&gt;laptop" in shown
    gone = browser.send("/account", act="revoke-token", id=kept["id"])
    assert gone.headers["location"] == "/account?done=token-revoked#tokens"
    assert laptop.get("/me").status_code == 401


def test_a_revoked_token_takes_browsers_that_may_have_used_it_along(
    site: Site, ada: Person
) -> None:
    earlier, own = site.browser(ada), site.browser(ada)
    leaked = ada.post("/me/tokens", json={"label": "leaked"}).json()
    thief = site.browser()
    thief.sign_in(leaked["token"])
    assert thief.get("/account").status_code == 200
    assert own.send("/account", act="revoke-token", id=leaked["id"]).status_code == 303
    assert thief.get("/account").headers["location"].startswith("/sign-in")
    assert own.get("/account").status_code == 200
    assert earlier.get("/account").status_code == 200


def test_what_is_wrong_is_named_as_the_page_names_it(site: Site, ada: Person) -> None:
    wrong = site.browser(ada).send("/account", act="token", label="x", expires_on="tomorrow")
    assert re.search(r'<li><a href="#[\w-]+">Last day</a>: This is not a day', wrong.text)


def test_the_only_token_is_revoked_when_there_is_another_way_in(site: Site, ada: Person) -> None:
    browser = site.browser(ada)
    (only,) = ada.get("/me/tokens").json()["items"]
    refused = browser.send("/account", act="revoke-token", id=only["id"])
    assert refused.status_code == 409
    assert "you could not sign in again" in refused.text
    assert ada.get("/me").status_code == 200
    ada.post("/me/tokens", json={"label": "another"})
    assert browser.send("/account", act="revoke-token", id=only["id"]).status_code == 303
    assert ada.get("/me").status_code == 401


def test_the_page_says_which_token_the_password_ends_with(site: Site, ada: Person) -> None:
    browser = site.browser(ada)
    warning = "Your password was set using this token; revoking the token removes it."
    assert warning not in browser.get("/account").text
    assert "signs out browsers that were signed in with it" in browser.get("/account").text
    good = "correct horse battery"
    sent = browser.send("/account", act="password", password=good, password_again=good)
    assert sent.status_code == 303
    assert browser.get("/account").text.count(warning) == 1


def test_a_browser_is_signed_in_for_no_longer_than_its_token_works(site: Site, ada: Person) -> None:
    ends = (datetime.now(UTC) + timedelta(days=2)).strftime("%Y-%m-%dT%H:%M:%SZ")
    short = ada.post("/me/tokens", json={"expires_at": ends}).json()["token"]
    browser = site.browser()
    browser.sign_in(short)
    listed = browser.get("/api/v1/me/sessions").json()["items"]
    (session,) = (one for one in listed if one["current"])
    assert session["expires_at"] == ends


@pytest.mark.parametrize(
    ("fields", "field", "words"),
    [
        ({"label": "x" * 65}, "label", "A label has at most 64 printable characters."),
        ({"label": "kept", "expires_on": "2001-01-01"}, "expires_on", "has passed everywhere"),
        ({"label": "kept", "expires_on": "tomorrow"}, "expires_on", "This is not a day"),
        ({"label": "kept", "expires_on": "9999-12-31"}, "expires_on", "This is not a day"),
    ],
)
def test_what_is_wrong_with_a_token_stands_at_its_field(
    site: Site, fields: dict[str, str], field: str, words: str
) -> None:
    person = site.installation.person(f"token {field} {len(fields)} {fields.get('expires_on')}")
    answer = site.browser(person).send("/account", act="token", **fields)
    assert answer.status_code == 422
    assert words in answer.text
    assert "expires_at" not in answer.text
    wrong = [a for t, a in Page(answer.text).tags if a.get("aria-invalid") == "true"]
    assert [a["name"] for a in wrong] == [field]
    assert f"f-{field}-problem" in str(wrong[0]["aria-describedby"])
    assert f'value="{fields["label"]}"' in answer.text
    assert len(person.get("/me/tokens").json()["items"]) == 1


def test_browsers_are_listed_and_can_be_signed_out_from_elsewhere(site: Site, ada: Person) -> None:
    here, there = site.browser(ada), site.browser(ada)
    assert [each["current"] for each in sessions(ada)] == [False, False]
    page = here.get("/account").text
    assert page.count("this one") == 1
    listed = here.get("/api/v1/me/sessions").json()["items"]
    other = next(each["id"] for each in listed if not each["current"])
    assert here.send("/account", act="end-session", id=other).status_code == 303
    assert there.get("/account").status_code == 303
    assert here.get("/account").status_code == 200
    assert here.send("/account", act="end-session", id=other).status_code == 404


def test_no_user_ends_a_session_of_another(site: Site, ada: Person) -> None:
    eve = site.installation.person("eve of the sessions")
    browser = site.browser(ada)
    (own,) = sessions(ada)
    assert eve.delete(f"/me/sessions/{own['id']}").status_code == 404
    assert own["id"] not in eve.get("/me/sessions").text
    assert browser.get("/account").status_code == 200


def test_a_new_password_signs_other_browsers_out_and_not_this_one(site: Site, ada: Person) -> None:
    here, there = site.browser(ada), site.browser(ada)
    fields = {"password": GOOD, "password_again": GOOD}
    assert Page(here.get("/account").text).fields() >= fields.keys()
    assert here.send("/account", act="password", **fields).status_code == 303
    assert (here.get("/account").status_code, there.get("/account").status_code) == (200, 303)
    changed = {"password": BETTER, "password_again": BETTER}
    for current, status in ((None, 403), ("wrong horse battery", 401), (GOOD, 303)):
        given = changed if current is None else changed | {"current_password": current}
        answer = here.send("/account", act="password", **given)
        assert answer.status_code == status, current
        assert BETTER not in answer.text
        assert ("This is not your password." in answer.text) is (status == 401)
    assert len(sessions(ada)) == 1


def test_two_different_passwords_change_nothing(site: Site, ada: Person) -> None:
    browser = site.browser(ada)
    answer = browser.send("/account", act="password", password=GOOD, password_again=BETTER)
    assert answer.status_code == 422
    assert ada.get("/me").json()["has_password"] is False


def test_deleting_the_account_needs_its_name_and_ends_everything(site: Site, ada: Person) -> None:
    browser, other = site.browser(ada), site.browser(ada)
    refused = browser.send("/account", act="delete", confirm="somebody else")
    assert refused.status_code == 422
    name = ada.get("/me").json()["name"]
    done = browser.send("/account", act="delete", confirm=name)
    assert done.headers["location"] == "/?done=account-deleted"
    assert "podium_session" not in browser.client.cookies
    assert other.get("/account").status_code == 303
    assert ada.get("/me").status_code == 401


def test_who_deletes_an_account_sees_which_team_names_stay(site: Site, ada: Person) -> None:
    site.installation.launched("mine")
    site.installation.launched("ours")
    name = ada.get("/me").json()["name"]
    for slug, team in (("mine", name), ("ours", "friends")):
        made = ada.post(f"/competitions/{slug}/teams", json={"name": team})
        assert made.status_code == 201, made.text
    admin = site.browser(site.installation.admin)
    for page in (
        site.browser(ada).get("/account"),
        admin.get(f"/organizers/accounts/{ada.id}"),
    ):
        listed = page.text.partition("Team names stay, unless")[2]
        assert f"<bdi>{name}</bdi> in mine: the name is replaced" in listed
        assert "<bdi>friends</bdi> in ours: the name stays" in listed


@pytest.mark.parametrize("change", [{"disabled": True}])
def test_a_disabled_account_is_signed_out_everywhere(
    site: Site, ada: Person, change: dict[str, bool]
) -> None:
    browser = site.browser(ada)
    assert site.installation.admin.patch(f"/admin/users/{ada.id}", json=change).status_code == 200
    assert browser.get("/account").status_code == 303
    back = {"disabled": False}
    assert site.installation.admin.patch(f"/admin/users/{ada.id}", json=back).status_code == 200
    assert browser.get("/account").status_code == 303


def test_new_credentials_end_all_sessions_and_begin_one(site: Site, ada: Person) -> None:
    old = site.browser(ada)
    made = site.installation.admin.post(f"/admin/users/{ada.id}/reset-link").json()
    another = site.installation.person(f"else {ada.id}")
    new: Browser = site.browser(another)
    assert len(sessions(another)) == 1
    answer = new.send(made["address"], password=GOOD)
    assert answer.status_code == 200
    assert "and signed in" in answer.text
    # The user who had this browser before is not signed in behind the scenes.
    assert sessions(another) == []
    assert (old.get("/account").status_code, new.get("/account").status_code) == (303, 200)


def test_an_unknown_button_is_refused(site: Site, ada: Person) -> None:
    assert site.browser(ada).send("/account", act="promote").status_code == 400
