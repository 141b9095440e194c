"""Signing in at an identity provider, which runs and is asked over HTTP."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from joserfc.jwk import RSAKey

from tests.api.accounts.elsewhere import back_from, name_in, way_back, way_to_connect
from tests.builders.servers.identity_provider import Provider
from tests.builders.site import Site

pytestmark = pytest.mark.usefixtures("honest")


def test_a_recognized_user_gets_an_account_and_the_same_one_again(
    open_site: Site, provider: Provider
) -> None:
    provider.person = {"sub": "ada", "preferred_username": "Ada L"}
    first, second = open_site.browser(), open_site.browser()
    assert urlsplit(provider.issuer).hostname in first.get("/sign-in").text
    done = first.get(way_back(first))
    assert (done.status_code, done.headers["location"]) == (303, "/account")
    assert name_in(first) == "Ada L"
    provider.person = {"sub": "ada", "preferred_username": "renamed there"}
    second.get(way_back(second))
    assert name_in(second) == "Ada L"
    provider.person = {"sub": "another", "preferred_username": "ada l"}
    third = open_site.browser()
    third.get(way_back(third))
    assert name_in(third) == "ada l 2"


def test_a_name_that_cannot_be_one_is_replaced(open_site: Site, provider: Provider) -> None:
    provider.person = {"sub": "odd", "name": "\u202e\u0000"}
    browser = open_site.browser()
    browser.get(way_back(browser))
    assert re.fullmatch(r"participant( \d+)?", name_in(browser) or "")


def test_without_sign_up_an_account_has_to_be_connected_first(
    closed_site: Site, provider: Provider
) -> None:
    provider.person = {"sub": "bob", "name": "Bob"}
    stranger = closed_site.browser()
    refused = stranger.get(way_back(stranger))
    assert refused.status_code == 403
    assert "connect it" in refused.text
    assert name_in(stranger) is None
    bob = closed_site.installation.person("bob by token")
    connecting = closed_site.browser(bob)
    assert "/sign-in/elsewhere" in connecting.get("/account").text
    assert connecting.get(way_to_connect(connecting)).headers["location"] == "/account"
    assert name_in(connecting) == "bob by token"
    later = closed_site.browser()
    later.get(way_back(later))
    assert name_in(later) == "bob by token"
    eve = closed_site.browser(closed_site.installation.person("eve"))
    assert eve.get(way_to_connect(eve)).status_code == 409
    assert bob.delete("/me", json={"confirm": "bob by token"}).status_code == 204
    gone = closed_site.browser()
    assert gone.get(way_back(gone)).status_code == 403


def test_no_other_site_and_no_planted_cookie_connects_an_identity(
    closed_site: Site, provider: Provider
) -> None:
    provider.person = {"sub": "the attacker's", "name": "Eve"}
    victim = closed_site.browser(closed_site.installation.person("victim"))
    assert victim.get("/sign-in/elsewhere?next=/account").headers["location"] == "/account"
    foreign = {"Origin": "https://evil.example"}
    assert victim.client.post("/sign-in/elsewhere", headers=foreign).status_code == 403
    assert victim.client.post("/sign-in/elsewhere").status_code == 403
    # The attacker's own flow, cookie and all, connects with the attacker's account or with none.
    attacker = closed_site.browser(closed_site.installation.person("attacker"))
    connecting = way_to_connect(attacker)
    victim.client.cookies.set("podium_sign_in", attacker.client.cookies["podium_sign_in"])
    assert victim.get(connecting).status_code == 403
    anonymous = closed_site.browser()
    strangers_way = way_back(anonymous)
    victim.client.cookies.set("podium_sign_in", anonymous.client.cookies["podium_sign_in"])
    assert victim.get(strangers_way).status_code == 403
    later = closed_site.browser()
    assert later.get(way_back(later)).status_code == 403
    assert name_in(victim) == "victim"


def test_a_new_sign_in_ends_what_the_browser_had_before(
    open_site: Site, provider: Provider
) -> None:
    provider.person = {"sub": "fay", "name": "Fay"}
    browser = open_site.browser()
    back = way_back(browser)
    earlier = open_site.installation.person("earlier")
    assert earlier.token is not None
    browser.sign_in(earlier.token)
    assert len(earlier.get("/me/sessions").json()["items"]) == 1
    assert browser.get(back).status_code == 303
    assert name_in(browser) == "Fay"
    assert earlier.get("/me/sessions").json()["items"] == []


def test_a_disabled_account_stays_outside(open_site: Site, provider: Provider) -> None:
    provider.person = {"sub": "cy", "name": "Cy"}
    browser = open_site.browser()
    browser.get(way_back(browser))
    user_id = browser.get("/api/v1/me").json()["id"]
    open_site.installation.admin.patch(f"/admin/users/{user_id}", json={"disabled": True})
    assert name_in(browser) is None
    assert browser.get(way_back(browser)).status_code == 403
    assert name_in(browser) is None


@pytest.mark.parametrize(
    "claims",
    [
        {"aud": "somebody else"},
        {"iss": "https://evil.example"},
        {"nonce": "another"},
        {"nonce": None},
        {"exp": 1_700_000_000},
        {"exp": None},
        {"sub": None},
        {"azp": "somebody else"},
    ],
    ids=str,
)
def test_a_token_that_is_not_for_this_sign_in_is_not_believed(
    open_site: Site, provider: Provider, claims: dict[str, Any]
) -> None:
    provider.person = {"sub": "mallory", "name": "Mallory"}
    provider.claims = claims
    browser = open_site.browser()
    assert browser.get(way_back(browser)).status_code == 403
    assert name_in(browser) is None


def test_a_token_signed_with_another_key_is_not_believed(
    open_site: Site, provider: Provider
) -> None:
    provider.signs_with = RSAKey.generate_key(2048, {"kid": "one"})
    browser = open_site.browser()
    assert browser.get(way_back(browser)).status_code == 403
    assert name_in(browser) is None


def test_a_way_back_works_in_the_browser_that_went_and_once(
    open_site: Site, provider: Provider
) -> None:
    provider.person = {"sub": "dan", "name": "Dan"}
    browser, victim = open_site.browser(), open_site.browser()
    back = way_back(browser)
    # Another user's way back, sent to a victim: there is no flow in that browser, or another one.
    assert victim.get(back).status_code == 403
    way_back(victim)
    assert victim.get(back).status_code == 403
    assert name_in(victim) is None
    assert browser.get(back).status_code == 303
    other = open_site.browser()
    own = way_back(other)
    forged = own.replace("code=", "code=x")
    assert other.get(forged).status_code == 503
    assert name_in(other) is None


def test_the_cookie_of_the_way_is_signed_and_short(open_site: Site, provider: Provider) -> None:
    browser = open_site.browser()
    cookie = browser.get("/sign-in/elsewhere?next=//evil.example").headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "Max-Age=600" in cookie
    assert "Path=/;" in cookie
    assert "SameSite=lax" in cookie
    value = cookie.partition(";")[0].partition("=")[2].strip('"')
    text, _, signature = value.partition(".")
    for forged in (f"{text}.{signature[:-2]}AA", f"{text[:-2]}AA.{signature}", "x.y", "", "."):
        headers = {"Cookie": f"podium_sign_in={forged}"}
        answer = open_site.browser().get("/sign-in/elsewhere/back?code=x&state=y", headers=headers)
        assert answer.status_code == 403


def test_with_https_only_this_host_can_set_the_cookie_of_the_way(
    open_site: Site, provider: Provider
) -> None:
    provider.person = {"sub": "gil", "name": "Gil"}
    browser = open_site.browser(origin="https://testserver")
    gone = browser.get("/sign-in/elsewhere")
    cookie = gone.headers["set-cookie"]
    assert cookie.startswith("__Host-podium_sign_in=")
    assert "Secure" in cookie
    back = back_from(gone.headers["location"])
    planted = open_site.browser(origin="https://testserver")
    planted.client.cookies.set("podium_sign_in", browser.client.cookies["__Host-podium_sign_in"])
    assert planted.get(back).status_code == 403
    assert browser.get(back).status_code == 303


def test_a_refusal_of_the_provider_leads_back_to_the_form(
    open_site: Site, provider: Provider
) -> None:
    browser = open_site.browser()
    state = dict(part.split("=") for part in way_back(browser).split("?")[1].split("&"))["state"]
    answer = browser.get(f"/sign-in/elsewhere/back?error=access_denied&state={state}")
    assert answer.status_code == 403
    assert "did not let you in" in answer.text


def test_without_a_provider_there_is_no_such_way(site: Site) -> None:
    assert site.browser().get("/sign-in/elsewhere").status_code == 404
    assert "elsewhere" not in site.browser().get("/sign-in").text


def test_an_identity_is_never_joined_to_an_account_by_its_name_or_mail_address(
    open_site: Site, closed_site: Site, provider: Provider
) -> None:
    claims = {"email": "gus@example.org", "email_verified": True}
    for site in (closed_site, open_site):
        for name in ("gus@example.org", "gus"):
            site.installation.person(name)
    provider.person = {"sub": "gus there", "preferred_username": "gus", **claims}
    stranger = closed_site.browser()
    assert stranger.get(way_back(stranger)).status_code == 403
    assert name_in(stranger) is None
    newcomer = open_site.browser()
    newcomer.get(way_back(newcomer))
    assert name_in(newcomer) == "gus 2"
    provider.person = {"sub": "gus elsewhere", **claims}
    other = open_site.browser()
    other.get(way_back(other))
    assert (name_in(other) or "").startswith("participant")
