"""A worker in a process of its own, with the odd judge; its settings come from the environment."""

from __future__ import annotations

import threading
from dataclasses import replace

from app.bootstrap import build
from app.logs import configure_logs
from app.sandbox.children import ChildSandbox
from app.settings import Settings
from app.worker.service import start

if __name__ == "__main__":
    configure_logs(json=True)
    sandbox = ChildSandbox(acts_module="tests.integration.judging.odd_acts")
    start(replace(build(Settings()), sandbox=sandbox))
    threading.Event().wait(120)
