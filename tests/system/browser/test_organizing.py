"""The way of an organizer: draft, ground truth, launch, a mistake put right, close and reveal."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import FilePayload, Page, Route, expect

from podium.competitions.pages.sections import SECTIONS
from tests.builders.installation import ADMIN_TOKEN
from tests.builders.processes.site import Site
from tests.builders.season import SESSIONS, truth_with, until
from tests.system.browser.browsing import PHONE, Windows

pytestmark = pytest.mark.xdist_group("browser-acts")

PHONE_WIDTH = 390

MISTAKEN, RIGHT = truth_with(0), truth_with(1)


def file_for(shift: int) -> bytes:
    """A file that knows all clicks of `truth_with(shift)`, and nothing else."""
    rows = (
        f"{session}_clicks,{session + shift}\n{session}_carts,1\n{session}_orders,1\n"
        for session in SESSIONS
    )
    return ("session_type,labels\n" + "".join(rows)).encode()


def labels(content: bytes) -> FilePayload:
    """A file to choose in the browser."""
    return {"name": "labels.jsonl", "mimeType": "application/jsonl", "buffer": content}


def open_section(page: Page, section: str) -> None:
    """Goes to a section of the organizer's dashboard."""
    page.get_by_role("navigation", name="Organize").get_by_role("link", name=section).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(section)


def confirm(page: Page, slug: str, button: str) -> None:
    """Does what has to be confirmed by typing the competition's name."""
    form = page.locator("form").filter(has=page.get_by_role("button", name=button))
    form.get_by_label(re.compile("^Type")).fill(slug)
    with page.expect_navigation():
        form.get_by_role("button", name=button).click()
    expect(page).to_have_url(re.compile(r"\?done="))


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_an_organizer_runs_a_competition_from_the_draft_to_the_final_ranking(
    site: Site, windows: Windows, scripts: bool
) -> None:
    organizer = site.person(f"olga {scripts}", organizer=True)
    slug = f"fixing-{scripts}".lower()
    board = f"/competitions/{slug}/leaderboard"
    page = windows.open(java_script_enabled=scripts)
    sign_in(page, str(organizer.token))
    launch(page, slug)

    for name, shift in (("Wrong", 0), ("Right", 1)):
        person = site.enters(slug, f"{name} {scripts}")
        site.judged(person, site.sends(person, slug, file_for(shift)))
    page.goto(board)
    expect(page.locator("tbody tr").first).to_contain_text("Team Wrong")

    judge_anew(page, slug)
    page.goto(board)
    expect(page.locator("tbody tr").first).to_contain_text("Team Right")

    page.goto(f"/organize/{slug}")
    confirm(page, slug, "Close the competition")
    page.get_by_role("link", name="Preview the final ranking").click()
    expect(page.get_by_role("row", name="Team Right")).to_be_visible()
    confirm(page, slug, "Reveal the final ranking")
    page.get_by_role("link", name="Show the podium").click()
    expect(page).to_have_url(re.compile(f"/competitions/{slug}/finale$"))
    page.goto(board)
    expect(page.get_by_role("heading", level=1)).to_have_text("Final ranking")
    expect(page.locator("tbody tr").first).to_contain_text("Team Right")


def sign_in(page: Page, token: str) -> None:
    """Is sent to sign in, and back from there."""
    page.goto("/organize")
    page.get_by_label("Token", exact=True).fill(token)
    page.get_by_role("button", name="Sign in with a token").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Organize")


def launch(page: Page, slug: str) -> None:
    """Makes a draft of a preset, loads the mistaken labels, has them checked, and launches."""
    page.get_by_role("link", name="New competition").first.click()
    page.get_by_role("link", name="Fill in the settings by hand").click()
    page.get_by_role("link", name=re.compile("^otto ")).click()
    page.get_by_label("URL slug", exact=True).fill(slug)
    page.get_by_label("Title", exact=True).first.fill("The fixing")
    page.get_by_role("button", name="Create draft").first.click()
    open_section(page, "Ground truth")
    load(page, MISTAKEN)
    expect(page.get_by_role("row", name="Version 1")).to_contain_text("in use")
    open_section(page, "Dashboard")
    page.get_by_role("link", name="Check everything").click()
    expect(page.get_by_text("OK", exact=True).first).to_be_visible()
    expect(page.get_by_text("Problem", exact=True)).to_have_count(0)
    confirm(page, slug, "Launch")
    expect(page.get_by_text("open", exact=True).first).to_be_visible()


