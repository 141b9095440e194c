"""Judging in this process, for claims about what is answered rather than about what is survived.

The same acts and the same documents, without what a child costs to start. Files that could end a
process, such as damaged Parquet, need the child.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from contextlib import chdir
from dataclasses import replace
from pathlib import Path

from podium.application import Application
from podium.bootstrap import build
from podium.sandbox import Ending, Limits, Order
from podium.sandbox.leavings import with_files
from podium.sandbox.tasks.acts import ACTS
from podium.settings import Settings


class InProcess:
    """Runs orders without walls and limits, each in its folder; never two at a time."""

    # The folder that a process works in is that of all its threads.
    _one_at_a_time = threading.Lock()

    def run(
        self,
        order: Order,
        *,
        limits: Limits,
        scratch: Path,
        on_progress: Callable[[float], None] | None = None,
        should_stop: Callable[[], bool] | None = None,
    ) -> Ending:
        """The document, through JSON as from a child; raises what the act raises."""
        arguments = json.loads(json.dumps(order.arguments))
        with self._one_at_a_time, chdir(scratch):
            document = ACTS[order.act](on_progress or (lambda _: None), **arguments)
        return with_files(Ending(document=json.loads(json.dumps(document))), order, scratch)

    def describe(self) -> dict[str, str]:
        """No walls stand here."""
        return {}

    def refusal(self) -> str | None:
        """Orders are run."""
        return None

    def trouble(self) -> str | None:
        """Nothing is started."""
        return None


def build_in_process(settings: Settings) -> Application:
    """The real collaborators, except that nothing is started to read what people send."""
    return replace(build(settings), sandbox=InProcess())
