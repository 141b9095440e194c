"""`python -m benchmarks.load`: the last hour of a competition of 3,000 teams, on the cluster.

Two replicas, two workers, PostgreSQL and a bucket run on this machine, together with those who
send and those who look. Of 2,000 uploads 200 come in the last minute, which is played in real time;
the 59 minutes before are compressed (`--compression`). Some teams try to pass their quota. Then
fifty large files come at once, then a thousand connections begin a request and go silent. Meanwhile
another process looks at the board at a steady rate. In the end everything must have its right
verdict. Writes the results to a file.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from benchmarks import report
from benchmarks.load import probe
from benchmarks.load.checker import Drained, drain, faults
from benchmarks.load.clients import HalfOpen, Sent, hold_half_open, large_at_once, last_hour, replay
from benchmarks.load.hello import hello
from benchmarks.load.probe import percentile
from benchmarks.load.season import DAILY_LIMIT, SLUG, Entrant, enter_teams
from benchmarks.load.stage import Watch, cluster
from benchmarks.report import Aim
from podium.core.database.engine import Database
from tests.builders.cluster import Cluster

BOARD = f"/api/v1/competitions/{SLUG}/leaderboard?limit=100"
LOOKS_PER_SECOND = 20.0
LONGEST_PHASE = 1800.0

MIN_IN_LAST_MINUTE = 50
"""More than what those send who try to pass their quota."""

MAX_RSS = 300 << 20
MAX_BOARD_MS = 100.0
MAX_TIMES_HELLO = 5.0
MAX_HEALTH_MS = 200.0
MAX_HALF_OPEN_SECONDS = 15.0


@dataclass
class Measured:
    """The measurements of the run, phase by phase; milliseconds and bytes."""

    sent: list[Sent] = field(default_factory=list)
    board: dict[str, list[float]] = field(default_factory=dict)
    hello: dict[str, list[float]] = field(default_factory=dict)
    health: list[float] = field(default_factory=list)
    rss: dict[str, int] = field(default_factory=dict)
    large: list[Sent] = field(default_factory=list)
    half_open: HalfOpen = field(default_factory=lambda: HalfOpen(0, 0, 0.0))
    drained: Drained = field(default_factory=lambda: Drained(0, 0.0))
    faults: list[str] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)


def main(argv: list[str]) -> None:
    """Starts the cluster, measures, writes."""
    options = _options(argv)
    if options.cores:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: options.cores])
    found = Measured()
    with cluster() as here, hello() as server:
        database = Database(here.database_url)
        entrants = enter_teams(database, options.teams)
        _say(f"{len(entrants)} teams stand on the board; the cluster answers at {here.addresses}")
        with Watch(here) as watch:
            bare = server.url
            _last_hour(here, bare, entrants, watch, found, options)
            _large_files(here, bare, entrants, watch, found, options)
            _half_open(here, bare, found, options)
            found.drained = drain(database, seconds=options.drain_seconds)
            _say(f"drained after {found.drained.seconds:.0f} s more")
            found.rss["workers"] = watch.most_rss("worker")
        found.faults = faults(database, [*found.sent, *found.large], here.addresses[0])
        database.close()
        has_proxy = "proxy" in here.parts
    report.publish("load", _page(found, options, has_proxy), is_kept=options.write)
    if found.faults or found.drained.waiting:
        sys.exit(f"{len(found.faults)} faults, {found.drained.waiting} without a verdict")


def _watched_board(
    here: Cluster, bare: str, phase: str, found: Measured, act: Callable[[], None]
) -> None:
    """Does something while other processes look at the board of the second replica, and at what a
    bare server answers beside it."""
    address = here.address if "proxy" in here.parts else here.addresses[1]
    boards = probe.started(address + BOARD, rate=LOOKS_PER_SECOND, seconds=LONGEST_PHASE)
    hellos = probe.started(f"{bare}/hello", rate=LOOKS_PER_SECOND, seconds=LONGEST_PHASE)
    began = time.monotonic()
    try:
        act()
    finally:
        found.board[phase] = boards.stop()
        found.hello[phase] = hellos.stop()
        found.seconds[phase] = time.monotonic() - began
    worst, least = (percentile(each[phase], 0.99) for each in (found.board, found.hello))
    _say(
        f"{phase}: {found.seconds[phase]:.0f} s, board p99 {worst:.0f} ms,"
        f" bare hello p99 {least:.0f} ms"
    )


def _last_hour(
    here: Cluster,
    bare: str,
    entrants: Sequence[Entrant],
    watch: Watch,
    found: Measured,
    options: argparse.Namespace,
) -> None:
    planned = last_hour(
        entrants,
        uploads=options.uploads,
        in_last_minute=max(options.last_minute or options.uploads // 10, MIN_IN_LAST_MINUTE),
        compression=options.compression,
    )

    def act() -> None:
        found.sent = replay(planned, here.addresses[:2])

    began = time.monotonic()
    _watched_board(here, bare, "last hour", found, act)
    found.rss["last hour"] = watch.most_rss("api", since=began)


def _large_files(
    here: Cluster,
    bare: str,
    entrants: Sequence[Entrant],
    watch: Watch,
    found: Measured,
    options: argparse.Namespace,
) -> None:
    # Teams from the end of the list: those of the last hour's first ones may have no slot left.
    few = entrants[-options.large :]

    def act() -> None:
        found.large = large_at_once(
            few,
            here.addresses[:2],
            size=options.large_mib << 20,
            each_mib_seconds=len(few) / options.line_mib,
        )

    began = time.monotonic()
    _watched_board(here, bare, "large files", found, act)
    found.rss["large files"] = watch.most_rss("api", since=began)


def _half_open(here: Cluster, bare: str, found: Measured, options: argparse.Namespace) -> None:
    address = f"{here.addresses[0]}/healthz"
    probes = []

    def look() -> None:
        probes.append(
            probe.started(address, rate=LOOKS_PER_SECOND, seconds=MAX_HALF_OPEN_SECONDS - 3)
        )

    def act() -> None:
        found.half_open = hold_half_open(
            here.addresses[:2], count=options.sockets, seconds=60.0, meanwhile=look
        )

    _watched_board(here, bare, "half-open connections", found, act)
    found.health = probes[0].answers()


def _page(found: Measured, options: argparse.Namespace, has_proxy: bool) -> list[str]:
    way = "through the proxy" if has_proxy else "at the second replica, without a proxy"
    return [
        *report.head("Load"),
        f"The last hour took {found.seconds['last hour']:.0f} s: 59 minutes were compressed"
        f" {options.compression:g} times, the last one was not."
        " All of it ran on this one machine: two replicas, two"
        " workers (at a lower priority, since they would stand elsewhere), PostgreSQL (told not to"
        f" wait for the disk), SeaweedFS, and the clients. The board was looked at {way}"
        f" {LOOKS_PER_SECOND:g} times a second; times count from the moment at which an answer"
        " was due.",
        "",
        *_table(found, options),
        "",
        "| aim | reached | bound | held |",
        "| --- | ---: | ---: | --- |",
        *(aim.line() for aim in _aims(found)),
        "",
        *(f"- fault: {each}" for each in found.faults[:20]),
    ]


def _table(found: Measured, options: argparse.Namespace) -> list[str]:
    statuses = Counter(each.status for each in found.sent)
    large = Counter(each.status for each in found.large)
    times = [1e3 * each.seconds for each in found.sent]
    lines = ["| what | figure |", "| --- | --- |"]
    lines += [
        f"| teams | {options.teams} |",
        f"| uploads of the last hour, by status | {dict(sorted(statuses.items()))} |",
        f"| time of an upload, ms | {_spread(times)} |",
        f"| large files of {options.large_mib} MiB at once over a line of {options.line_mib:g}"
        f" MiB/s, by status | {dict(large)} |",
        f"| seconds until all had a verdict, after the last phase | {found.drained.seconds:.0f} |",
        f"| half-open connections, closed by the server | {found.half_open.opened},"
        f" {found.half_open.closed} |",
        f"| most memory of a worker, MiB | {found.rss['workers'] >> 20} |",
    ]
    for phase, values in found.board.items():
        lines.append(f"| board during: {phase}, ms | {_spread(values)} |")
        lines.append(f"| bare hello meanwhile, ms | {_spread(found.hello[phase])} |")
    return [*lines, f"| health, with half-open connections, ms | {_spread(found.health)} |"]


def _aims(found: Measured) -> list[Aim]:
    acknowledged = sum(each.submission_id is not None for each in (*found.sent, *found.large))
    unanswered = sum(each.status not in (202, 429) for each in (*found.sent, *found.large))
    worst = max(percentile(values, 0.99) for values in found.board.values())
    most = max(found.rss["last hour"], found.rss["large files"]) / (1 << 20)
    still = found.half_open.opened - found.half_open.closed
    return [
        Aim("acknowledged uploads", acknowledged, 1, at_least=True),
        Aim("answers that are neither 202 nor 429", unanswered, 0),
        Aim("faults that the checker found", len(found.faults), 0),
        Aim("judgings without a verdict in the end", found.drained.waiting, 0),
        Aim(f"more than {DAILY_LIMIT} slots of a team on a day", _over(found), 0),
        Aim("most memory of a replica, MiB", most, MAX_RSS >> 20),
        Aim("board p99 in the worst phase, ms", worst, MAX_BOARD_MS),
        Aim("board p99 / bare hello p99, in the worst phase", _times_hello(found), MAX_TIMES_HELLO),
        Aim(
            "health p99 with half-open connections, ms",
            percentile(found.health, 0.99),
            MAX_HEALTH_MS,
        ),
        Aim("half-open connections that stayed", still, 0),
        Aim("seconds until they were closed", found.half_open.seconds, MAX_HALF_OPEN_SECONDS),
    ]


def _times_hello(found: Measured) -> float:
    """Times as long as a bare answer that a board takes, in the phase in which that is most."""
    return max(
        percentile(values, 0.99) / percentile(found.hello[phase], 0.99)
        for phase, values in found.board.items()
    )


def _over(found: Measured) -> int:
    return sum("slots of" in each for each in found.faults)


def _spread(values: list[float]) -> str:
    shares = ", ".join(
        f"p{share:g} {percentile(values, share / 100):.0f}" for share in (50, 95, 99)
    )
    return f"{shares} (n = {len(values)})"


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _options(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load")
    add: Callable[..., object] = parser.add_argument
    add("--teams", type=int, default=3000)
    add("--uploads", type=int, default=2000, help="of the last hour")
    add("--last-minute", type=int, default=0, help="of them in the last minute; else a tenth")
    add("--compression", type=float, default=20.0, help="of the first 59 minutes")
    add("--large", type=int, default=50, help="large files at once")
    add("--large-mib", type=int, default=64)
    add("--line-mib", type=float, default=115.0, help="MiB a second that all of them get together")
    add("--sockets", type=int, default=1000, help="connections that go silent")
    add("--drain-seconds", type=float, default=1800.0, help="longest wait for the last verdict")
    add("--cores", type=int, default=0, help="as on a slower machine, all of it on so many")
    report.add_write(parser)
    return parser.parse_args(argv)


if __name__ == "__main__":
    main(sys.argv[1:])
