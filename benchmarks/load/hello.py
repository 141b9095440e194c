"""`python -m benchmarks.load.hello`: the least that a server can do, on a port which it prints.

The same HTTP server with the same protocol as the replicas, and a plain answer: a request that is
late here was kept waiting by the machine, and not by the product.
"""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import uvicorn
from starlette.types import Receive, Scope, Send

from podium.http.middleware.connections import BoundedHeads


@dataclass(frozen=True)
class Bare:
    """A bare server, and the process that it is."""

    url: str
    pid: int


@contextmanager
def hello() -> Iterator[Bare]:
    """A bare server in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.load.hello"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield Bare(f"http://127.0.0.1:{int(process.stdout.readline())}", process.pid)
        finally:
            process.terminate()


async def answer(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers in the same way whatever was asked."""
    headers = [(b"content-type", b"application/json"), (b"content-length", b"17")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b'{"hello":"world"}'})


def main() -> None:
    """Serves until it is told to stop."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=128)
    config = uvicorn.Config(
        answer,
        http=BoundedHeads,
        loop="uvloop",
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
    )
    print(listener.getsockname()[1], flush=True)
    uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main()
