"""Small tables that a custom metric scores, worked off by two workers, each on a core.

Wall time depends on what else the machine does; the seconds of processor of each judging, those of
the server included, hardly do: both are told. Starting the workers is measured with a round of few
files, and taken off."""

from __future__ import annotations

import os
import resource
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from statistics import median

from benchmarks.report import Aim
from benchmarks.workers import (
    SEED,
    TOKEN,
    Installation,
    seconds_of,
    serving,
    upload_patiently,
    working,
)
from podium.client import Organizer, Podium

SLUG = "table"
ROWS = 1000
FEW = 2
"""Files of the round that tells what the start of the workers takes."""

FILES_A_MINUTE = {"0": 60, "1": 200}
"""The least number of files that two cores judge in a minute, by PODIUM_WARM_CHILDREN."""

WAYS = {"0": "each child by itself", "1": "warm children"}

METRIC = '''
import pandas as pd

def score(solution: pd.DataFrame, submission: pd.DataFrame, row_id_column_name: str) -> float:
    """The mean distance."""
    return float((solution["y"] - submission["y"]).abs().mean())
'''

SETTINGS = {
    "task": "table",
    "objectives": {"y": 1},
    "id_column": "id",
    "table_columns": [{"name": "y", "type": "number"}],
    "metric": "own_error",
    "split": "usage",
    "daily_limit": 10_000,
}


@dataclass(frozen=True, slots=True)
class Rate:
    """Files a minute, and seconds of processor for each of them."""

    a_minute: float
    processor: float


def measured(files: int, rounds: int) -> list[str]:
    """Lines of a table, and aims, of so many files in either way."""
    cores = sorted(os.sched_getaffinity(0))[:2]
    rates: dict[str, list[Rate]] = {way: [] for way in WAYS}
    with tempfile.TemporaryDirectory(prefix="podium-metrics-") as folder, ExitStack() as stack:
        plain = stack.enter_context(serving(Path(folder), "", {"PODIUM_CUSTOM_METRICS": "on"}))
        here = replace(plain, slug=SLUG)
        file = Path(folder) / "submission.csv"
        ada = stack.enter_context(_participant(here, file))
        for number in range(rounds):
            for way, found in rates.items():
                warm = {"PODIUM_WARM_CHILDREN": way}
                so = replace(here, environment=here.environment | warm)
                found.append(_rate(so, ada, file, files, cores))
                told = f"{found[-1].a_minute:.0f} a minute, {found[-1].processor:.2f} s each"
                print(f"metrics, round {number}, {WAYS[way]}: {told}", file=sys.stderr)
    return _lines({way: _median(found) for way, found in rates.items()})


def _lines(rates: dict[str, Rate]) -> list[str]:
    table = [
        "| small tables by a custom metric | a minute | CPU s each |",
        "| --- | ---: | ---: |",
        *(f"| {WAYS[way]} | {r.a_minute:.0f} | {r.processor:.2f} |" for way, r in rates.items()),
    ]
    aims = [
        aim
        for way, rate in rates.items()
        for least in [FILES_A_MINUTE[way]]
        for aim in (
            Aim(f"tables a minute on two cores, {WAYS[way]}", rate.a_minute, least, at_least=True),
            Aim(f"CPU s of a judging, {WAYS[way]}", rate.processor, 120 / least),
        )
    ]
    head = ["| aim | reached | bound | held |", "| --- | ---: | ---: | --- |"]
    return [*table, "", *head, *(aim.line() for aim in aims)]


def _median(found: list[Rate]) -> Rate:
    return Rate(median(r.a_minute for r in found), median(r.processor for r in found))


def _rate(here: Installation, ada: Podium, file: Path, files: int, cores: list[int]) -> Rate:
    used = _used(here)
    seconds_of(here, ada, file, FEW, cores)
    started = _used(here)
    seconds = seconds_of(here, ada, file, FEW + files, cores)
    beyond = (_used(here) - started) - (started - used)
    return Rate(60 * (FEW + files) / seconds, beyond / files)


def _used(here: Installation) -> float:
    """Seconds of processor of the server, and of all workers that have ended with their
    children."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    fields = Path(f"/proc/{here.process}/stat").read_text().rpartition(")")[2].split()
    ticks = sum(map(int, fields[11:15]))
    return ended.ru_utime + ended.ru_stime + ticks / os.sysconf("SC_CLK_TCK")


@contextmanager
def _participant(here: Installation, file: Path) -> Iterator[Podium]:
    """A participant of a launched competition, and a file to send."""
    random = Random(SEED)
    rows = [(number, round(random.random(), 6)) for number in range(ROWS)]
    file.write_text("id,y\n" + "".join(f"{number},{value}\n" for number, value in rows))
    truth, metric = file.with_name("truth.csv"), file.with_name("metric.py")
    usage = ("Public", "Private")
    lines = [f"{number},{value / 2},{usage[number % 2]}\n" for number, value in rows]
    truth.write_text("id,y,Usage\n" + "".join(lines))
    metric.write_text(METRIC)
    with working(here), Organizer(here.url, TOKEN) as organizer:
        organizer.create_competition(SLUG, "Table", **SETTINGS)
        upload_patiently(organizer, SLUG, truth)
        organizer.upload_custom_metric(SLUG, metric)
        organizer.change_competition(SLUG, own_metric={"version": 1})
        organizer.launch(SLUG)
        token = organizer.create_user("ada")["token"]
    with Podium(here.url, token) as ada:
        ada.create_team(SLUG, "Ada")
        yield ada
