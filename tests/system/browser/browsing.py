"""A browser whose every window is watched: an error of a script, a breach of the content security
policy, or a request that leaves the machine fails the test that it happened in."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    expect,
)

PATIENCE = 60_000
"""Milliseconds that anything may take: the machine may be busy with other tests."""

PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}

INNER = ("about:", "blob:", "data:")
"""Addresses that go to no machine."""


class Windows:
    """The windows of one test, each with cookies of its own, and what went wrong in them."""

    def __init__(self, browser: Browser, address: str) -> None:
        expect.set_options(timeout=PATIENCE)
        self.address = address
        self.complaints: list[str] = []
        self.forgiven: list[str] = []
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self._opened: set[str] = set()

    def open(self, token: str | None = None, **options: Any) -> Page:
        """A window, signed in by this token; `options` are Playwright's."""
        options = {"base_url": self.address, "reduced_motion": "reduce", **options}
        context = self._browser.new_context(**options)
        context.set_default_timeout(PATIENCE)
        self._contexts.append(context)
        context.on("console", self._hear)
        context.on("weberror", lambda error: self.complaints.append(str(error.error)))
        context.on("request", self._look)
        if token is not None:
            answer = context.request.post(
                "/sign-in", form={"token": token}, headers={"Origin": self.address}, max_redirects=0
            )
            assert answer.status == 303, answer.text()
        return context.new_page()

    def forgive(self, pattern: str) -> None:
        """Expects a complaint that this test brings about itself, such as a connection that is
        cut."""
        self.forgiven.append(pattern)

    def close(self) -> list[str]:
        """Closes all windows: what went wrong."""
        for context in self._contexts:
            context.close()
        return [
            each for each in self.complaints if not any(re.search(x, each) for x in self.forgiven)
        ]

    def _look(self, request: Request) -> None:
        if request.is_navigation_request():
            self._opened.add(request.url)
        if not request.url.startswith((self.address + "/", *INNER)):
            self.complaints.append(f"a request to {request.url}")

    def _hear(self, message: ConsoleMessage) -> None:
        # A page that refuses something has a status of its own; Chromium calls that an error.
        is_page = message.location["url"] in self._opened
        if is_page and message.text.startswith("Failed to load resource: the server responded"):
            return
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.type}: {message.text} ({message.location['url']})")
