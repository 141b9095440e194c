"""`python -m benchmarks.soak --seconds N`: the cluster under a steady load, with kills on the way.

One replica and one worker are killed (-9) and started again in turn; the other ones live through
all of it, and their memory and descriptors must not grow. How they grow is the slope of a straight
line through the second half of the run, when caches and pools are full. A short run says little:
the page says how long it was. In the end everything must have its right verdict.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle
from statistics import linear_regression

import httpx2

from benchmarks import report
from benchmarks.load.checker import drain, faults
from benchmarks.load.clients import Planned, Sent, replay
from benchmarks.load.season import DAILY_LIMIT, KINDS, SLUG, Entrant, enter_teams
from benchmarks.load.stage import Sample, Watch, be_polite, cluster
from podium.core.database.engine import Database
from tests.builders.cluster import Cluster

KILLED = ("worker-1", "api-1")
LIVING = ("api-2", "worker-2")

ROUND_SECONDS = 5.0
"""Uploads of one round are spread over it; a board is looked at in each."""

DRAIN_SECONDS = 600.0


@dataclass(frozen=True, slots=True)
class Growth:
    """The growth of one process that lived through the run: bytes and descriptors, at the middle
    and the end, and what a straight line through the second half grows by in an hour."""

    name: str
    rss: tuple[int, int]
    descriptors: tuple[int, int]
    rss_an_hour: float
    descriptors_an_hour: float


def main(argv: list[str]) -> None:
    """Starts the cluster, loads it, writes."""
    options = _options(argv)
    with cluster() as here:
        database = Database(here.database_url)
        needed = int(options.seconds * options.rate / DAILY_LIMIT) + 1
        entrants = enter_teams(database, max(needed, 10))
        with Watch(here, every_seconds=1.0) as watch:
            began = time.monotonic()
            sent, kills = _load(here, entrants, options)
            took = time.monotonic() - began
            here.parts["worker-1"].kill()
            here.parts["worker-1"].start()
            drained = drain(database, seconds=DRAIN_SECONDS)
        growths = [growth_of(name, watch.samples[name], began, took) for name in LIVING]
        # An upload to a replica that is killed has no answer; whether it was taken in is for the
        # database to say, and the client may ask again.
        wrong = faults(database, sent, here.addresses[1])
        database.close()
    lines = _page(took, kills, sent, growths, drained.waiting, wrong)
    report.publish("soak", lines, is_kept=options.write)
    if wrong or drained.waiting:
        sys.exit(f"{len(wrong)} faults, {drained.waiting} without a verdict")


def growth_of(name: str, samples: Sequence[Sample], began: float, took: float) -> Growth:
    """The growth of a process in the second half of the run."""
    half = [each for each in samples if began + took / 2 <= each.at <= began + took]
    if len(half) < 2 or len({each.pid for each in half}) != 1:
        raise ValueError(f"{name} did not live through the second half of the run")
    hours = [each.at / 3600 for each in half]
    rss = linear_regression(hours, [float(each.rss) for each in half]).slope
    descriptors = linear_regression(hours, [float(each.descriptors) for each in half]).slope
    first, last = half[0], half[-1]
    return Growth(
        name,
        (first.rss, last.rss),
        (first.descriptors, last.descriptors),
        rss,
        descriptors,
    )


def _load(
    here: Cluster, entrants: Sequence[Entrant], options: argparse.Namespace
) -> tuple[list[Sent], int]:
    """Uploads, looks and kills until the time is over; answers what came of them."""
    turns, sent, kills, number = cycle(KILLED), list[Sent](), 0, 0
    until = time.monotonic() + options.seconds
    next_kill = time.monotonic() + options.kill_every
    while time.monotonic() < until:
        began = time.monotonic()
        count = max(1, round(options.rate * ROUND_SECONDS))
        planned = [
            Planned(
                place * ROUND_SECONDS / count,
                entrants[(number + place) // DAILY_LIMIT % len(entrants)],
                (number + place) % len(KINDS),
                number + place,
            )
            for place in range(count)
        ]
        number += count
        sent += replay(planned, here.addresses[:2])
        httpx2.get(
            f"{here.addresses[1]}/api/v1/competitions/{SLUG}/leaderboard", timeout=60
        ).raise_for_status()
        if time.monotonic() > next_kill:
            next_kill += options.kill_every
            name = next(turns)
            here.parts[name].kill()
            here.parts[name].start()
            be_polite(here, name)
            kills += 1
        # The next round begins at its time, or teams run out of slots and are only turned away.
        time.sleep(max(0.0, began + ROUND_SECONDS - time.monotonic()))
    return sent, kills


def _page(
    took: float,
    kills: int,
    sent: Sequence[Sent],
    growths: Sequence[Growth],
    waiting: int,
    wrong: Sequence[str],
) -> list[str]:
    statuses = Counter(each.status for each in sent)
    told = ", ".join(f"{count} × {status or 'no'} answer" for status, count in statuses.items())
    return [
        *report.head("Soak"),
        f"{took / 60:.1f} minutes, {len(sent)} uploads ({told}), {kills} times kill -9;"
        " what has no answer met a replica that was just down."
        f" In the end {waiting} judgings had no verdict, and the checker"
        f" found {len(wrong)} faults. Growth is that of the second half; a run of minutes cannot"
        " show less than some MiB an hour.",
        "",
        "| process | MiB, middle → end | MiB an hour | descriptors | an hour |",
        "| --- | ---: | ---: | ---: | ---: |",
        *(
            f"| {each.name} | {each.rss[0] / (1 << 20):.1f} → {each.rss[1] / (1 << 20):.1f} |"
            f" {each.rss_an_hour / (1 << 20):+.1f} |"
            f" {each.descriptors[0]} → {each.descriptors[1]} | {each.descriptors_an_hour:+.1f} |"
            for each in growths
        ),
        "",
        *(f"- fault: {each}" for each in wrong[:20]),
    ]


def _options(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak")
    parser.add_argument("--seconds", type=float, default=180.0)
    parser.add_argument("--rate", type=float, default=0.5, help="uploads a second")
    parser.add_argument("--kill-every", type=float, default=20.0, help="seconds")
    report.add_write(parser)
    return parser.parse_args(argv)


if __name__ == "__main__":
    main(sys.argv[1:])
