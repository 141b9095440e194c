"""A table and a custom metric in the browser: from the file to the launch, and what a
participant reads of a good file, of one that the metric refuses and of one on which it fails."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import FilePayload, Page, expect

from tests.builders.installation import ADMIN_TOKEN
from tests.builders.processes.site import Site
from tests.builders.season import until
from tests.system.browser.browsing import PHONE, Windows
from tests.system.browser.looking import complaints

pytestmark = pytest.mark.xdist_group("browser-acts")

SOLUTION = "id,y,Usage\n" + "".join(
    f"{100 + row},{row + 1}.5,{'Private' if row % 2 else 'Public'}\n" for row in range(12)
)

GOOD = '''
class ParticipantVisibleError(Exception):
    pass


def score(solution, submission, row_id_column_name, factor: float):
    """The mean distance.

    >>> 1 + 1
    2
    """
    if (submission["y"] > 90).any():
        raise ParticipantVisibleError("y above 90")
    if (submission["y"] == 77).any():
        raise KeyError("a secret of the solution")
    return factor * (solution["y"] - submission["y"]).abs().mean()
'''

UNCLOSED = "def score(solution, submission, row_id_column_name:\n    return 1.0\n"

WRONG_EXAMPLE = GOOD.replace("    2\n", "    3\n")

A_TEXT = GOOD.replace("return factor", 'return "0.5"  # factor')


def draft(site: Site, slug: str) -> str:
    """A draft of a table with its solution; the address of its metric's page."""
    body = {
        "slug": slug,
        "title": "Prices",
        "task": "table",
        "objectives": {"y": 1},
        "id_column": "id",
        "table_columns": [{"name": "y", "type": "number"}],
        "metric": "own_error",
        "split": "usage",
        "daily_limit": 5,
    }
    assert site.admin.post("/admin/competitions", json=body).status_code == 201
    answer = site.admin.post(f"/admin/competitions/{slug}/ground-truth", content=SOLUTION)
    assert answer.status_code in (201, 202), answer.text
    listed = f"/admin/competitions/{slug}/metric-files"
    refusal = site.admin.get(listed).json()["refusal"]
    if refusal is not None:
        pytest.skip(refusal)
    return f"/organize/{slug}/metric"


def keep(page: Page, source: str) -> None:
    """Sends what stands in the editor, and waits until it was checked."""
    page.get_by_label("Python").fill(source)
    page.get_by_role("button", name=re.compile("^Check and keep as")).click()
    expect(page.get_by_text("The file is being checked")).to_have_count(0)


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_an_organizer_writes_a_metric_until_it_is_good(
    site: Site, windows: Windows, scripts: bool
) -> None:
    address = draft(site, f"prices-{scripts}".lower())
    page = windows.open(ADMIN_TOKEN, java_script_enabled=scripts)
    page.goto(address)
    editor = page.get_by_label("Python")
    expect(editor).to_have_value(re.compile("ParticipantVisibleError"))
    for source, line, words in (
        (UNCLOSED, "1", "'(' was never closed"),
        (WRONG_EXAMPLE, "9", "expected 3, got 2"),
    ):
        keep(page, source)
        expect(page.get_by_role("row", name=re.compile(f"^{line} "))).to_contain_text(words)
        expect(editor).to_have_value(source)
    keep(page, A_TEXT)
    page.locator("#use-argument-factor").fill("1")
    page.get_by_role("button", name="Run on the sample with these arguments").click()
    expect(page.get_by_role("row", name="Public")).to_contain_text("score is str, not a number")
    keep(page, GOOD)
    page.get_by_role("link", name="Use … version 2").click()
    page.locator("#use-argument-factor").fill("2")
    page.get_by_label("Participants may read the source").check()
    page.get_by_role("button", name="Run on the sample with these arguments").click()
    expect(page.get_by_role("row", name="Public")).to_contain_text("13.0")
    if scripts:
        assert complaints(page) == []
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("row", name="Version 2")).to_contain_text("scores")
    page.get_by_role("link", name="Differences of version 2").click()
    expect(page.get_by_text('-    return "0.5"  # factor', exact=False)).to_be_visible()


def test_a_participant_learns_what_the_metric_does_and_what_it_said(
    site: Site, windows: Windows
) -> None:
    slug = "prices-played"
    draft(site, slug)
    way = f"/admin/competitions/{slug}"
    own = {"version": 1, "arguments": {"factor": 2}}
    answer = site.admin.post(f"{way}/metric-files", content=GOOD)
    assert answer.status_code in (201, 202), answer.text
    until(lambda: site.admin.get(f"{way}/metric-files/1").status_code == 200)
    changed = site.admin.patch(way, json={"own_metric": own, "metric_source_is_public": True})
    assert changed.status_code == 200, changed.text
    until(lambda: site.admin.post(f"{way}/launch").status_code in (200, 409), seconds=300)
    ada = site.enters(slug, "price ada")
    page = windows.open(ada.token, **PHONE)
    page.goto(f"/competitions/{slug}")
    page.get_by_role("link", name="A custom metric of the organizers").click()
    expect(page.get_by_text("factor = 2")).to_be_visible()
    expect(page.get_by_text("--metric-argument factor=2")).to_be_visible()
    expect(page.get_by_label("Source of the metric")).to_contain_text("The mean distance.")
    for value, state, words in (
        (1, "scored", "Public score"),
        (91, "rejected", "y above 90"),
        (77, "failed", "The organizers' metric failed with this file."),
    ):
        send(page, slug, value)
        expect(page.locator(".submission-facts")).to_contain_text(state)
        expect(page.get_by_text(words).first).to_be_visible()
        expect(page.get_by_text("a secret of the solution")).to_have_count(0)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.goto(f"/competitions/{slug}/submit")
    expect(page.get_by_text("2 of 5")).to_be_visible()
    organizer = windows.open(ADMIN_TOKEN)
    organizer.goto(f"/organize/{slug}/submissions?state=failed")
    organizer.get_by_role("main").locator("table a").first.click()
    expect(organizer.get_by_text("a secret of the solution").first).to_be_visible()
    organizer.get_by_role("button", name="Return slot").click()
    expect(organizer.get_by_text("does not count", exact=True)).to_be_visible()
    expect(organizer.get_by_role("button", name="Return slot")).to_have_count(0)
    page.reload()
    expect(page.get_by_text("3 of 5")).to_be_visible()


def send(page: Page, slug: str, value: float) -> None:
    """Submits a file with this number everywhere, and waits for its verdict."""
    rows = "".join(f"{100 + row},{value}\n" for row in range(12))
    file: FilePayload = {
        "name": f"prices-{value}.csv",
        "mimeType": "text/csv",
        "buffer": f"id,y\n{rows}".encode(),
    }
    page.goto(f"/competitions/{slug}/submit")
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page).to_have_url(re.compile("/submissions/"))
    expect(page.locator("#live")).to_have_count(0)
