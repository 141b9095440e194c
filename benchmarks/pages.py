"""`python -m benchmarks.pages`: how soon a browser paints the board of a season, and what it loads.

A new browser window for each visit, so that nothing is kept; the server is on this machine. Prints
Markdown. Aims are only said to be missed, for a machine may be busy.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from statistics import median

from playwright.sync_api import Browser

from benchmarks.report import head
from tests.builders.processes.browser import NoBrowser, chromium

VISITS = 9
PATHS = ("/competitions/otto/leaderboard", "/competitions/otto/charts")
PAINT_AIM, WEIGHT_AIM = 300, 150

LOOK = """() => ({
    paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
    bytes: performance.getEntries().reduce((sum, each) => sum + (each.transferSize ?? 0), 0),
})"""


def main() -> None:
    """Seeds, serves, looks and prints."""
    with tempfile.TemporaryDirectory(prefix="podium-pages-") as folder:
        server = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.boards.server", folder],
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert server.stdout is not None
            address = f"http://127.0.0.1:{server.stdout.readline().strip()}"
            with chromium() as browser:
                report({path: visited(browser, address + path) for path in PATHS})
        except NoBrowser as reason:
            sys.exit(str(reason))
        finally:
            server.terminate()
            server.wait()


def visited(browser: Browser, url: str) -> tuple[float, float]:
    """Median milliseconds to the first paint, and kilobytes, of visits by strangers."""
    paints, weights = [], []
    for _ in range(VISITS):
        page = browser.new_context().new_page()
        page.goto(url)
        page.wait_for_load_state("networkidle")
        seen = page.evaluate(LOOK)
        paints.append(seen["paint"])
        weights.append(seen["bytes"] / 1000)
        page.context.close()
    return median(paints), median(weights)


def report(seen: dict[str, tuple[float, float]]) -> None:
    """Prints the figures beside the aims."""
    print("\n".join(head("Pages in a browser")))
    print("| page | first paint, ms | transferred, kB |\n|---|---|---|")
    for path, (paint, weight) in seen.items():
        print(f"| {path} | {paint:.0f} | {weight:.0f} |")
    total = sum(weight for _, weight in seen.values())
    for aim_text, value, aim in (
        ("first paint of the board, ms", seen[PATHS[0]][0], PAINT_AIM),
        ("board and charts together, kB", total, WEIGHT_AIM),
    ):
        print(f"\n{aim_text}: {value:.0f}, aim {aim}: {'met' if value <= aim else 'MISSED'}")


if __name__ == "__main__":
    main()
