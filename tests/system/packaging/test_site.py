"""The site of the documentation: it builds strictly, has every page, and needs no other machine."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, expect

from podium.cli.commands import GROUPS, PANELS, name_of
from tests.builders.processes.browser import NoBrowser, chromium
from tests.places import ROOT

# One process builds for all tests of this file.
pytestmark = pytest.mark.xdist_group("site")

CONFIGURATION = tomllib.loads((ROOT / "zensical.toml").read_text())["project"]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the site is built from, with the site in it."""
    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(ROOT / "docs", folder / "docs")
    for document in [*ROOT.glob("*.md"), ROOT / "zensical.toml"]:
        shutil.copy(document, folder)
    shutil.copytree(ROOT / "app", folder / "app", ignore=shutil.ignore_patterns("__pycache__"))
    zensical = str(Path(sys.executable).with_name("zensical"))
    for command in ([sys.executable, "-m", "docs.generate"], [zensical, "build", "--strict"]):
        run = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=240)
        assert run.returncode == 0, run.stdout + run.stderr
    return folder


def pages(navigation: object) -> Iterator[str]:
    """The pages that a part of the navigation names."""
    if isinstance(navigation, str):
        yield navigation
    elif isinstance(navigation, dict):
        for inner in navigation.values():
            yield from pages(inner)
    elif isinstance(navigation, list):
        for inner in navigation:
            yield from pages(inner)


def test_every_page_is_in_the_navigation_and_every_entry_is_a_page(tree: Path) -> None:
    docs = tree / "build" / "docs"
    written = {str(path.relative_to(docs)) for path in docs.rglob("*.md")}
    # An index has them: the decisions, and the metrics.
    records = {page for page in written if re.match(r"decisions/\d|metrics/", page)}
    assert written - records == set(pages(CONFIGURATION["nav"]))


def test_the_program_that_writes_pages_is_no_part_of_the_site(tree: Path) -> None:
    assert [path.name for path in (tree / "build" / "site").rglob("*.py")] == []


def test_every_link_and_picture_of_the_site_is_there(tree: Path) -> None:
    site = tree / "build" / "site"
    lost = []
    # The page of a wrong address is shown at any depth, so that its links begin with a slash.
    for page in set(site.rglob("*.html")) - {site / "404.html"}:
        for address in re.findall(r'(?:href|src)="([^"#?]+)', page.read_text()):
            is_local = not re.match(r"[a-z]+:", address)
            if is_local and not (page.parent / address).exists():
                lost.append((page.name, address))
    assert lost == []


def test_the_site_loads_nothing_from_another_machine(tree: Path) -> None:
    loading = re.compile(r'<(?:script|img|iframe|link)\b[^>]*\b(?:src|href)="(?:https?:)?//[^"]*"')
    found = [
        loaded
        for page in (tree / "build").rglob("*.html")
        for loaded in loading.findall(page.read_text())
    ]
    assert found == []


def test_metrics_settings_and_operations_are_on_their_pages(tree: Path) -> None:
    generated = tree / "build" / "docs" / "generated"
    index = (generated / "metrics.md").read_text()
    assert "| [`recall_capped@K`](../metrics/recall_capped.md) |" in index
    assert (
        "| `PODIUM_DATA_DIR` | a folder | `podium-data` |"
        in (generated / "settings.md").read_text()
    )
    api = (generated / "operations.md").read_text()
    assert "`POST /api/v1/competitions/{slug}/submissions`" in api
    assert "[Submission](documents.md#Submission)" in api
    assert "## Submission { #Submission }" in (generated / "documents.md").read_text()


def test_formulas_are_read_by_the_browser_itself(tree: Path) -> None:
    page = (tree / "build" / "site" / "metrics" / "ndcg.html").read_text()
    assert '<math xmlns="http://www.w3.org/1998/Math/MathML" display="block">' in page
    assert "<mfrac>" in page
    assert "\\frac" not in page


def test_every_command_is_on_the_page_of_the_command_line(tree: Path) -> None:
    page = (tree / "build" / "docs" / "generated" / "commands.md").read_text()
    named = {name_of(one) for panel in PANELS.values() for one in panel}
    named |= {f"{group} {name}" for group, (_, _, inner) in GROUPS.items() for name in inner}
    assert [name for name in sorted(named) if f"# `podium {name}`\n" not in page] == []
    assert "podium submit [SLUG] --file FILE [OPTIONS]" in page
    assert "| `--wait`, `--no-wait` | – | `--wait` | Wait for the score. |" in page


