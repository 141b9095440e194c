"""Processes of an installation that start at once: everything is imported and built, then forked.

Reads one JSON order a line from standard input, answers with the new process's id. A process stops
itself before it begins (SIGSTOP), so that a tracer can be attached to it before its first act. It
runs the same code as `podium serve --no-worker` or `podium worker`; what is prepared before the
fork holds no connection, no open file and no thread. `FAULTS_STORE_SECONDS` says how long a bucket
may say nothing, where a test has less time than an installation.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy.orm import configure_mappers

from podium import bootstrap
from podium.cli.operator import serving
from podium.logs import configure_logs
from podium.sandbox.children import ChildSandbox
from podium.settings import Settings
from podium.storage.addresses import PATIENCE_SECONDS, open_store
from tests.builders.faults.planted import plant
from tests.builders.machine.clocks import sleep_in_spite_of_it


def main(folder: Path) -> None:
    """Answers orders until standard input ends; processes that were started live on."""
    configure_logs()
    sleep_in_spite_of_it()
    patience = float(os.environ.get("FAULTS_STORE_SECONDS", PATIENCE_SECONDS))
    # By the name under which `build` looks it up.
    vars(bootstrap)["open_store"] = partial(open_store, patience_seconds=patience)
    application = replace(
        bootstrap.build(Settings()),
        sandbox=ChildSandbox(tasks_module="tests.builders.faults.waiting_tasks"),
    )
    configuration = serving._server_settings(application)
    configure_mappers()
    # Children that end are not waited for: they are gone from the list of processes at once.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin:
        order = json.loads(line)
        pid = os.fork()
        if pid == 0:
            # It ends as a process does that was started by itself: what hangs keeps it.
            _run(order, application, configuration, folder)
            return
        os.write(1, b"%d\n" % pid)


def _run(order: dict[str, Any], application: Any, configuration: Any, folder: Path) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    log = os.open(order["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(log, 1)
    os.dup2(log, 2)
    if order["bug"]:
        plant(order["bug"])
    os.kill(os.getpid(), signal.SIGSTOP)
    up = folder / f"up-{os.getpid()}"
    try:
        if order["role"] == "api":
            serving._server_settings = lambda application: configuration
            listener = serving._bound("127.0.0.1", order["port"])
            serving._serve(application, listener, False, up.touch)
        else:
            serving._judge(application, up.touch)
    finally:
        application.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
