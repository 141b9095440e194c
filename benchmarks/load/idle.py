"""`python -m benchmarks.load.idle`: what an installation costs while nothing happens, how soon it
starts a judging then, and how fast it works off a burst.

`podium serve` with SQLite, all in one process, and a server and a worker with PostgreSQL. Processor
time and wake-ups (switches of context that a thread chose) are the kernel's, of all threads and
children. With `--before PYTHON`, the interpreter of another version's environment, that version
stands idle at the same time and gets its files in turn. A latency is from a judging's row to its
lease, so that the commit is part of it. Prints Markdown; progress goes to stderr.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks import report
from benchmarks.load.probe import percentile
from benchmarks.report import Aim
from benchmarks.workers import (
    ITEMS,
    SEED,
    WAIT_SECONDS,
    Installation,
    moments,
    participant,
    serving,
    working,
)
from podium.client import Podium
from podium.otto.submissions import write_submission
from podium.otto.synthetic import synthesize
from tests.builders.servers import postgres

SESSIONS = 1_000
SETTLE_SECONDS = 15.0
"""Seconds after which nothing of the start goes on, such as a warm process."""

MAX_OF_A_CORE, MAX_SECONDS = 0.5, 0.1
"""Percent of a core for each process, and the median of latencies."""

TICKS = os.sysconf("SC_CLK_TCK")

Used = tuple[float, int]
"""Seconds of processor, and wake-ups."""


@dataclass
class Contestant:
    """One version with one database."""

    version: str
    database: str
    here: Installation
    ada: Podium
    processes: dict[str, int]
    """Numbers of those that stand idle."""

    idle: dict[str, tuple[float, float]] = field(default_factory=dict)
    """Percent of a core, and wake-ups a second, of each process."""

    latencies: list[float] = field(default_factory=list)
    files_a_minute: float = 0.0


def main(argv: list[str]) -> None:
    """Starts the installations, measures, prints."""
    options = _options(argv)
    versions = {"now": sys.executable} | ({"before": options.before} if options.before else {})
    with tempfile.TemporaryDirectory(prefix="podium-idle-") as folder, ExitStack() as stack:
        labels = Path(folder) / "files"
        synthesize(labels, sessions=SESSIONS, seed=SEED, items=ITEMS, labels_only=True)
        file, truth = labels / "submission.csv", labels / "test_labels.jsonl"
        write_submission(file, sessions=SESSIONS, seed=SEED, items=ITEMS)
        server, stop = postgres.start()
        stack.callback(stop)
        found = [
            contestant
            for version, python in versions.items()
            for contestant in _standing(stack, Path(folder) / version, server, python, truth)
        ]
        _stand_idle(found, options.seconds)
        for contestant in found * options.files:
            contestant.latencies.append(_latency(contestant, file))
        for contestant in found:
            contestant.files_a_minute = _burst(contestant, file, options.files)
        lines = [*report.head("Idle"), *_table(found)]
        report.publish("idle", lines, is_kept=options.write)


def _standing(
    stack: ExitStack, folder: Path, server: str, python: str, truth: Path
) -> Iterator[Contestant]:
    """The version that the folder is named after, with either database."""
    version = folder.name
    for name in ("sqlite", "postgresql"):
        (folder / name).mkdir(parents=True)
    one = stack.enter_context(serving(folder / "sqlite", "", python=python, options=()))
    ada = stack.enter_context(participant(one, truth))
    yield Contestant(version, "SQLite", one, ada, {"serve": one.process})
    url = stack.enter_context(postgres.made(server, f"idle_{version}"))
    apart = stack.enter_context(serving(folder / "postgresql", url, python=python))
    ada = stack.enter_context(participant(apart, truth))
    worker = stack.enter_context(working(apart))
    processes = {"serve --no-worker": apart.process, "worker": worker}
    yield Contestant(version, "PostgreSQL", apart, ada, processes)


def _stand_idle(found: list[Contestant], seconds: float) -> None:
    time.sleep(SETTLE_SECONDS)
    before = [{name: _used(pid) for name, pid in one.processes.items()} for one in found]
    _say(f"idle for {seconds:.0f} s")
    time.sleep(seconds)
    for contestant, earlier in zip(found, before, strict=True):
        for name, pid in contestant.processes.items():
            used, wakeups = (
                now - then for now, then in zip(_used(pid), earlier[name], strict=True)
            )
            contestant.idle[name] = (100 * used / seconds, wakeups / seconds)


def _used(process: int) -> Used:
    """The use of a process and its descendants so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    seconds, wakeups = (int(fields[11]) + int(fields[12])) / TICKS, 0
    children: list[str] = []
    for task in Path(f"/proc/{process}/task").iterdir():
        lines = (task / "status").read_text().splitlines()
        wakeups += sum(int(line.split()[1]) for line in lines if line.startswith("voluntary"))
        children += (task / "children").read_text().split()
    for child in children:
        of_child = _used(int(child))
        seconds, wakeups = seconds + of_child[0], wakeups + of_child[1]
    return seconds, wakeups


def _latency(contestant: Contestant, file: Path) -> float:
    # Not in step with anything that comes by the clock.
    time.sleep(random.uniform(0.1, 1.1))
    sent = contestant.ada.submit(contestant.here.slug, file)["id"]
    contestant.ada.wait(sent, timeout=WAIT_SECONDS)
    ((created, started, _),) = moments(contestant.here, [sent])
    return started - created


def _burst(contestant: Contestant, file: Path, count: int) -> float:
    """Files a minute, from the first row to the last verdict."""
    sent = [contestant.ada.submit(contestant.here.slug, file)["id"] for _ in range(count)]
    for each in sent:
        contestant.ada.wait(each, timeout=WAIT_SECONDS)
    times = moments(contestant.here, sent)
    seconds = max(ended for *_, ended in times) - min(created for created, *_ in times)
    _say(f"{contestant.version}, {contestant.database}: {count} files in {seconds:.1f} s")
    return 60 * count / seconds


def _table(found: list[Contestant]) -> list[str]:
    lines = [
        "| version | database | process | % of a core | wake-ups a second |",
        "| --- | --- | --- | ---: | ---: |",
    ]
    for one in found:
        for name, (share, wakeups) in one.idle.items():
            lines.append(
                f"| {one.version} | {one.database} | `{name}` | {share:.2f} | {wakeups:.0f} |"
            )
    lines += [
        "",
        "| version | database | p50 ms to the lease | p99 ms | files a minute in a burst |",
        "| --- | --- | ---: | ---: | ---: |",
    ]
    for one in found:
        p50, p99 = (1000 * percentile(one.latencies, share) for share in (0.5, 0.99))
        lines.append(
            f"| {one.version} | {one.database} | {p50:.0f} | {p99:.0f} | {one.files_a_minute:.0f} |"
        )
    lines += ["", "| aim | reached | bound | held |", "| --- | ---: | ---: | --- |"]
    for one in (one for one in found if one.version == "now"):
        most = max(share for share, _ in one.idle.values())
        p50 = percentile(one.latencies, 0.5)
        lines.append(Aim(f"{one.database}: % of a core", most, MAX_OF_A_CORE).line())
        lines.append(Aim(f"{one.database}: seconds to the lease, p50", p50, MAX_SECONDS).line())
    return lines


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _options(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load.idle")
    parser.add_argument("--seconds", type=float, default=60.0, help="that nothing happens")
    parser.add_argument("--files", type=int, default=100, help="of latencies, and of the burst")
    parser.add_argument("--before", default="", help="another version's interpreter")
    report.add_write(parser)
    return parser.parse_args(argv)


if __name__ == "__main__":
    main(sys.argv[1:])
