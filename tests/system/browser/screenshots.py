"""`make screenshots`: pictures of the pages for the README and the site, taken of a made-up season.

`python -m tests.system.browser.screenshots [FOLDER]` also takes every page that the tests know,
wide and as a phone shows it, in both colours, into the folder.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from benchmarks.boards.season import write_season
from podium.core.database.engine import Database
from podium.core.database.migrate import migrate
from podium.core.models import Competition, Team
from podium.core.names import name_key
from tests.builders.processes.browser import NoBrowser, chromium
from tests.builders.processes.site import Site
from tests.places import ROOT
from tests.system.browser.browsing import PHONE, Windows
from tests.system.browser.fair import Fair, fill
from tests.system.browser.pages import visits

TEAMS, SUBMISSIONS = 80, 2_000

FIRST = ["Hidden", "Lucky", "Cold", "Greedy", "Silent", "Tiny", "Deep", "Lazy", "Random", "Brave"]
SECOND = ["Baskets", "Clicks", "Carts", "Sessions", "Neighbours", "Factors", "Walks", "Rankers"]

LIGHT: dict[str, Any] = {"viewport": {"width": 1200, "height": 860}}
DARK: dict[str, Any] = {**LIGHT, "color_scheme": "dark"}

PICTURES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "board": ("participant", "/competitions/otto/leaderboard", LIGHT),
    "final": ("participant", "/competitions/past/leaderboard", LIGHT),
    "charts": ("participant", "/competitions/otto/charts", DARK),
    "submission": ("participant", "/competitions/shop/submissions/{rejected_id}", LIGHT),
    "organize": ("administrator", "/organize/shop/rejudgings/{rejudging_id}", LIGHT),
    "phone": ("participant", "/competitions/otto/leaderboard", PHONE),
}
"""The pictures of the README: whose window, where, and what kind of window."""


def main(folder: Path | None) -> None:
    """Plays a season, and takes the pictures."""
    with tempfile.TemporaryDirectory(prefix="podium-screenshots-") as made:
        site = Site(Path(made))
        write_rows(Path(made) / "data")
        site.start()
        try:
            fair = fill(site)
            with chromium() as browser:
                for_readme(Windows(browser, site.address), fair)
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


def for_readme(windows: Windows, fair: Fair) -> None:
    """Takes the pictures that the README shows."""
    for name, (role, address, kind) in PICTURES.items():
        page = windows.open(fair.token_of(role), **kind)
        page.goto(address.format_map(fair.objects))
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
