"""`python -m benchmarks.load.last_minute`: the last minute of a class on one small machine.

One `podium serve` with SQLite and the disk of this machine, as the guide sets it up. Sixty files of
63 MiB come at once, 45 members rename their teams, two hundred readers look at the board every two
seconds. Beside them a bare server in another process is asked for a constant answer: what is late
there was kept waiting by the machine. `--cpus 0.5` gives the two half a core, and `--proxy` puts
Caddy before the server as the compose file does. It prints figures.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import psutil

from benchmarks import report
from benchmarks.load import probe
from benchmarks.load.hello import hello
from benchmarks.load.probe import percentile
from benchmarks.load.season import SLUG, Entrant, enter_teams, open_competition
from benchmarks.report import Aim
from podium.core.database.engine import Database
from tests.builders.cluster import proxy_command
from tests.builders.machine.ports import free_ports
from tests.builders.processes.serving import ADMIN_TOKEN, serving

BOARD = f"/api/v1/competitions/{SLUG}/leaderboard?limit=100"
SUBMISSIONS = f"/api/v1/competitions/{SLUG}/submissions?filename=last.csv"
TEAM = f"/api/v1/competitions/{SLUG}/team"

READERS, READ_EVERY = 200, 2.0
WRITERS, WRITE_EVERY = 45, 10.0
LONGEST = 600.0
PIECE_BYTES = 1 << 20
CALM_SECONDS = 5.0
"""Seconds without uploads, before and after."""

MAX_BOARD_MS = 100.0
MAX_TIMES_HELLO = 20.0
MAX_WRITE_MS = 500.0

CPU_GROUPS = Path("/sys/fs/cgroup/cpu")
PERIOD_MICROSECONDS = 100_000


@dataclass
class Minute:
    """Statuses of the uploads and of the writes, and milliseconds of all answers."""

    uploads: list[int] = field(default_factory=list)
    seconds: float = 0.0
    writes: list[float] = field(default_factory=list)
    write_statuses: list[int] = field(default_factory=list)
    boards: list[float] = field(default_factory=list)
    hellos: list[float] = field(default_factory=list)
    most_rss: int = 0


def main(argv: list[str]) -> None:
    """Plays the minute, and says what came of it."""
    options = _options(argv)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="podium-minute-")))
        os.environ["PODIUM_TRUSTED_PROXIES"] = "127.0.0.1"
        server, bare = stack.enter_context(serving(folder)), stack.enter_context(hello())
        address = stack.enter_context(proxy(server.url, folder)) if options.proxy else server.url
        open_competition(server.url, ADMIN_TOKEN, folder)
        database = Database(f"sqlite:///{folder / 'data' / 'podium.sqlite3'}")
        entrants = enter_teams(database, options.teams)
        database.close()
        if options.cpus:
            stack.enter_context(bounded([server.process.pid, bare.pid], options.cpus))
        found = _played(address, bare.url, server.process.pid, entrants, folder, options)
    report.publish(_name(options), _page(found, options), is_kept=options.write)


def _played(
    address: str,
    bare: str,
    pid: int,
    entrants: Sequence[Entrant],
    folder: Path,
    options: argparse.Namespace,
) -> Minute:
    found, is_over = Minute(), threading.Event()
    file = folder / "large.csv"
    rows = b"".join(b"%d_clicks,1 2 3 4 5 6 7 8 9\n" % number for number in range(100_000))
    size = options.mib << 20
    file.write_bytes((b"session_type,labels\n" + rows * (size // len(rows) + 1))[:size])
    boards = probe.started(address + BOARD, rate=READERS / READ_EVERY, seconds=LONGEST)
    hellos = probe.started(f"{bare}/hello", rate=20.0, seconds=LONGEST)
    writers = [
        threading.Thread(target=_write, args=(address, each, number, found, is_over))
        for number, each in enumerate(entrants[:WRITERS])
    ]
    senders = [
        threading.Thread(target=_send, args=(address, each, number, file, found))
        for number, each in enumerate(entrants[WRITERS : WRITERS + options.uploads])
    ]
    for writer in writers:
        writer.start()
    time.sleep(CALM_SECONDS)
    began = time.monotonic()
    for sender in senders:
        sender.start()
    while any(sender.is_alive() for sender in senders):
        found.most_rss = max(found.most_rss, psutil.Process(pid).memory_info().rss)
        time.sleep(0.1)
    found.seconds = time.monotonic() - began
    time.sleep(CALM_SECONDS)
    is_over.set()
    found.boards, found.hellos = boards.stop(), hellos.stop()
    for writer in writers:
        writer.join()
    return found


def _send(address: str, entrant: Entrant, number: int, file: Path, found: Minute) -> None:
    headers = {
        "Authorization": f"Bearer {entrant.token}",
        "Content-Type": "application/octet-stream",
        "Content-Length": str(file.stat().st_size),
    }
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=LONGEST)
    try:
        connection.request("POST", SUBMISSIONS, body=_of_its_own(file, number), headers=headers)
        found.uploads.append(connection.getresponse().status)
    except (OSError, http.client.HTTPException):
        found.uploads.append(0)
    finally:
        connection.close()


def _of_its_own(file: Path, number: int) -> Iterator[bytes]:
    """The file, but for the first row, whose item is this number."""
    with file.open("rb") as stream:
        header, first = stream.readline(), stream.readline()
        query, items = first.rstrip().split(b",")
        yield b"%s%s,%0*d\n" % (header, query, len(items), number)
        while piece := stream.read(PIECE_BYTES):
            yield piece


def _write(
    address: str, entrant: Entrant, number: int, found: Minute, is_over: threading.Event
) -> None:
    headers = {"Authorization": f"Bearer {entrant.token}", "Content-Type": "application/json"}
    due = time.monotonic() + number * WRITE_EVERY / WRITERS
    for turn in range(1000):
        if is_over.wait(max(0.0, due - time.monotonic())):
            return
        connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=LONGEST)
        try:
            name = json.dumps({"name": f"writer {number} {turn}"})
            connection.request("PATCH", TEAM, body=name, headers=headers)
            found.write_statuses.append(connection.getresponse().status)
        except (OSError, http.client.HTTPException):
            found.write_statuses.append(0)
        finally:
            connection.close()
        found.writes.append(1e3 * (time.monotonic() - due))
        due += WRITE_EVERY


@contextmanager
def proxy(upstream: str, folder: Path) -> Iterator[str]:
    """Caddy before a server, with the configuration of the compose file, and its address."""
    port, health_port = free_ports(2)
    own = folder / "proxy"
    own.mkdir()
    command = proxy_command("caddy", own, port, [upstream], health_port=health_port)
    with (own / "log").open("wb") as log:
        process = subprocess.Popen(command, env={**os.environ, "HOME": str(own)}, stderr=log)
    try:
        while True:
            with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            assert process.poll() is None, (own / "log").read_text()
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


@contextmanager
def bounded(pids: Sequence[int], cpus: float) -> Iterator[None]:
    """Gives processes, with all that they start from now on, so many cores together while the block
    runs."""
    group = CPU_GROUPS / f"podium-{uuid.uuid4().hex}"
    group.mkdir()
    (group / "cpu.cfs_period_us").write_text(str(PERIOD_MICROSECONDS))
    (group / "cpu.cfs_quota_us").write_text(str(int(cpus * PERIOD_MICROSECONDS)))
    for pid in pids:
        (group / "cgroup.procs").write_text(str(pid))
    try:
        yield
    finally:
        for each in (group / "cgroup.procs").read_text().split():
            (CPU_GROUPS / "cgroup.procs").write_text(each)
        group.rmdir()


def _name(options: argparse.Namespace) -> str:
    words = ["last-minute", f"{options.cpus:g}-cpus" if options.cpus else ""]
    return "-".join(filter(None, [*words, "caddy" if options.proxy else ""]))


def _page(found: Minute, options: argparse.Namespace) -> list[str]:
    answers = {"board": found.boards, "bare hello": found.hellos, "writes": found.writes}
    return [
        *report.head(
            f"Last minute: {options.uploads} files of {options.mib} MiB,"
            f" {options.cpus or 'all'} cores{', behind Caddy' if options.proxy else ''}"
        ),
        f"- uploads: {found.seconds:.1f} s, {dict(Counter(found.uploads))};"
        f" most memory {found.most_rss >> 20} MiB",
        *(
            f"- {name}, ms: p50 {percentile(each, 0.5):.0f}, p99 {percentile(each, 0.99):.0f}"
            f" (n = {len(each)})"
            for name, each in answers.items()
        ),
        "",
        "| aim | reached | bound | held |",
        "| --- | ---: | ---: | --- |",
        *(aim.line() for aim in _aims(found, is_whole=not options.cpus)),
    ]


def _aims(found: Minute, *, is_whole: bool) -> list[Aim]:
    """The aims; those in milliseconds are for a whole machine."""
    board, bare, write = (
        percentile(each, 0.99) for each in (found.boards, found.hellos, found.writes)
    )
    lost = sum(status != 202 for status in found.uploads)
    refused = sum(status != 200 for status in found.write_statuses)
    aims = [
        Aim("uploads that are not 202", lost, 0),
        Aim("writes that are not 200", refused, 0),
        Aim("board p99 / bare hello p99", board / bare, MAX_TIMES_HELLO),
    ]
    if is_whole:
        aims.append(Aim("board p99, ms", board, MAX_BOARD_MS))
        aims.append(Aim("write p99, ms", write, MAX_WRITE_MS))
    return aims


def _options(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load.last_minute")
    parser.add_argument("--uploads", type=int, default=60)
    parser.add_argument("--mib", type=int, default=63)
    parser.add_argument("--teams", type=int, default=500)
    parser.add_argument("--proxy", action="store_true", help="put Caddy before the server")
    parser.add_argument("--cpus", type=float, default=0.0, help="cores of the server; 0 means all")
    report.add_write(parser)
    return parser.parse_args(argv)


if __name__ == "__main__":
    main(sys.argv[1:])
