"""The share of the machine that a child has while others want it too."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

NICENESS = 10
"""A tenth of the processor where others want it too."""


def come_last(process: int) -> None:
    """Makes the process the kernel's first choice where memory ends, and has it work with what
    others leave of the processors: a board is waited for, and a verdict is not. The kernel may
    weigh whole sessions against each other, and a child has one of its own, so that both are told.
    """
    with suppress(OSError):
        Path(f"/proc/{process}/oom_score_adj").write_text("1000")
    with suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, process, NICENESS)
        Path(f"/proc/{process}/autogroup").write_text(str(NICENESS))
