"""Templates and static files: how every page is rendered, and where its style and scripts are."""

from __future__ import annotations

from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from fastapi import Request
from fastapi.templating import Jinja2Templates
from jinja2 import ChoiceLoader, FileSystemLoader, PrefixLoader

from podium import DOCUMENTATION, __version__
from podium.core.sizes import size_of
from podium.http.html.markdown import rendered
from podium.http.html.qr_codes import qr_code_of
from podium.http.html.table_words import column_words, sample_fields
from podium.http.html.texts import (
    browser_of,
    count_of,
    decimals_of,
    form_words,
    kind_of_task,
    number_words,
    split_words,
    task_words,
    unit_words,
)
from podium.scoring.forms import are_convertible
from podium.scoring.kinds.words import query_words
from podium.scoring.metrics.pages import short_name
from podium.scoring.names import header_of

HERE = Path(__file__).parent
"""Layout, and whatever belongs to no subject."""

SUBJECTS = HERE.parents[1]

MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
"""The kinds of static files that are served, with their types."""


def _folders(name: str) -> dict[str, Path]:
    """Maps subjects to their folders of this name."""
    return {path.parent.name: path for path in sorted(SUBJECTS.glob(f"*/{name}"))}


STATIC: dict[str, Path] = {
    path.name: path
    for folder in (HERE / "static", *_folders("static").values())
    for path in sorted(folder.iterdir())
    if path.suffix in MEDIA_TYPES
}
"""The only static files that are served. Their names are unique: they share one address."""


def _release() -> str:
    content = sha256()
    for name, path in sorted(STATIC.items()):
        content.update(name.encode() + b"\0" + path.read_bytes())
    return content.hexdigest()[:16]


RELEASE = _release()
"""A hash of all static files together. It is a folder in their addresses, so that modules find each
other by relative names, and browsers never mix releases."""


def asset(name: str) -> str:
    """Builds the address of a static file, which may be cached for ever."""
    return f"/static/{RELEASE}/{name}"


def moment(value: str | datetime) -> datetime:
    """Parses a time of a document, or of a row, to UTC."""
    parsed = datetime.fromisoformat(value) if isinstance(value, str) else value
    return parsed.astimezone(UTC)


def _filters() -> dict[str, Any]:
    return {
        "iso": lambda value: moment(value).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "day": lambda value: f"{moment(value):%-d %b %Y, %H:%M} UTC",
        "date_only": lambda value: f"{value:%-d %b %Y}",
        "decimals": decimals_of,
        "metric_words": short_name,
        "kind": kind_of_task,
        "are_convertible": are_convertible,
        "form_words": form_words,
        "number_words": number_words,
        "column_words": column_words,
        "header": header_of,
        "sample_fields": sample_fields,
        "query_words": query_words,
        "split_words": split_words,
        "task_words": task_words,
        "unit_words": unit_words,
        "browser": browser_of,
        "size": size_of,
        "counted": count_of,
        "markdown": rendered,
        "qr_code": qr_code_of,
    }


def _contact(request: Request) -> dict[str, Any]:
    """Adds the contact address of the operator to every page; empty while there is no
    application."""
    application = getattr(request.app.state, "application", None)
    return {"contact": application.settings.contact_address if application else ""}


templates = Jinja2Templates(directory=HERE / "templates", context_processors=[_contact])
templates.env.loader = ChoiceLoader(
    [
        FileSystemLoader(HERE / "templates"),
        # A subject's template is named after it: `teams/enter.html`.
        PrefixLoader(
            {name: FileSystemLoader(path) for name, path in _folders("templates").items()}
        ),
    ]
)
templates.env.globals |= {
    "version": __version__,
    "documentation": DOCUMENTATION,
    "asset": asset,
}
templates.env.filters |= _filters()
templates.env.trim_blocks = templates.env.lstrip_blocks = True
