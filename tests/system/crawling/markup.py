"""Everything that a page refers to: links, forms and their buttons, pictures, scripts, feeds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urlencode, urljoin

ADDRESSES = ("href", "src", "poster", "data", "cite", "action", "formaction")
"""Attributes that hold one address, whatever the tag; those of forms are looked at apart."""

OF_FORMS = ("action", "formaction")

SCRIPTED = "data-"
"""Attributes that begin like this are for scripts; they may hold an address too."""

_CSS = re.compile(r"""url\(\s*['"]?([^'")]+)|@import\s+['"]([^'"]+)""")
_MODULE = re.compile(r"""(?:from|import)\s*\(?\s*["'](\.{0,2}/[^"']+)["']""")
_XML = re.compile(r"""(?:href|src)="([^"]+)"|<id>(https?://[^<]+)</id>""")
_REFRESH = re.compile(r"url\s*=\s*['\"]?([^'\";]+)", re.IGNORECASE)

Attributes = dict[str, str]


@dataclass(frozen=True)
class Reference:
    """An address to which a page sends a browser, and how."""

    method: str
    address: str


@dataclass
class _Form:
    method: str
    action: str
    fields: list[tuple[str, str]] = field(default_factory=list)
    choices: dict[str, list[str]] = field(default_factory=dict)

    def queries(self) -> Iterator[str]:
        """The query as it stands, then with each of the available choices."""
        yield urlencode(self.fields)
        for name, values in self.choices.items():
            others = [pair for pair in self.fields if pair[0] != name]
            for value in values:
                yield urlencode([*others, (name, value)])


class Document(HTMLParser):
    """A page of HTML that is at an address. What a menu or `<details>` hides is there as well."""

    def __init__(self, address: str, text: str) -> None:
        super().__init__()
        self._base = address
        self.ids: set[str] = set()
        self.references: list[Reference] = []
        self._forms: dict[str, _Form] = {}
        self._form: _Form | None = None
        self._choosing: tuple[_Form, str] | None = None
        self._in_style = False
        self.feed(text)
        for form in self._forms.values():
            self._ask(form, form.action)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Takes what a tag names."""
        given = {name: value or "" for name, value in attrs}
        self.ids |= {given["id"]} if "id" in given else set()
        self._in_style = tag == "style"
        if tag == "base":
            self._base = urljoin(self._base, given.get("href", ""))
        if tag == "form":
            self._open(given)
        for name in ADDRESSES:
            if name in given and name not in OF_FORMS and not (tag == "base" and name == "href"):
                self._refer("GET", given[name])
        for candidate in given.get("srcset", "").split(","):
            if candidate.strip():
                self._refer("GET", candidate.split()[0])
        self._refer_from_text(given.get("style", ""), _CSS)
        if given.get("http-equiv", "").lower() == "refresh":
            self._refer_from_text(given.get("content", ""), _REFRESH)
        self._take_scripted(given)
        self._take_field(tag, given)

    def handle_endtag(self, tag: str) -> None:
        """Notes where forms and selections end."""
        if tag == "form":
            self._form = None
        if tag == "select":
            self._choosing = None
        self._in_style = False

    def handle_data(self, data: str) -> None:
        """Takes what a style sheet within the page refers to."""
        if self._in_style:
            self._refer_from_text(data, _CSS)

    def _open(self, given: Attributes) -> None:
        method = given.get("method", "get").upper()
        self._form = _Form(method, given.get("action", ""))
        self._forms[given.get("id") or f"#{len(self._forms)}"] = self._form

    def _take_scripted(self, given: Attributes) -> None:
        for name, value in given.items():
            if name.startswith(SCRIPTED) and value.startswith("/"):
                is_sent = name == "data-upload"
                self._refer(given.get("data-method", "POST") if is_sent else "GET", value)

    def _take_field(self, tag: str, given: Attributes) -> None:
        form = self._forms.get(given["form"]) if "form" in given else self._form
        if form is None:
            return
        if "formaction" in given:
            self._ask(form, given["formaction"], given.get("formmethod", form.method).upper())
        name, value = given.get("name", ""), given.get("value", "")
        kind = given.get("type", "submit" if tag == "button" else "text")
        if tag == "select":
            self._choosing = (form, name)
        elif tag == "option" and self._choosing is not None:
            chosen, field_name = self._choosing
            chosen.choices.setdefault(field_name, []).append(value)
            if "selected" in given:
                chosen.fields.append((field_name, value))
        elif not name or tag not in ("input", "button", "textarea") or "disabled" in given:
            return
        elif kind in ("radio", "checkbox", "submit"):
            form.choices.setdefault(name, []).append(value or "on")
            if "checked" in given:
                form.fields.append((name, value or "on"))
        else:
            form.fields.append((name, value))

    def _ask(self, form: _Form, action: str, method: str | None = None) -> None:
        way = method or form.method
        if way == "DIALOG":
            return
        if way != "GET":
            self._refer(way, action or self._base)
            return
        for query in form.queries():
            self._refer("GET", urljoin(self._base, action or "?").partition("?")[0] + "?" + query)

    def _refer(self, method: str, address: str) -> None:
        self.references.append(Reference(method.upper(), urljoin(self._base, address.strip())))

    def _refer_from_text(self, text: str, pattern: re.Pattern[str]) -> None:
        for match in pattern.finditer(text):
            self._refer("GET", next(group for group in match.groups() if group))


def references_of(address: str, kind: str, text: str) -> tuple[list[Reference], set[str] | None]:
    """The references of an answer of this media type, and the ids that it has; None without
    HTML."""
    if kind.startswith("text/html"):
        document = Document(address, text)
        return document.references, document.ids
    pattern = {"text/css": _CSS, "text/javascript": _MODULE, "application/atom+xml": _XML}.get(
        kind.partition(";")[0]
    )
    found = pattern.finditer(text) if pattern else ()
    named = (next(group for group in match.groups() if group) for match in found)
    return [Reference("GET", urljoin(address, one.replace("&amp;", "&"))) for one in named], None
