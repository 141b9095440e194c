"""A file that takes some seconds over a slow network, and what it is scored against."""

from __future__ import annotations

from playwright.sync_api import CDPSession

SESSIONS = range(100_000, 130_000)
BYTES_A_SECOND = 1 << 20


def labels() -> bytes:
    """One click of each session."""
    rows = (b'{"session": %d, "labels": {"clicks": %d}}\n' % (n, n) for n in SESSIONS)
    return b"".join(rows)


def submission() -> bytes:
    """A good file of some mebibytes, in which every click is right."""
    tail = " ".join(str(1_000_000_000 + n) for n in range(19)).encode()
    return b"session,labels\n" + b"".join(b"%d,%d %s\n" % (n, n, tail) for n in SESSIONS)


def slow_down(session: CDPSession) -> None:
    """Makes the network as slow as some people's."""
    session.send(
        "Network.emulateNetworkConditions",
        {
            "offline": False,
            "latency": 0,
            "downloadThroughput": -1,
            "uploadThroughput": BYTES_A_SECOND,
        },
    )
