"""Complaints about a page: by axe, in its outline, on a small screen."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, ViewportSize

NARROW: ViewportSize = {"width": 320, "height": 640}
WIDE: ViewportSize = {"width": 1280, "height": 800}

ALL = {
    "runOnly": {
        "type": "tag",
        "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    }
}
CONTRAST = {"runOnly": ["color-contrast"]}

AXE: str = Axe().axe_script


def complaints(page: Page) -> list[str]:
    """Complaints about a page: by axe in both colors, in its outline, or on a small screen."""
    found = violations(page, ALL)
    page.emulate_media(color_scheme="dark")
    found += [f"dark: {each}" for each in violations(page, CONTRAST)]
    page.emulate_media(color_scheme="light")
    if page.locator("h1").count() != 1:
        found.append(f"{page.locator('h1').count()} h1")
    if not page.title().endswith("Podium") or page.title().startswith(("·", " ")):
        found.append(f"title {page.title()}")
    page.set_viewport_size(NARROW)
    width = page.evaluate("() => document.documentElement.scrollWidth")
    if width > NARROW["width"]:
        found.append(f"{width} px wide on a screen of {NARROW['width']}: {widest(page)}")
    page.set_viewport_size(WIDE)
    return found


def violations(page: Page, options: dict[str, Any]) -> list[str]:
    """The violations that axe finds: the rule, and the elements. A page is given axe once."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE)
    given = {"resultTypes": ["violations"], **options}
    found = page.evaluate("async (options) => (await axe.run(options)).violations", given)
    return [
        f"{each['id']}: {', '.join(str(node['target'][0]) for node in each['nodes'][:4])}"
        for each in found
    ]


def widest(page: Page) -> str:
    """The elements that stand out of the screen."""
    found: str = page.evaluate(
        """() => [...document.querySelectorAll("body *")]
            .filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
            .filter((each) => !each.closest(".scroll, .tabs, .unseen"))
            .slice(0, 3).map((each) => `${each.tagName}.${each.className}`).join(" ")"""
    )
    return found
