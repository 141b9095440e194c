"""`python -m benchmarks.boards`: what a page of a board costs beside a bare endpoint.

One server process, one client process with several kept connections, all contestants in turn.
Prints Markdown; progress goes to stderr. A missed aim is only said, for a machine may be busy.
"""

from __future__ import annotations

import argparse
import os
import selectors
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks import machine, report
from benchmarks.report import Aim

API = "/api/v1/competitions"
HELLO, BARE = "hello, same application", "hello, bare FastAPI"
PLAIN = "hello, no framework"
BOARD, UNCHANGED, PAGE = "board, JSON", "board, 304", "board, HTML"
TENTH = "board, JSON, a tenth of the submissions"
FRESH, FRESH_TENTH = "first after a change", "first after a change, a tenth"
HUNDRED, CHARTS = "board, JSON of 100 rows", "charts, HTML"
FRESH_HUNDRED, FRESH_PAGE = "first after a change, JSON of 100", "first after a change, HTML"
FRESH_CHARTS = "first after a change, charts"

PATHS = {
    HELLO: "/hello",
    BARE: "/bare/hello",
    PLAIN: "/plain",
    BOARD: f"{API}/otto/leaderboard",
    UNCHANGED: f"{API}/otto/leaderboard",
    PAGE: "/competitions/otto/leaderboard",
    HUNDRED: f"{API}/otto/leaderboard?limit=100",
    CHARTS: "/competitions/otto/charts",
    TENTH: f"{API}/otto-tenth/leaderboard",
}


AFTER_A_CHANGE = {
    FRESH: BOARD,
    FRESH_TENTH: TENTH,
    FRESH_HUNDRED: HUNDRED,
    FRESH_PAGE: PAGE,
    FRESH_CHARTS: CHARTS,
}
"""Requests right after a change of all boards, whose answers are made anew."""


@dataclass(frozen=True, slots=True)
class Rate:
    """Answers per second, and microseconds of the server's processor for each: the second figure
    stays the same where others make the machine slow."""

    per_second: float
    work: float


Results = dict[str, list[Rate]]


