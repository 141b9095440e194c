"""A real browser without a screen: Debian's Chromium."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

PROGRAMS = ("chromium-headless-shell", "chromium")
"""The first one has no windows of its own, which are most of what a browser costs."""


class NoBrowser(Exception):
    """There is no browser here, and this says how to get one."""


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser that is installed. Root needs it without its sandbox. Raises `NoBrowser`."""
    path = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if path is None:
        raise NoBrowser("There is no browser here; on Debian: apt install chromium-headless-shell")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()
