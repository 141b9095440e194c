"""Writes the pages of the site that come from the product, into `docs/generated`.

Metrics come from their registry, settings from their model, commands from the command line, the API
from its OpenAPI description, and a few pages are documents of the repository with their links
turned. `make docs` runs this.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from docs.pages.api import api, documents
from docs.pages.commands import commands
from docs.pages.included import DOCS, ROOT, included
from docs.pages.product import metrics, problems, settings

PAGES: Mapping[str, Callable[[], str]] = {
    "api": api,
    "architecture": partial(included, ROOT / "app" / "README.md"),
    "changelog": partial(included, ROOT / "CHANGELOG.md", is_found=False),
    "commands": commands,
    "contributing": partial(included, ROOT / "CONTRIBUTING.md"),
    "documents": documents,
    "metrics": metrics,
    "problems": problems,
    "security": partial(included, ROOT / "SECURITY.md"),
    "settings": settings,
}
"""What writes each page, by its name."""


def main() -> None:
    """Writes all pages."""
    folder = DOCS / "generated"
    folder.mkdir(exist_ok=True)
    for name, page in PAGES.items():
        (folder / f"{name}.md").write_text(page())


if __name__ == "__main__":
    main()
