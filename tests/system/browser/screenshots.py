"""`make screenshots`: pictures of the pages for the README and the site, taken of a made-up season.

`python -m tests.system.browser.screenshots [FOLDER]` also takes every page that the tests know,
wide and as a phone shows it, in both colors, into the folder.
"""

from __future__ import annotations

import random
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, FilePayload, Page, expect

from benchmarks.boards.season import write_season
from podium.core.database.engine import Database
from podium.core.database.migrate import migrate
from podium.core.models import Competition, Team
from podium.core.names import name_key
from tests.builders.machine.link import Link
from tests.builders.processes.browser import NoBrowser, chromium
from tests.builders.processes.long_upload import labels, slow_down, submission
from tests.builders.processes.site import Site
from tests.builders.season import until
from tests.places import ROOT
from tests.system.browser.browsing import PHONE, Windows
from tests.system.browser.fair import SETTINGS, Fair, fill
from tests.system.browser.pages import visits

TEAMS, SUBMISSIONS = 80, 2_000

FIRST = ["Hidden", "Lucky", "Cold", "Greedy", "Silent", "Tiny", "Deep", "Lazy", "Random", "Brave"]
SECOND = ["Baskets", "Clicks", "Carts", "Sessions", "Neighbors", "Factors", "Walks", "Rankers"]

CHANCES = {
    "Deep Walks": 0.42,
    "Cold Carts": 0.40,
    "Lucky Rankers": 0.38,
    "Tiny Factors": 0.36,
    "Brave Sessions": 0.34,
    "Lazy Clicks": 0.32,
}
"""The share of sessions in which each team of a course finds what comes next."""

LIGHT: dict[str, Any] = {"viewport": {"width": 1200, "height": 860}}
DARK: dict[str, Any] = {**LIGHT, "color_scheme": "dark"}

PICTURES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "board": ("participant", "/competitions/otto/leaderboard", LIGHT),
    "final": ("participant", "/competitions/course/leaderboard", LIGHT),
    "submission": ("participant", "/competitions/shop/submissions/{rejected_id}", LIGHT),
    "organize": ("administrator", "/organize/course/rejudgings/{course_rejudging}", LIGHT),
    "finale": ("participant", "/competitions/course/finale", LIGHT),
}
"""The pictures of the README: whose window, where, and what kind of window."""


def main(folder: Path | None) -> None:
    """Plays a season, and takes the pictures."""
    with tempfile.TemporaryDirectory(prefix="podium-screenshots-") as made:
        site = Site(Path(made), **SETTINGS)
        write_rows(Path(made) / "data")
        site.start()
        try:
            fair = fill(site)
            course = {"course_rejudging": play_course(site)}
            with chromium() as browser:
                for_readme(Windows(browser, site.address), fair, fair.objects | course)
                interrupted(browser, site)
                if folder is not None:
                    of_all_pages(Windows(browser, site.address), fair, folder)
        except NoBrowser as reason:
            sys.exit(str(reason))
        finally:
            site.stop()


def write_rows(data: Path) -> None:
    """A season of a middling size, with names of teams that one can tell apart."""
    data.mkdir()
    url = f"sqlite:///{data / 'podium.sqlite3'}"
    migrate(url)
    database = Database(url)
    write_season(database, "otto", teams=TEAMS, submissions=SUBMISSIONS)
    names = [f"{first} {second}" for first in FIRST for second in SECOND]
    with database.write() as session:
        session.query(Competition).one().title = "OTTO recommender challenge"
        for team, name in zip(session.query(Team).all(), names, strict=True):
            team.name, team.name_key = name, name_key(name)
    database.close()


def play_course(site: Site) -> str:
    """A course of six teams with its final ranking: some are too close to tell apart. Answers the
    id of a rejudging that corrects the labels of every fifth session."""
    chance = random.Random(20)
    sessions = range(600)
    site.draft("course", preset="otto-clicks", title="What they click next, spring course")
    site.upload_truth("course", clicks(sessions, {}))
    site.acts("course", "launch")
    for name, likely in CHANCES.items():
        person = site.person(name.lower())
        entry = {"name": name, "accept_rules": True}
        assert person.post("/competitions/course/teams", json=entry).is_success
        found = [n if chance.random() < likely else 10_000 + n for n in sessions]
        rows = b"".join(b"%d,%d\n" % each for each in zip(sessions, found, strict=True))
        site.judged(person, site.sends(person, "course", b"session,labels\n" + rows))
    site.acts("course", "close")
    site.acts("course", "reveal")
    site.upload_truth("course", clicks(sessions, {n: 10_000 + n for n in sessions[::5]}))
    why = {"reason": "Every fifth session had the label of another one.", "ground_truth_version": 2}
    rejudging: str = site.acts("course", "rejudgings", **why)["id"]
    until(lambda: site.admin.get(f"/admin/rejudgings/{rejudging}").json()["status"] == "ready")
    return rejudging


def clicks(sessions: range, corrected: dict[int, int]) -> bytes:
    """A ground truth in which sessions click the item of their number, but for the corrected."""
    line = b'{"session": %d, "labels": {"clicks": %d}}\n'
    return b"".join(line % (n, corrected.get(n, n)) for n in sessions)


def interrupted(browser: Browser, site: Site) -> None:
    """Takes the picture of an upload whose connection breaks half-way."""
    site.draft("big", preset="otto-clicks", title="What they click next")
    site.upload_truth("big", labels())
    site.acts("big", "launch")
    person, link = site.enters("big", "slow"), Link(site.port)
    windows = Windows(browser, f"http://127.0.0.1:{link.port}")
    page = windows.open(person.token, **LIGHT)
    file: FilePayload = {"name": "covisitation.csv", "mimeType": "text/csv", "buffer": submission()}
    slow_down(page.context.new_cdp_session(page))
    page.goto("/competitions/big/submit")
    page.get_by_label(re.compile("^File CSV")).set_input_files(file)
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.locator("#sending-facts")).to_have_text(re.compile(r"^[5-8]\d %"))
    link.cut()
    expect(page.locator("#sending-state")).to_contain_text("Resuming")
    page.screenshot(path=ROOT / "docs" / "images" / "upload.png")
    windows.close()


def for_readme(windows: Windows, fair: Fair, objects: dict[str, str]) -> None:
    """Takes the pictures that the README shows."""
    for name, (role, address, kind) in PICTURES.items():
        page = windows.open(fair.token_of(role), **kind)
        page.goto(address.format_map(objects))
        take(page, ROOT / "docs" / "images" / f"{name}.png")
    windows.close()


def of_all_pages(windows: Windows, fair: Fair, folder: Path) -> None:
    """Takes every page three times."""
    kinds = {"light": LIGHT, "dark": DARK, "phone": PHONE}
    for kind, options in kinds.items():
        (folder / kind).mkdir(parents=True, exist_ok=True)
        for role in ("nobody", "participant", "administrator"):
            page = windows.open(fair.token_of(role), **options)
            for number, visit in enumerate(visits()):
                if visit.role == role:
                    page.goto(visit.address(fair))
                    name = visit.route.strip("/").replace("/", "_") or "index"
                    take(page, folder / kind / f"{number:02} {name}.png", whole=True)
            page.close()
    windows.close()


def take(page: Page, path: Path, *, whole: bool = False) -> None:
    """Takes a picture of what the window shows, or of the whole page."""
    page.wait_for_load_state("networkidle")
    page.screenshot(path=path, full_page=whole)
    sys.stderr.write(f"{path}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
