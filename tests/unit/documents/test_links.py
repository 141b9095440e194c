"""Every link of a document can be followed in the repository, down to the section."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.unit.documents.documents import DOCUMENTS, FENCED, name_of

LINK = re.compile(r"\]\(([^)\s]+)\)")


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_every_link_leads_to_a_file_and_to_a_section_of_it(path: Path) -> None:
    links = LINK.findall(FENCED.sub("", path.read_text()))
    assert [link for link in links if ":" not in link and not _leads(path, link)] == []


def _leads(path: Path, link: str) -> bool:
    address, _, anchor = link.partition("#")
    target = path.parent / address if address else path
    return target.exists() and (not anchor or anchor in _anchors(target))


@cache
def _anchors(path: Path) -> frozenset[str]:
    """The sections of a document, as GitHub names them in addresses."""
    headings = re.findall(r"^#+ (.+)$", FENCED.sub("", path.read_text()), re.MULTILINE)
    return frozenset(_anchor(heading) for heading in headings)


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def test_links_that_lead_nowhere_are_noticed(tmp_path: Path) -> None:
    document = tmp_path / "document.md"
    document.write_text("# A `name`, and more\n\n```sh\n# no section\n```\n")
    assert _leads(document, "#a-name-and-more")
    assert _leads(document, "document.md")
    assert not _leads(document, "document.md#no-section")
    assert not _leads(document, "other.md")
