"""The command `podium`. Participants speak HTTP through `client`, operators use `bootstrap`.

The module of a command is imported when the command is called, so that `--help` answers at once;
what it needs stands at its top. Results go to standard output, everything else to standard error.
"""

from __future__ import annotations

import gc
import os
import signal

TOLD_TO_LEAVE = 128 + signal.SIGTERM
"""The exit code of a process that SIGTERM ended, as shells have it."""


def main() -> None:
    """Runs the command line; ends the process with the exit code of `outcome`."""
    # The first process of a container has no end by default: without a handler the kernel drops
    # the order. So this comes before everything that takes time; a command that has something to
    # end in order puts its own in this one's place, and what a start leaves, a kill leaves as well.
    signal.signal(signal.SIGTERM, lambda *_: os._exit(TOLD_TO_LEAVE))
    # Starting makes many objects that stay: looking for garbage among them is a tenth of its time.
    gc.set_threshold(10_000)

    from podium.cli.commands import run

    run()
