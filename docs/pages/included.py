"""Pages that are documents of the repository, with their links turned."""

from __future__ import annotations

import re
from pathlib import Path

from docs.pages.tables import NOT_SEARCHED

DOCS = Path(__file__).parents[1]
ROOT = DOCS.parent
REPOSITORY = "https://github.com/podium-scorer/podium/blob/main"


def included(path: Path, *, is_found: bool = True) -> str:
    """A document of the repository: links to pages of the site lead there, all others to GitHub.
    The search finds it unless it is told not to."""

    def turned(link: re.Match[str]) -> str:
        address, _, anchor = link[1].partition("#")
        if "://" in address or not address:
            return link[0]
        target = (path.parent / address).resolve()
        if target.is_relative_to(DOCS):
            place = f"../{target.relative_to(DOCS)}"
        else:
            place = f"{REPOSITORY}/{target.relative_to(ROOT)}"
        return f"]({place}{anchor and '#'}{anchor})"

    head = "" if is_found else NOT_SEARCHED
    return head + re.sub(r"\]\(([^)\s]+)\)", turned, path.read_text())
