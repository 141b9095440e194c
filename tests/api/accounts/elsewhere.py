"""Installations that know an identity provider, and the way there and back as a browser goes it."""

from __future__ import annotations

from urllib.parse import urlsplit

import httpx2

from tests.builders.page import Browser, Page


def way_back(browser: Browser, address: str = "/sign-in/elsewhere?next=/account") -> str:
    """Goes to the provider, is recognized there, and answers the address that leads back."""
    gone = browser.get(address)
    assert gone.status_code == 303, gone.text
    return back_from(gone.headers["location"])


def way_to_connect(browser: Browser) -> str:
    """The same for a user who wants to connect their account."""
    page = browser.send("/sign-in/elsewhere")
    assert page.status_code == 200, page.text
    (button,) = (
        attrs["href"]
        for tag, attrs in Page(page.text).tags
        if tag == "a" and "button" in (attrs.get("class") or "")
    )
    assert button is not None
    return back_from(button)


def back_from(provider: str) -> str:
    answer = httpx2.get(provider)
    assert answer.status_code == 302
    back = urlsplit(answer.headers["location"])
    return f"{back.path}?{back.query}"


def name_in(browser: Browser) -> str | None:
    answer = browser.get("/api/v1/me")
    return str(answer.json()["name"]) if answer.status_code == 200 else None
