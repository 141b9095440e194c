"""The pages that come from the product are in the repository as the product has them now."""

from __future__ import annotations

import pytest

from docs.generate import GENERATED, PAGES, page
from docs.pages.markdown import LONGEST_LINE, table, tidied
from tests.unit.documents.documents import DOCUMENTS

RENEW = "run `.venv/bin/python -m docs.generate`, and commit docs/generated"


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_that_of_the_product(name: str) -> None:
    path = GENERATED / f"{name}.md"
    is_current = path.exists() and path.read_text() == page(name)
    assert is_current, f"docs/generated/{name}.md is stale: {RENEW}"


def test_nothing_else_lies_among_the_generated_pages() -> None:
    there = {str(path.relative_to(GENERATED)) for path in GENERATED.rglob("*.*")}
    assert there == {f"{name}.md" for name in PAGES}, RENEW


def test_lines_that_are_no_rows_of_a_table_are_short() -> None:
    long = [
        f"{path.name}:{number}"
        for path in DOCUMENTS
        if path.name != "CHANGELOG.md" and path.parent.name != "results"
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > LONGEST_LINE and not line.startswith("|")
    ]
    assert long == []


def test_pages_are_wrapped_but_for_tables_and_code() -> None:
    long = " ".join(["word"] * 40)
    text = f"# Head\n\n\n{long}\n\n- {long}\n\n| {long} |\n\n```text\n{long}\n\n\n```\n"
    lines = tidied(text).splitlines()
    first, rest = " ".join(["word"] * 26), " ".join(["word"] * 14)
    listed = [f"- {' '.join(['word'] * 25)}", f"  {' '.join(['word'] * 15)}"]
    assert lines[:7] == ["# Head", "", first, rest, "", *listed]
    assert lines[7:] == ["", f"| {long} |", "", "```text", long, "", "", "```"]


def test_a_cell_shows_angle_brackets_and_bars_as_they_are() -> None:
    rows = list(table(("a", "b"), [("<base64>", "`<id>` | x")]))
    assert rows[2] == r"| &lt;base64> | `<id>` \| x |"
