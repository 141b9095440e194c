"""The command `podium`. Participants use HTTP through `client`, operators use `bootstrap`.

The module of a command is imported when the command is called, so that `--help` answers at once;
its imports are at its top. Results go to standard output, everything else to standard error.
"""

from __future__ import annotations

import gc
import os
import signal

TERMINATED = 128 + signal.SIGTERM
"""The exit code of a process that SIGTERM ended, as in shells."""


def main() -> None:
    """Runs the command line; ends the process with an exit code of `outcome`."""
    # The first process of a container has no default action for signals: without a handler the
    # kernel drops SIGTERM. So this comes before everything that takes time; a command that must end
    # in order replaces the handler, and an interrupted start leaves no more than a kill would.
    signal.signal(signal.SIGTERM, lambda *_: os._exit(TERMINATED))
    # Start-up creates many objects that stay: looking for garbage among them takes a tenth of its
    # time.
    gc.set_threshold(10_000)

    from podium.cli.commands import run

    run()
