"""The transfer sizes of the largest pages of a season of OTTO's size."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.boards.season import write_season
from podium.core.database.engine import Database
from podium.core.database.migrate import migrate
from tests.builders.processes.site import Site
from tests.system.browser.browsing import Windows

pytestmark = pytest.mark.xdist_group("browser-upload")

MAX_BYTES = 150_000


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A server with 2,600 teams on its board."""
    (tmp_path / "data").mkdir()
    url = f"sqlite:///{tmp_path / 'data' / 'podium.sqlite3'}"
    migrate(url)
    database = Database(url)
    write_season(database, "otto", submissions=5_200)
    database.close()
    site = Site(tmp_path)
    site.start()
    yield site
    site.stop()


def test_the_board_and_its_charts_together_weigh_at_most_150_kilobytes(windows: Windows) -> None:
    page = windows.open()
    weight = 0
    for address in ("/competitions/otto/leaderboard", "/competitions/otto/charts"):
        page.goto(address)
        sizes = page.evaluate(
            """() => performance.getEntries().filter((each) => "transferSize" in each)
                .map((each) => [each.name, each.transferSize, each.decodedBodySize])"""
        )
        assert len(sizes) > 1
        # What was kept from the page before is not sent again.
        weight += sum(sent for _, sent, _ in sizes)
        assert all(sent < whole for name, sent, whole in sizes if whole > 4096), sizes
    assert 10_000 < weight <= MAX_BYTES
