"""An identity provider that says nonsense of itself, and what a token connected with it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.accounts.elsewhere import name_in, way_back, way_to_connect
from tests.builders.servers.identity_provider import Provider
from tests.builders.site import Site

pytestmark = pytest.mark.usefixtures("honest")


@pytest.mark.parametrize(
    "says",
    [
        {"authorization_endpoint": None},
        {"authorization_endpoint": 5},
        {"authorization_endpoint": ""},
        {"authorization_endpoint": "/authorize"},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"authorization_endpoint": "http://[::1/authorize"},
        {"authorization_endpoint": "http://a.example:99999/authorize"},
        {"authorization_endpoint": "http://a.example/\r\nSet-Cookie: a=b"},
        {"token_endpoint": None},
        {"jwks_uri": ["http://127.0.0.1/keys"]},
        {"issuer": "http://somebody.else"},
    ],
)
def test_a_faulty_description_of_the_provider_is_told_and_not_followed(
    open_site: Site, provider: Provider, says: dict[str, Any]
) -> None:
    provider.says = says
    browser = open_site.browser()
    answer = browser.get("/sign-in/elsewhere?next=/account")
    assert answer.status_code == 503
    assert "The identity provider does not answer as it should" in answer.text
    assert 'name="password"' in answer.text
    signed_in = open_site.browser(open_site.installation.person(f"user of {says}"[:60]))
    assert signed_in.send("/sign-in/elsewhere").status_code == 503


@pytest.mark.parametrize(
    "keys", [{}, ["a list"], {"keys": "none"}, {"keys": [5]}, {"keys": [{"kty": "x"}]}]
)
def test_faulty_keys_of_the_provider_are_told(
    open_site: Site, provider: Provider, keys: Any
) -> None:
    browser = open_site.browser()
    back = way_back(browser)
    provider.keys = keys
    answer = browser.get(back)
    assert answer.status_code in (403, 503)
    assert "The identity provider" in answer.text
    assert name_in(browser) is None


def test_an_answer_in_the_name_of_another_provider_is_not_followed(
    open_site: Site, provider: Provider
) -> None:
    browser = open_site.browser()
    answer = browser.get(way_back(browser) + "&iss=https%3A%2F%2Fevil.example")
    assert answer.status_code == 403
    assert "Another identity provider answered." in answer.text
    assert name_in(browser) is None


def test_a_description_that_breaks_on_the_way_back_is_told(
    open_site: Site, provider: Provider
) -> None:
    browser = open_site.browser()
    back = way_back(browser)
    provider.says = {"token_endpoint": None}
    answer = browser.get(back)
    assert answer.status_code == 503
    assert "The identity provider does not answer as it should" in answer.text


def test_an_identity_that_was_connected_by_a_token_ends_with_it(
    closed_site: Site, provider: Provider
) -> None:
    provider.person = {"sub": "connected by a token", "name": "Dan"}
    dan = closed_site.installation.person("dan")
    made = dan.post("/me/tokens", json={"label": "leaked"}).json()
    thief = closed_site.browser()
    thief.sign_in(made["token"])
    assert thief.get(way_to_connect(thief)).status_code == 303
    later = closed_site.browser()
    assert later.get(way_back(later)).status_code == 303
    assert name_in(later) == "dan"
    assert dan.delete(f"/me/tokens/{made['id']}").status_code == 204
    assert name_in(thief) is None
    assert name_in(later) is None
    again = closed_site.browser()
    assert again.get(way_back(again)).status_code == 403
    short = dan.post("/me/tokens", json={"expires_at": "2999-01-01T00:00:00Z"}).json()
    brief = closed_site.browser()
    brief.sign_in(short["token"])
    assert brief.get(way_to_connect(brief)).status_code == 403
