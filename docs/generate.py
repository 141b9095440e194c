"""Writes the pages that come from the product, and all that the site is built from.

The index of metrics comes from their registry, settings from their model, commands from the command
line, the API from its OpenAPI description, calls from the client. These pages are committed, in
`docs/generated`, so that all links can be followed in the repository. The site is built from
`build/docs`: all pages of `docs`, those of metrics with what their classes say, a few documents
that lie elsewhere, and the API and the calls in detail. `make docs` runs this.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from docs.pages.api import api, documents, operations
from docs.pages.client import calls, calls_in_detail
from docs.pages.commands import commands
from docs.pages.competitions import competition_settings
from docs.pages.included import DOCS, INCLUDED, ROOT, included
from docs.pages.markdown import NOT_SEARCHED, tidied
from docs.pages.metrics import metric_index, metric_page
from docs.pages.product import problems, settings
from podium.add_ons import contributed, file_of

GENERATED = DOCS / "generated"
SITE = ROOT / "build" / "docs"

PAGES: Mapping[str, Callable[[], str]] = {
    "api": api,
    "calls": calls,
    "commands": commands,
    "competition-settings": competition_settings,
    "metrics": metric_index,
    "problems": problems,
    "settings": settings,
}
"""What writes each page of the repository, by its name."""

DETAILED: Mapping[str, Callable[[], str]] = {
    "calls-in-detail": calls_in_detail,
    "documents": documents,
    "operations": operations,
}
"""What writes the pages that only the site has, since they are too long for the repository."""


def page(name: str) -> str:
    """A page of the repository."""
    return tidied(PAGES[name]())


def _text_of(path: Path, text: str) -> str:
    return metric_page(path.stem, text) if path.parent == DOCS / "metrics" else text


def main() -> None:
    """Writes all pages, and removes those that are no longer written."""
    shutil.rmtree(GENERATED, ignore_errors=True)
    for name in PAGES:
        path = GENERATED / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page(name))
    shutil.rmtree(SITE, ignore_errors=True)
    shutil.copytree(DOCS, SITE, ignore=shutil.ignore_patterns("*.py", "__pycache__", "pages"))
    pages = {path: path for path in DOCS.rglob("*.md")}
    for key in contributed("metrics"):
        name = f"{key}.md"
        pages[DOCS / "metrics" / name] = file_of("metrics", key, f"docs/metrics/{name}")
    for path, file in pages.items():
        text = _text_of(path, file.read_text())
        (SITE / path.relative_to(DOCS)).write_text(included(path, text))
    for name, path in INCLUDED.items():
        head = NOT_SEARCHED if name == "changelog" else ""
        (SITE / "generated" / f"{name}.md").write_text(head + included(path, path.read_text()))
    for name, write in DETAILED.items():
        (SITE / "generated" / f"{name}.md").write_text(write())


if __name__ == "__main__":
    main()