def test_operations_show_examples_and_documents_what_they_require(tree: Path) -> None:
    generated = tree / "build" / "docs" / "generated"
    submitting = (
        (generated / "operations.md").read_text().split("{ #submit }")[1].split("\n### ")[0]
    )
    assert '"filename": "submission.csv"' in submitting
    documents = (generated / "documents.md").read_text()
    assert "| `daily_limit` | integer | no | `5` |" in documents


def test_the_search_leaves_out_what_no_newcomer_looks_for(tree: Path) -> None:
    index = json.loads((tree / "build" / "site" / "search.json").read_text())
    found = {entry["location"].partition("#")[0] for entry in index["items"]}
    assert {"organizers.html", "formats.html", "help.html", "generated/commands.html"} <= found
    unwanted = re.compile(r"decisions/|generated/(calls-in|changelog|documents|operations)")
    assert [page for page in sorted(found) if unwanted.match(page)] == []


def test_the_client_is_described_by_its_docstrings(tree: Path) -> None:
    page = (tree / "build" / "site" / "generated" / "calls-in-detail.html").read_text()
    assert page.count('class="doc doc-heading"') > 40
    assert "An installation as one account sees it" in page


SOUGHT = {
    "backup": "operators.html#backup",
    "invitation link": "organizers.html#one-invitation-link",
    "ground truth format": "formats.html#ground-truth-format",
    "submission format": "formats.html#submission-format",
    "limit reached": "help.html#limit-reached",
    "tie": "words.html#statistical-tie",
    "PostgreSQL": "operators.html#",
    "troubleshooting": "help.html",
    "forgot password": "help.html#i-forgot-my-password",
    "webhook": "words.html#what-podium-does-not-have",
    "kaggle": "custom-metrics.html#a-metric-from-kaggle-and-a-package",
    "dataset": "words.html#what-it-is-called-elsewhere",
    "late submission": "words.html#late-submission",
    "phase": "words.html#phase",
    "extend deadline": "organizers.html#extend-a-deadline",
    "invite students": "organizers.html#invite-students",
    "redirect uri": "operators.html#",
    "export grades": "organizers.html#export-grades",
    "reset password": "help.html#i-forgot-my-password",
}
"""Words that people search for, and the place to which the first result must lead."""


def test_the_search_finds_the_guides_first(tree: Path) -> None:
    handler = partial(SimpleHTTPRequestHandler, directory=str(tree / "build" / "site"))
    with ExitStack() as stack:
        server = stack.enter_context(ThreadingHTTPServer(("127.0.0.1", 0), handler))
        Thread(target=server.serve_forever, daemon=True).start()
        stack.callback(server.shutdown)
        window = _browser(stack).new_page()
        address = f"http://127.0.0.1:{server.server_port}/"
        window.goto(f"{address}index.html")
        window.get_by_role("button", name="Search").first.click()
        for words, place in SOUGHT.items():
            window.get_by_role("combobox").or_(window.get_by_role("textbox")).first.fill(words)
            page, anchor = place.split("#") if "#" in place else (place, "")
            marked = "|".join({words.replace(" ", r"\+"), quote(words)})
            leads = re.compile(rf"{re.escape(page)}\?h=({marked})#?{anchor}", re.IGNORECASE)
            # Results of the words before are still shown for a moment.
            first = window.locator("a[href*='?h=']").first
            expect(first).to_have_attribute("href", leads, timeout=30_000)


def _browser(stack: ExitStack) -> Browser:
    try:
        return stack.enter_context(chromium())
    except NoBrowser as reason:
        pytest.skip(str(reason))


def test_tables_are_no_wider_than_a_phone(tree: Path) -> None:
    site = tree / "build" / "site"
    measure = "all => all.map(one => [one.scrollWidth, one.clientWidth])"
    with ExitStack() as stack:
        window = _browser(stack).new_page(viewport={"width": 390, "height": 844})
        for page in ("organizers", "sizing", "generated/settings", "generated/commands"):
            window.goto((site / f"{page}.html").as_uri())
            widths = window.locator(".md-typeset__scrollwrap").evaluate_all(measure)
            assert widths
            assert [width for width, there in widths if width > there] == []
        assert window.locator("td[data-column='takes']").first.inner_text() == "text"


def test_a_console_block_is_copied_without_prompts_and_output(tree: Path) -> None:
    page = (tree / "build" / "site" / "participants.html").as_uri()
    with ExitStack() as stack:
        browser = _browser(stack)
        context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
        window = context.new_page()
        window.goto(page)
        block = window.locator("pre", has_text="$ podium ").first
        told = block.locator("code").inner_text()
        block.hover()
        block.locator('[data-md-type="copy"]').click()
        copied = window.evaluate("() => navigator.clipboard.readText()")
    commands = [line.removeprefix("$ ") for line in told.splitlines() if line.startswith("$ ")]
    assert commands[0] in copied.splitlines()
    assert "$ " not in copied
