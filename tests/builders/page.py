"""Tools to test pages with: the tags of a page, and a browser that keeps its cookie, says where its
forms come from, and goes nowhere by itself."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser
from typing import Any

from tests.builders.servers.in_process import TestClient

HERE = "http://testserver"
"""The origin of the pages under test."""


def compact(page: str) -> str:
    """A page on one line, without the line breaks and indentation of its templates."""
    beside_tags = re.sub(r"\s*\n\s*<", "<", re.sub(r">[^\S\n]*\n\s*", ">", page))
    return re.sub(r"\s*\n\s*", " ", beside_tags)


class Page(HTMLParser):
    """A parsed page: its tags with attributes, and the text of each table row, without what only a
    phone shows, on tap."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.rows: list[list[str]] = []
        self._in_cell = False
        self._folded = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "details":
            self._folded += dict(attrs).get("class") == "rest"
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self._in_cell = True

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self._in_cell = False
        if tag == "details":
            self._folded = 0

    def handle_data(self, data: str) -> None:
        if self._in_cell and not self._folded:
            self.rows[-1][-1] += data.strip()

    def addresses(self) -> list[str]:
        """Everything that the page refers to."""
        found = (attrs.get("href") or attrs.get("src") for _, attrs in self.tags)
        return [address for address in found if address]

    def fields(self) -> set[str | None]:
        """The names of all fields that a visitor can fill in."""
        return {
            attrs.get("name")
            for tag, attrs in self.tags
            if tag in ("input", "select", "textarea") and attrs.get("type") != "hidden"
        }


def fields_of(text: str) -> dict[str, Any]:
    """The fields that a browser would send of the largest form of a page, if nothing was typed."""
    form = max(re.findall(r"<form method=\"post\".*?</form>", text, re.DOTALL), key=len)
    found: dict[str, Any] = {}
    for attributes in re.findall(r"<input ([^>]*)>", form):
        given = dict(re.findall(r'([\w-]+)="([^"]*)"', attributes))
        if given.get("type") not in ("checkbox", "radio") or " checked" in attributes:
            value, before = html.unescape(given.get("value", "")), found.get(given["name"])
            # Boxes of one group have one name.
            found[given["name"]] = value if before is None else [*_listed(before), value]
    for name, options in re.findall(
        r'<select [^>]*name="(\w+)".*?>(.*?)</select>', form, re.DOTALL
    ):
        found[name] = html.unescape(re.findall(r'value="([^"]*)" selected', options)[0])
    for name, content in re.findall(
        r'<textarea [^>]*name="(\w+)"[^>]*>\n(.*?)</textarea>', form, re.S
    ):
        found[name] = html.unescape(content)
    return found


def _listed(value: str | list[str]) -> list[str]:
    return value if isinstance(value, list) else [value]


class Browser:
    """A browser without JavaScript, with cookies of its own."""

    def __init__(self, app: Any, *, origin: str = HERE) -> None:
        self.client = TestClient(app, base_url=origin, follow_redirects=False)
        self.origin = origin

    def get(self, path: str, **arguments: Any) -> Any:
        """Opens an address."""
        return self.client.get(path, **arguments)

    def send(self, path: str, **fields: Any) -> Any:
        """Sends a form from one of our own pages."""
        return self.client.post(path, data=fields, headers={"Origin": self.origin})

    def sign_in(self, token: str) -> None:
        """Signs in with a token."""
        answer = self.send("/sign-in", token=token)
        assert answer.status_code == 303, answer.text
