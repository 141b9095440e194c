"""Signing in and out with a browser, and what a cookie may do."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from podium.settings import Settings
from tests.builders.installation import Person
from tests.builders.page import HERE, Page
from tests.builders.site import Site, served

GOOD = "correct horse battery"


@pytest.fixture(scope="module")
def ada(site: Site) -> Person:
    person = site.installation.person("ada")
    assert person.put("/me/password", json={"password": GOOD}).status_code == 204
    return person


def test_a_password_signs_in_and_leads_to_where_one_wanted_to_go(site: Site, ada: Person) -> None:
    browser = site.browser()
    led = browser.get("/account?x=1")
    assert (led.status_code, led.headers["location"]) == (303, "/sign-in?next=%2Faccount%3Fx%3D1")
    form = browser.get(led.headers["location"])
    assert Page(form.text).fields() == {"name", "password", "token"}
    done = browser.send("/sign-in", name="Ada", password=GOOD, next="/account?x=1")
    assert (done.status_code, done.headers["location"]) == (303, "/account?x=1")
    assert "<bdi>ada</bdi>" in browser.get("/account").text
    again = browser.get("/sign-in?next=/account")
    assert (again.status_code, again.headers["location"]) == (303, "/account")


@pytest.mark.parametrize(
    "fields",
    [
        {"name": "ada", "password": "wrong horse battery"},
        {"name": "nobody", "password": GOOD},
        {"name": "", "password": ""},
        {"token": "wrong"},
    ],
)
def test_an_unknown_user_gets_the_form_again_and_no_cookie(
    site: Site, ada: Person, fields: dict[str, str]
) -> None:
    browser = site.browser()
    answer = browser.send("/sign-in", next="/account", **fields)
    assert answer.status_code == 401
    # The refusal stands in the form that was sent.
    by_password, by_token = answer.text.partition('id="by-token"')[::2]
    assert ('role="alert"' in by_token) is ("token" in fields)
    assert ('role="alert"' in by_password) is ("token" not in fields)
    assert "set-cookie" not in answer.headers
    inputs = [attrs for tag, attrs in Page(answer.text).tags if tag == "input"]
    assert {a.get("value") for a in inputs if a.get("type") == "password"} == {""}
    assert next(a["value"] for a in inputs if a["name"] == "name") == fields.get("name", "")
    assert browser.get("/account").status_code == 303


@pytest.mark.parametrize(
    ("contact", "address"),
    [
        ("help@podium.example", "mailto:help@podium.example"),
        ("https://podium.example/help?a=1&b=2", "https://podium.example/help?a=1&amp;b=2"),
    ],
)
def test_who_helps_is_linked_where_an_account_is_needed_and_on_every_page(
    tmp_path: Path, migrated_sqlite_file: Path, contact: str, address: str
) -> None:
    with contextmanager(served)(tmp_path, migrated_sqlite_file, contact=contact) as site:
        page = site.browser().get("/sign-in").text
        assert page.count(f'href="{address}"') == 2
        assert f'href="{address}">Help</a>' in site.browser().get("/nothing").text


@pytest.mark.parametrize("contact", ["javascript:alert(1)", "help", "a@b?bcc=c@d", "http://"])
def test_a_contact_that_cannot_be_linked_is_refused(contact: str) -> None:
    with pytest.raises(ValueError, match="an address like help@podium"):
        Settings(contact=contact)


@pytest.mark.parametrize(
    "address",
    [
        "https://evil.example/",
        "//evil.example/",
        "/\\evil.example",
        "/%0d%0aSet-Cookie:x=1\r\nX: y",
        "javascript:alert(1)",
        "\\\\evil.example",
        "/\t/evil.example",
        "",
        "account",
    ],
)
def test_signing_in_never_leads_to_another_site(site: Site, ada: Person, address: str) -> None:
    browser = site.browser()
    answer = browser.send("/sign-in", token=ada.token, next=address)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    signed_in = browser.get("/sign-in", params={"next": address})
    assert signed_in.headers["location"] == "/"


def test_the_cookie_is_told_to_no_script_and_to_no_other_site(site: Site, ada: Person) -> None:
    plain = site.browser().send("/sign-in", token=ada.token).headers["set-cookie"]
    assert plain.startswith("podium_session=")
    assert {part.strip() for part in plain.split(";")[1:]} == {
        "HttpOnly",
        "Max-Age=5184000",
        "Path=/",
        "SameSite=lax",
    }
    secure = site.browser(origin="https://testserver").send("/sign-in", token=ada.token)
    assert secure.headers["set-cookie"].startswith("__Host-podium_session=")
    assert "; Secure" in secure.headers["set-cookie"]


def test_a_planted_cookie_never_becomes_a_session(site: Site, ada: Person) -> None:
    headers = {"Origin": HERE, "Cookie": "podium_session=planted"}
    answer = site.browser().client.post("/sign-in", data={"token": ada.token}, headers=headers)
    assert answer.status_code == 303
    assert "podium_session=planted" not in answer.headers["set-cookie"]
    planted = site.browser()
    planted.client.cookies.set("podium_session", "planted")
    assert planted.get("/account").status_code == 303


def test_signing_in_again_ends_the_session_before(site: Site, ada: Person) -> None:
    browser = site.browser(ada)
    before = browser.client.cookies["podium_session"]
    browser.sign_in(ada.token or "")
    assert browser.client.cookies["podium_session"] != before
    old = site.browser()
    old.client.cookies.set("podium_session", before)
    assert old.get("/account").status_code == 303


def test_signing_out_ends_the_session_on_the_server_too(site: Site, ada: Person) -> None:
    browser = site.browser(ada)
    cookie = browser.client.cookies["podium_session"]
    answer = browser.send("/sign-out")
    assert answer.headers["location"] == "/?done=signed-out"
    assert "podium_session" not in browser.client.cookies
    assert "You are signed out." in browser.get("/?done=signed-out").text
    stolen = site.browser()
    stolen.client.cookies.set("podium_session", cookie)
    assert stolen.get("/account").status_code == 303


FOREIGN = [{}, {"Origin": "https://evil.example"}, {"Origin": "null"}, {"Origin": HERE + ".evil"}]


@pytest.mark.parametrize("headers", FOREIGN, ids=lambda headers: headers.get("Origin", "none"))
def test_another_site_cannot_write_with_the_cookie(
    site: Site, ada: Person, headers: dict[str, str]
) -> None:
    client = site.browser(ada).client
    label = f"planted {headers}"
    requests: tuple[tuple[str, str, dict[str, Any]], ...] = (
        ("POST", "/account", {"data": {"act": "token", "label": label}}),
        ("POST", "/api/v1/me/tokens", {"json": {"label": label}}),
        ("POST", "/sign-out", {}),
        ("DELETE", "/api/v1/me", {"json": {"confirm": "ada"}}),
        ("PUT", "/api/v1/me/password", {"json": {"password": GOOD, "current_password": GOOD}}),
    )
    for method, path, body in requests:
        answer = client.request(method, path, headers=headers, **body)
        assert answer.status_code == 403, (method, path)
    assert label not in ada.get("/me/tokens").text
    assert client.get("/api/v1/me").json()["name"] == "ada"


def test_another_site_cannot_sign_a_browser_in(site: Site, ada: Person) -> None:
    headers = {"Origin": "https://evil.example"}
    answer = site.browser().client.post("/sign-in", data={"token": ada.token}, headers=headers)
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers


def test_looking_changes_nothing(site: Site, ada: Person) -> None:
    browser = site.browser(ada)
    for path in ("/sign-out", "/account?act=delete&confirm=ada", "/account?act=token"):
        browser.get(path)
    assert browser.get("/api/v1/me").json()["name"] == "ada"
    assert browser.get("/sign-out").status_code == 405


def test_a_token_goes_before_a_cookie(site: Site, ada: Person) -> None:
    bob = site.installation.person("bob of the token")
    answer = site.browser(ada).get("/api/v1/me", headers={"Authorization": f"Bearer {bob.token}"})
    assert answer.json()["name"] == "bob of the token"


def test_pages_are_for_one_person_and_never_cached(site: Site, ada: Person) -> None:
    signed_in, anonymous = site.browser(ada), site.browser()
    for path in ("/", "/account", "/sign-in", "/nothing"):
        headers = signed_in.get(path).headers
        if "location" not in headers:
            assert headers["cache-control"] == "no-store", path
        assert headers["x-frame-options"] == "DENY"
        assert headers["x-content-type-options"] == "nosniff"
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'self'; object-src 'none'; form-action 'self'")
        assert "frame-ancestors 'none'" in policy
    for _ in range(2):
        assert "<bdi>ada</bdi>" in signed_in.get("/").text
        assert ">ada<" not in anonymous.get("/").text


def test_what_the_address_says_is_never_shown(site: Site) -> None:
    page = site.browser().get("/?done=<script>alert(1)</script>").text
    assert "alert(1)" not in page
    assert 'role="status"' not in page