@dataclass(frozen=True, slots=True)
class Server:
    """The process that is asked."""

    port: int
    pid: int

    def worked(self) -> float:
        """Seconds of processor time so far, user and system; 0 where the system does not tell."""
        stat = Path(f"/proc/{self.pid}/stat")
        if not stat.exists():
            return 0.0
        fields = stat.read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Connection:
    """A kept connection that sends the same request again and again."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._read = b""

    def is_answered(self) -> bool:
        """Takes what came; whether an answer is whole now. Raises on anything but 200 and 304."""
        piece = self.socket.recv(1 << 20)
        if not piece:
            raise ConnectionError("the server closed the connection")
        self._read += piece
        head, found, body = self._read.partition(b"\r\n\r\n")
        if not found or len(body) < _length(head):
            return False
        if head[9:12] not in (b"200", b"304"):
            raise ConnectionError(self._read.decode(errors="replace"))
        self._read = b""
        return True

    def ask(self, request: bytes) -> bytes:
        """Sends one request and waits; answers the head."""
        self.socket.sendall(request)
        head = b""
        while True:
            before = self._read
            if self.is_answered():
                return head
            head = (before + self._read).partition(b"\r\n\r\n")[0]


def rate(server: Server, request: bytes, *, seconds: float, connections: int) -> Rate:
    """Answers per second, with every connection asking again as soon as it was answered.

    The load that a client can make must not be the bound: it does nothing but find the end of an
    answer and send the same bytes again.
    """
    selector = selectors.DefaultSelector()
    open_ones = [Connection(server.port) for _ in range(connections)]
    for connection in open_ones:
        selector.register(connection.socket, selectors.EVENT_READ, connection)
        connection.socket.sendall(request)
    answers, started, worked = 0, time.perf_counter(), server.worked()
    while (now := time.perf_counter()) < started + seconds:
        for key, _ in selector.select(timeout=5):
            if key.data.is_answered():
                answers += 1
                key.data.socket.sendall(request)
    for connection in open_ones:
        connection.socket.close()
    return Rate(answers / (now - started), 1e6 * (server.worked() - worked) / max(1, answers))


def compete(server: Server, options: argparse.Namespace) -> Results:
    """All contestants in turn, round by round; the first round warms up and is not counted."""
    requests = {name: _request(path) for name, path in PATHS.items()}
    results: Results = {name: [] for name in (*PATHS, *AFTER_A_CHANGE)}
    for number in range(options.rounds + 1):
        tag = _tag(server.port, requests[BOARD])
        requests[UNCHANGED] = _request(PATHS[BOARD], f"If-None-Match: {tag}\r\n")
        found = {
            name: rate(server, request, seconds=options.seconds, connections=options.connections)
            for name, request in requests.items()
        }
        for name, asked in AFTER_A_CHANGE.items():
            found[name] = _after_a_change(server, requests[asked])
        for name, figure in found.items() if number else ():
            results[name].append(figure)
        print(
            f"round {number}: " + ", ".join(f"{v.per_second:.0f}/s" for v in found.values()),
            file=sys.stderr,
        )
    return results


def aims(results: Results) -> list[Aim]:
    """The aims; ratios are medians over the rounds."""
    return [
        Aim("board / hello, requests per second", _ratio(results, BOARD, HELLO), 0.5, True),
        Aim("board / bare hello, requests per second", _ratio(results, BOARD, BARE), 0.5, True),
        Aim("304 / hello, requests per second", _ratio(results, UNCHANGED, HELLO), 0.8, True),
        Aim("304 / bare hello, requests per second", _ratio(results, UNCHANGED, BARE), 0.8, True),
        Aim("HTML page / hello, requests per second", _ratio(results, PAGE, HELLO), 0.5, True),
        Aim("processor, board / hello without a framework", _work(results, BOARD, PLAIN), 2.3),
        Aim("time of a page, 10 × the submissions", _ratio(results, TENTH, BOARD), 1.2),
        Aim("the same, after a change", _ratio(results, FRESH_TENTH, FRESH), 1.2),
        Aim(
            "time of a page made anew / its JSON of as many rows",
            _ratio(results, FRESH_HUNDRED, FRESH_PAGE),
            3,
        ),
    ]


def main(argv: list[str]) -> None:
    """Starts the server, measures, prints."""
    began, options = machine.moment(), _options(argv)
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "benchmarks.boards.server", folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                port = int(server.stdout.readline())
                results = compete(Server(port, server.pid), options)
            finally:
                server.terminate()
    lines = [*report.head("Boards", began), *_table(results), "", *_aim_table(aims(results))]
    report.publish("boards", lines, is_kept=options.write)


def _after_a_change(server: Server, request: bytes, times: int = 5) -> Rate:
    """The first answers after all boards have changed: the median of some."""
    connection, seconds, work = Connection(server.port), [], []
    for _ in range(times):
        connection.ask(b"POST /touch HTTP/1.1\r\nHost: podium\r\nContent-Length: 0\r\n\r\n")
        started, worked = time.perf_counter(), server.worked()
        connection.ask(request)
        seconds.append(time.perf_counter() - started)
        work.append(server.worked() - worked)
    connection.socket.close()
    return Rate(1 / median(seconds), 1e6 * sum(work) / times)


def _tag(port: int, request: bytes) -> str:
    connection = socket.create_connection(("127.0.0.1", port))
    with connection:
        connection.sendall(request)
        head = connection.recv(1 << 16).split(b"\r\n\r\n")[0].decode()
    lines = dict(line.lower().split(": ", 1) for line in head.split("\r\n")[1:])
    return lines["etag"].replace("w/", "W/")


def _request(path: str, headers: str = "") -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: podium\r\n{headers}\r\n".encode()


def _length(head: bytes) -> int:
    for line in head.split(b"\r\n"):
        if line[:15].lower() == b"content-length:":
            return int(line[15:])
    return 0


def _ratio(results: Results, name: str, other: str) -> float:
    pairs = zip(results[name], results[other], strict=True)
    return median(one.per_second / two.per_second for one, two in pairs)


def _work(results: Results, name: str, other: str) -> float:
    pairs = zip(results[name], results[other], strict=True)
    return median(one.work / two.work for one, two in pairs)


def _table(results: Results) -> list[str]:
    lines = ["| what | requests per second | / hello | CPU µs |", "| --- | ---: | ---: | ---: |"]
    for name, rates in results.items():
        speeds = [one.per_second for one in rates]
        spread = f"{median(speeds):.0f} ({min(speeds):.0f}–{max(speeds):.0f})"
        work = median(one.work for one in rates)
        lines.append(f"| {name} | {spread} | {_ratio(results, name, HELLO):.2f} | {work:.0f} |")
    return lines


def _aim_table(found: list[Aim]) -> list[str]:
    head = ["| aim | reached | bound | held |", "| --- | ---: | ---: | --- |"]
    return head + [aim.line() for aim in found]


def _options(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.boards", description=__doc__)
    add: Callable[..., object] = parser.add_argument
    add("--rounds", type=int, default=5, help="rounds of all contestants (default: 5)")
    add("--seconds", type=float, default=1.0, help="of each contestant a round (default: 1)")
    add("--connections", type=int, default=8, help="kept connections (default: 8)")
    report.add_write(parser)
    return parser.parse_args(argv)


if __name__ == "__main__":
    main(sys.argv[1:])
