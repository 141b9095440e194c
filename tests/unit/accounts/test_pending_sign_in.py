"""Half a sign-in elsewhere, as a browser keeps it, and the identity provider of the settings."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from podium.accounts.authentication.oidc import Pending, Provider
from podium.errors import NotAllowed, NotConfigured
from podium.settings import Settings

PROVIDER = Provider("https://idp.example", "podium", "secret")


def refusal_of(cookie: str | None) -> NotAllowed:
    with pytest.raises(NotAllowed) as refusal:
        Pending.opened(PROVIDER, cookie)
    return refusal.value


def test_what_a_browser_brings_back_within_ten_minutes_is_what_it_was_given() -> None:
    pending = Pending.begun("/account", connects="ada's id")
    assert Pending.opened(PROVIDER, pending.sealed(PROVIDER)) == pending
    assert 0 < pending.until - time.time() <= 600


def test_a_sign_in_that_took_too_long_begins_anew() -> None:
    late = replace(Pending.begun("/"), until=int(time.time()))
    refusal = refusal_of(late.sealed(PROVIDER))
    assert (refusal.code, refusal.detail) == (
        "sign-in-failed",
        "The sign-in took too long. Try again.",
    )


@pytest.mark.parametrize("forged", [None, "", "abc", "abc.def", "é.ü"])
def test_a_cookie_that_we_did_not_write_begins_nothing(forged: str | None) -> None:
    assert "did not begin in this browser" in refusal_of(forged).detail


def test_a_cookie_sealed_with_another_secret_begins_nothing() -> None:
    other = Provider("https://idp.example", "podium", "another secret")
    assert refusal_of(Pending.begun("/").sealed(other)).code == "sign-in-failed"


@pytest.mark.parametrize(
    ("client_id", "secret"), [("", ""), ("podium", ""), ("", "secret")], ids=str
)
def test_half_of_an_identity_provider_is_refused_and_the_missing_settings_are_named(
    client_id: str, secret: str
) -> None:
    half = Settings(
        oidc_issuer="https://idp.example", oidc_client_id=client_id, oidc_client_secret=secret
    )
    with pytest.raises(NotConfigured, match="PODIUM_OIDC_CLIENT_ID and PODIUM_OIDC_CLIENT_SECRET"):
        Provider.of(half)


def test_without_an_issuer_there_is_no_identity_provider() -> None:
    assert Provider.of(Settings(oidc_issuer="", oidc_client_id="podium")) is None
