"""The hostile tasks, in a process that has a thread as soon as they are loaded."""

from __future__ import annotations

import threading

from tests.builders.sandbox.hostile_tasks import TASKS

threading.Thread(target=threading.Event().wait, daemon=True).start()

__all__ = ["TASKS"]