def judge_anew(page: Page, slug: str) -> None:
    """Loads the right labels, looks at what they change, and applies them."""
    page.goto(f"/organize/{slug}/ground-truth")
    load(page, RIGHT)
    expect(page.get_by_role("row", name="Version 2 stored")).to_be_visible()
    expect(page.get_by_role("heading", name="Version 2 compared with version 1")).to_be_visible()
    open_section(page, "Rejudging")
    page.get_by_label("Reason").fill("The labels were shifted by one.")
    page.get_by_label("Ground truth").select_option("2")
    page.get_by_role("button", name="Start").click()
    changes = page.get_by_role("region", name="Table: Old and new scores and ranks")
    expect(changes.get_by_role("row", name="Team Right")).to_contain_text(re.compile(r"2\s*→\s*1"))
    confirm(page, slug, "Apply the set")


def test_an_upload_of_which_nothing_goes_through_ends_with_words(
    site: Site, windows: Windows
) -> None:
    windows.forgive("net::ERR_ABORTED")
    site.draft("stalled")
    page = windows.open(ADMIN_TOKEN)
    page.clock.install()
    # The handler of this request never answers, nor hangs up.
    swallowed: list[Route] = []

    def swallow(route: Route) -> None:
        swallowed.append(route)

    page.route("**/api/v1/admin/competitions/stalled/**", swallow)
    page.goto("/organize/stalled/ground-truth")
    load(page, RIGHT)
    until(lambda: page.title() != "" and len(swallowed) == 1)
    page.clock.fast_forward(61_000)
    refusal = page.get_by_role("alert")
    expect(refusal).to_have_text("Nothing went through for a minute. Upload the file again.")
    expect(page.get_by_role("button", name="Upload", exact=True).first).to_be_enabled()


def load(page: Page, content: bytes) -> None:
    """Uploads a ground truth."""
    page.get_by_label("File of the ground truth", exact=True).set_input_files(labels(content))
    page.get_by_role("button", name="Upload", exact=True).first.click()


PICTURE = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
    "0000000c4944415408d763f8cfc000000301010018dd8db00000000049454e44ae426082"
)
"""A red point."""


def test_a_text_is_seen_while_it_is_written_and_takes_a_picture(
    site: Site, windows: Windows
) -> None:
    site.draft("written")
    page = windows.open(ADMIN_TOKEN)
    page.goto("/organize/written/texts")
    seen = page.get_by_role("region", name="Description")
    text = page.get_by_label("Description", exact=False).first
    text.fill("# Aim\n\nPredict $x^2$.\n\n")
    expect(seen.get_by_role("heading", name="Aim")).to_be_visible()
    expect(seen.locator("math")).to_be_visible()
    text.press("Control+End")
    chooser = page.locator("label").filter(has_text="Insert a picture").locator("input").first
    chooser.set_input_files({"name": "the shop.png", "mimeType": "image/png", "buffer": PICTURE})
    picture = seen.get_by_role("img", name="the shop")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") == 1
    page.get_by_role("button", name="Save").click()
    page.goto("/competitions/written")
    expect(page.get_by_role("img", name="the shop")).to_be_visible()
    page.goto("/organize/written/files")
    expect(page.get_by_role("row", name="the-shop.png")).to_be_visible()


