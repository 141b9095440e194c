"""Those who send: the last hour of a competition, many large files at once, rude connections."""

from __future__ import annotations

import random
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

import httpx2

from benchmarks.load.season import DAILY_LIMIT, KINDS, SLUG, Entrant, file_of

HOUR = 3600.0
MINUTE = 60.0

SENDERS = 48
"""Threads that send; an upload that finds none free is late, and that counts as its time."""

GREEDY = 5
"""Teams that send more at once than they may, in the last minute."""

GREEDY_FILES = DAILY_LIMIT + 3

PATIENCE_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Sent:
    """The outcome of one upload: its team, kind of file, status (0: no answer), seconds from the
    moment at which it was due, and the id that was acknowledged."""

    team_id: str
    kind: int
    status: int
    seconds: float
    submission_id: str | None


@dataclass(frozen=True, slots=True)
class Planned:
    """An upload to be: when (seconds from the start), whose, and which file."""

    at: float
    entrant: Entrant
    kind: int
    number: int


def last_hour(
    entrants: Sequence[Entrant], *, uploads: int, in_last_minute: int, compression: float
) -> list[Planned]:
    """Uploads of an hour that get denser in its last minute. Its first 59 minutes pass so many
    times faster, the last one as fast as it is."""
    draw = random.Random(7)
    greedy = entrants[:GREEDY]
    burst = GREEDY * GREEDY_FILES
    early = sorted(draw.uniform(0, HOUR - MINUTE) for _ in range(uploads - in_last_minute))
    late = sorted(draw.uniform(HOUR - MINUTE, HOUR) for _ in range(in_last_minute - burst))
    others = list(entrants[GREEDY:])
    draw.shuffle(others)
    planned = [
        Planned(
            _compressed(at, compression), others[n % len(others)], draw.randrange(len(KINDS)), n
        )
        for n, at in enumerate(early + late)
    ]
    at = _compressed(HOUR - MINUTE / 2, compression)
    for place, entrant in enumerate(greedy):
        planned += [
            Planned(at, entrant, draw.randrange(len(KINDS)), uploads + place * GREEDY_FILES + n)
            for n in range(GREEDY_FILES)
        ]
    return sorted(planned, key=lambda each: each.at)


def _compressed(at: float, compression: float) -> float:
    return min(at, HOUR - MINUTE) / compression + max(0.0, at - (HOUR - MINUTE))


def replay(planned: Sequence[Planned], addresses: Sequence[str]) -> list[Sent]:
    """Sends everything at its moment, to the replicas in turn."""
    began = time.monotonic()
    clients = [httpx2.Client(base_url=each, timeout=PATIENCE_SECONDS) for each in addresses]

    def send(each: Planned) -> Sent:
        client = clients[each.number % len(clients)]
        return _sent(client, each, file_of(each.kind, each.number), due=began + each.at)

    with ThreadPoolExecutor(SENDERS) as senders:
        waiting = []
        for each in planned:
            time.sleep(max(0.0, began + each.at - time.monotonic()))
            waiting.append(senders.submit(send, each))
        answers = [each.result() for each in waiting]
    for client in clients:
        client.close()
    return answers


def large_at_once(
    entrants: Sequence[Entrant], addresses: Sequence[str], *, size: int, each_mib_seconds: float
) -> list[Sent]:
    """One large file of each entrant, all at once and at a pace, so that they are all open
    together; the bytes are no submission, and so rejected when they are judged."""
    together = threading.Barrier(len(entrants))

    def send(number: int) -> Sent:
        def body() -> Iterator[bytes]:
            # Should one of them be refused, the others go on without it.
            with suppress(threading.BrokenBarrierError):
                together.wait(timeout=PATIENCE_SECONDS / 4)
            piece = b"%08d" % number + bytes((1 << 20) - 8)
            for _ in range(size >> 20):
                yield piece
                time.sleep(each_mib_seconds)

        with httpx2.Client(
            base_url=addresses[number % len(addresses)], timeout=PATIENCE_SECONDS
        ) as client:
            each = Planned(0.0, entrants[number], -1, number)
            return _sent(client, each, body(), due=time.monotonic())

    with ThreadPoolExecutor(len(entrants)) as senders:
        return list(senders.map(send, range(len(entrants))))


def _sent(
    client: httpx2.Client, each: Planned, content: bytes | Iterator[bytes], *, due: float
) -> Sent:
    headers = {
        "Authorization": f"Bearer {each.entrant.token}",
        "Content-Type": "application/octet-stream",
    }
    path = f"/api/v1/competitions/{SLUG}/submissions?filename=load-{each.number}.csv"
    try:
        answer = client.post(path, content=content, headers=headers)
        status = answer.status_code
        submission_id = answer.json()["id"] if status == 202 else None
    except httpx2.HTTPError:
        status, submission_id = 0, None
    return Sent(each.entrant.team_id, each.kind, status, time.monotonic() - due, submission_id)


@dataclass(frozen=True, slots=True)
class HalfOpen:
    """Connections that began a request and went silent: how many were opened, and how many the
    server had closed when the time was over."""

    opened: int
    closed: int
    seconds: float


def hold_half_open(
    addresses: Sequence[str], *, count: int, seconds: float, meanwhile: Callable[[], object]
) -> HalfOpen:
    """Opens so many, calls `meanwhile` once all are open, and looks until the time is over."""
    connections = []
    for number in range(count):
        parts = urlsplit(addresses[number % len(addresses)])
        connection = socket.create_connection((parts.hostname or "", parts.port or 80), timeout=30)
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: podium\r\nX-Unfini")
        connections.append(connection)
    meanwhile()
    began = time.monotonic()
    open_ones = connections
    for connection in connections:
        connection.setblocking(False)
    while open_ones and time.monotonic() - began < seconds:
        time.sleep(0.25)
        open_ones = [each for each in open_ones if not _is_closed(each)]
    took = time.monotonic() - began
    for connection in connections:
        connection.close()
    return HalfOpen(count, count - len(open_ones), took)


def _is_closed(connection: socket.socket) -> bool:
    try:
        return connection.recv(4096) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True
