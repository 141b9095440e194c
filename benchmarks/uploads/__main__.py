"""`python -m benchmarks.uploads`: what an upload costs beside raw sinks of the same HTTP server.

One server process; its clients are threads of this one and send as fast as they can. Contestants
take turns, ratios are taken round by round. Prints Markdown; progress goes to stderr. A missed aim
is only said, for a machine may be busy.
"""

from __future__ import annotations

import argparse
import http.client
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from benchmarks import machine, report
from benchmarks.boards.__main__ import Server
from benchmarks.report import Aim

SINK, STORE, OURS = "sink: SHA-256", "sink: SHA-256, file, sync", "ours"
MIN_OF_SINK = 0.8
PIECE = 1 << 20
PATHS = {
    SINK: ("PUT", "/sink"),
    STORE: ("PUT", "/store"),
    OURS: ("POST", "/api/v1/competitions/otto/submissions?filename=x.csv"),
}


@dataclass(frozen=True, slots=True)
class Streams:
    """Uploads at the same time, each of so many bytes."""

    count: int
    mib: int

    def __str__(self) -> str:
        return f"{self.count} × {self.mib} MiB"


@dataclass(slots=True)
class Found:
    """MB a second of each round, and seconds of the server's processor."""

    speed: list[float] = field(default_factory=list)
    work: list[float] = field(default_factory=list)


Results = dict[tuple[Streams, str], Found]


@dataclass(frozen=True, slots=True)
class Client:
    """Sends files to the server."""

    server: Server
    token: str

    def send(self, who: str, mib: int) -> None:
        """Sends one file of random bytes, no two of them alike."""
        method, path = PATHS[who]
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=600)
        connection.putrequest(method, path)
        connection.putheader("Content-Length", str(mib * PIECE))
        connection.putheader("Authorization", f"Bearer {self.token}")
        connection.endheaders()
        piece = os.urandom(PIECE)
        for _ in range(mib):
            connection.send(piece)
        answer = connection.getresponse()
        if answer.status not in (200, 202):
            sys.exit(f"{who}: {answer.status} {answer.read()!r}")
        answer.read()
        connection.close()

    def round(self, who: str, streams: Streams, found: Found) -> None:
        """Sends all streams at once."""
        worked, began = self.server.worked(), time.perf_counter()
        with ThreadPoolExecutor(streams.count) as pool:
            list(pool.map(lambda _: self.send(who, streams.mib), range(streams.count)))
        seconds = time.perf_counter() - began
        found.speed.append(streams.count * streams.mib * PIECE / 1e6 / seconds)
        found.work.append(self.server.worked() - worked)


def compete(client: Client, each: list[Streams], rounds: int) -> Results:
    """All contestants in turn; the first round warms up and is not counted."""
    results: Results = {(streams, who): Found() for streams in each for who in PATHS}
    for number in range(rounds + 1):
        for (streams, who), found in results.items():
            client.round(who, streams, found if number else Found())
        print(f"round {number} is done", file=sys.stderr)
    return results


def aims(results: Results, each: list[Streams]) -> list[Aim]:
    """The aims; ratios are medians over the rounds."""
    found = []
    for streams in each:
        ours = results[streams, OURS].speed
        # One that stores nothing is faster than the disk: it is shown, and no aim.
        pairs = zip(ours, results[streams, STORE].speed, strict=True)
        ratio = median(one / other for one, other in pairs)
        found.append(Aim(f"{streams}, ours / {STORE}", ratio, MIN_OF_SINK, at_least=True))
    return found


def main(argv: list[str]) -> None:
    """Starts the server, measures, prints."""
    began, options = machine.moment(), _options(argv)
    each = [Streams(1, options.mib), Streams(8, options.mib // 8)]
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        command = [sys.executable, "-m", "benchmarks.uploads.server", folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                port, token = server.stdout.readline().split()
                client = Client(Server(int(port), server.pid), token)
                results = compete(client, each, options.rounds)
            finally:
                server.terminate()
    lines = ["| streams | who | MB a second | CPU s |", "| --- | --- | ---: | ---: |"]
    for (streams, who), found in results.items():
        spread = f"{median(found.speed):.0f} ({min(found.speed):.0f}–{max(found.speed):.0f})"
        lines.append(f"| {streams} | {who} | {spread} | {median(found.work):.2f} |")
    lines += ["", "| aim | reached | bound | held |", "| --- | ---: | ---: | --- |"]
    lines += [aim.line() for aim in aims(results, each)]
    report.publish("uploads", [*report.head("Uploads", began), *lines], is_kept=options.write)


def _options(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.uploads", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="rounds of all (default: 5)")
    parser.add_argument("--mib", type=int, default=512, help="of a round's files together")
    parser.add_argument("--folder", type=Path, help="where files are stored (default: a new one)")
    report.add_write(parser)
    return parser.parse_args(argv)


if __name__ == "__main__":
    main(sys.argv[1:])