def test_a_picture_is_a_paragraph_where_the_cursor_is_or_at_the_end(
    site: Site, windows: Windows
) -> None:
    site.draft("illustrated")
    page = windows.open(ADMIN_TOKEN)
    page.goto("/organize/illustrated/texts")
    text = page.get_by_label("Description", exact=False).first
    text.fill("# Aim\nOne.\nTwo.")
    page.get_by_role("button", name="Save").click()
    page.goto("/organize/illustrated/texts")
    chooser = page.locator("label").filter(has_text="Insert a picture").locator("input").first
    shop: FilePayload = {"name": "shop.png", "mimeType": "image/png", "buffer": PICTURE}
    line = "![shop](/api/v1/competitions/illustrated/files/shop.png)"
    chooser.set_input_files(shop)
    # No cursor has been in the text: it is not torn apart at its beginning.
    expect(text).to_have_value(f"# Aim\nOne.\nTwo.\n\n{line}")
    text.fill("# Aim\nOne.\nTwo.")
    text.press("Control+Home")
    for _ in range(2):
        text.press("ArrowDown")
    chooser.set_input_files(shop)
    expect(text).to_have_value(f"# Aim\nOne.\n\n{line}\n\nTwo.")


def test_what_is_no_picture_stays_out_of_the_text(site: Site, windows: Windows) -> None:
    site.draft("unpictured")
    page = windows.open(ADMIN_TOKEN)
    page.goto("/organize/unpictured/texts")
    chooser = page.locator("label").filter(has_text="Insert a picture").locator("input").first
    for name, kind in (("notes.txt", "text/plain"), ("photo.heic", "image/heic")):
        chooser.set_input_files({"name": name, "mimeType": kind, "buffer": bytes(1000)})
        told = page.get_by_role("status").filter(has_text=f"“{name}” cannot be shown.")
        expect(told).to_contain_text("export a photo in HEIC as JPEG")
        expect(page.locator("textarea").first).to_have_value("")


def test_on_a_phone_every_section_is_behind_the_name_of_the_one_that_is_open(
    site: Site, windows: Windows
) -> None:
    site.draft("pocket")
    page = windows.open(ADMIN_TOKEN, java_script_enabled=False, **PHONE)
    page.goto("/organize/pocket")
    menu = page.get_by_role("navigation", name="Organize")
    expect(menu).to_have_count(1)
    expect(menu.get_by_role("link").filter(visible=True)).to_have_count(0)
    menu.get_by_text("All sections").tap()
    # All but that of the metric, which tables alone have.
    expect(menu.get_by_role("link")).to_have_count(len(SECTIONS) - 1)
    for link in menu.get_by_role("link").all():
        box = link.bounding_box()
        assert box is not None
        assert 0 <= box["x"] <= box["x"] + box["width"] <= PHONE_WIDTH
    menu.get_by_role("link", name="Rejudging").tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("Rejudging")
    expect(menu.get_by_text("Rejudging").first).to_be_visible()


def test_a_time_in_a_form_is_also_told_by_the_clock_of_its_reader(
    site: Site, windows: Windows
) -> None:
    own = "23 Dec 2026, 23:00 CET in your time zone"
    for zone, count in (("Europe/Berlin", 1), ("UTC", 0)):
        page = windows.open(ADMIN_TOKEN, timezone_id=zone)
        page.goto("/organizers/links")
        page.get_by_label("Works until (UTC)").fill("2026-12-23T22:00")
        expect(page.get_by_text(own)).to_have_count(count)
        page.get_by_label("Works until (UTC)").fill("")
        expect(page.get_by_text("in your time zone")).to_have_count(0)


def test_a_ground_truth_is_dropped_anywhere_on_its_box(site: Site, windows: Windows) -> None:
    page = windows.open(ADMIN_TOKEN)
    page.goto("/organizers/new")
    expect(page.get_by_text("or drop it here")).to_be_visible()
    dropped = page.evaluate_handle(
        """() => {
            const data = new DataTransfer();
            data.items.add(new File(["customer,next\\n1,2\\n"], "dropped.csv"));
            return data;
        }"""
    )
    page.locator(".drop").dispatch_event("drop", {"dataTransfer": dropped})
    names = "input => [...input.files].map((file) => file.name)"
    assert page.locator("input[type=file]").evaluate(names) == ["dropped.csv"]
