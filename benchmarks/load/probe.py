"""`python -m benchmarks.load.probe URL RATE SECONDS`: asks an address so many times a second from a
process of its own, and prints how long each answer took, in milliseconds, as JSON.

A question is due at its moment whether or not the last one was answered, and its time counts from
that moment: a server that stalls is not asked less. Anything but 200 counts as infinitely late.
"""

from __future__ import annotations

import http.client
import json
import math
import os
import queue
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from urllib.parse import urlsplit

THREADS = 16
PATIENCE_SECONDS = 30.0


@dataclass
class Probe:
    """A prober in another process; `answers` waits for its end."""

    process: subprocess.Popen[str]

    def answers(self) -> list[float]:
        """Milliseconds of every answer, infinite for what was no answer."""
        assert self.process.stdout is not None
        with self.process.stdout as stream:
            told = stream.read()
        self.process.wait()
        if self.process.stdin is not None:
            self.process.stdin.close()
        return [math.inf if each is None else each for each in json.loads(told or "[]")]

    def stop(self) -> list[float]:
        """Ends it now; what was asked until then counts."""
        if self.process.stdin is not None:
            self.process.stdin.close()
            self.process.stdin = None
        return self.answers()


def started(address: str, *, rate: float, seconds: float) -> Probe:
    """Begins to ask."""
    command = [sys.executable, "-m", "benchmarks.load.probe", address, str(rate), str(seconds)]
    return Probe(
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    )


def percentile(values: list[float], share: float) -> float:
    """The value that this share of all does not exceed; 0 without any."""
    if not values:
        return 0.0
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, math.ceil(share * len(ordered)) - 1)]


def _ask(address: str, due: queue.Queue[float | None], took: list[float | None]) -> None:
    parts = urlsplit(address)
    connection: http.client.HTTPConnection | None = None
    while (at := due.get()) is not None:
        try:
            if connection is None:
                connection = http.client.HTTPConnection(parts.netloc, timeout=PATIENCE_SECONDS)
            connection.request("GET", f"{parts.path}?{parts.query}")
            answer = connection.getresponse()
            answer.read()
            took.append(1e3 * (time.monotonic() - at) if answer.status == 200 else None)
        except (OSError, http.client.HTTPException):
            took.append(None)
            connection = None


def main(address: str, rate: float, seconds: float) -> None:
    """Asks until the time is over or standard input is closed."""
    due: queue.Queue[float | None] = queue.Queue()
    took: list[float | None] = []
    threads = [threading.Thread(target=_ask, args=(address, due, took)) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    is_over = threading.Event()

    def listen() -> None:
        # Without the buffer of sys.stdin, which no thread may wait for while Python ends.
        os.read(0, 1)
        is_over.set()

    threading.Thread(target=listen, daemon=True).start()
    began = time.monotonic()
    for number in range(int(rate * seconds)):
        at = began + number / rate
        if is_over.wait(max(0.0, at - time.monotonic())):
            break
        due.put(at)
    for _ in threads:
        due.put(None)
    for thread in threads:
        thread.join()
    print(json.dumps(took))


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), float(sys.argv[3]))
