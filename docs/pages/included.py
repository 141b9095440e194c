"""Documents of the repository as pages of the site, with their links turned."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from podium import REPOSITORY
from podium.http.html.markdown import formula

DOCS = Path(__file__).parents[1]
ROOT = DOCS.parent

INCLUDED: Mapping[str, Path] = {
    "architecture": ROOT / "app" / "podium" / "README.md",
    "changelog": ROOT / "CHANGELOG.md",
    "contributing": ROOT / "CONTRIBUTING.md",
    "security": ROOT / "SECURITY.md",
}
"""Documents that lie elsewhere, by the names of their pages."""

PLACES = {path: f"generated/{name}.md" for name, path in INCLUDED.items()}


def included(path: Path, text: str) -> str:
    """The text of the document of the repository at this path: links to pages of the site lead
    there, all others to GitHub, and formulas are MathML."""
    folder = Path(_place(path) or "").parent

    def turned(link: re.Match[str]) -> str:
        address, _, anchor = link[1].partition("#")
        if "://" in address or not address:
            return link[0]
        target = (path.parent / address).resolve()
        if place := _place(target):
            leads = Path(os.path.relpath(place, folder)).as_posix()
        else:
            leads = f"{REPOSITORY}/blob/main/{target.relative_to(ROOT)}"
        return f"]({leads}{anchor and '#'}{anchor})"

    text = re.sub(r"\]\(([^)\s]+)\)", turned, text)
    return re.sub(r"^```math\n(.*?)\n```$", _with_mathml, text, flags=re.DOTALL | re.MULTILINE)


def _with_mathml(fence: re.Match[str]) -> str:
    return f"<div>{formula(fence[1], {'display_mode': True})}</div>"


def _place(path: Path) -> str | None:
    """The file's place in the site, if it has one."""
    if path.is_relative_to(DOCS):
        return str(path.relative_to(DOCS))
    return PLACES.get(path)
