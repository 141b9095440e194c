"""The share of the machine that a child has while others want it too."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

NICENESS = 10
"""A tenth of the processor where others want it too."""

NICENESS_IN_BACKGROUND = 19
"""The least that there is; inside of its group such a child works only while no other does."""

FIRST_TO_END = 1000

NEARLY_FIRST = 900
"""A child that is waited for is ended after one in the background, and before all others."""


def come_last(process: int, *, in_background: bool = False) -> None:
    """Makes the process the kernel's first choice where memory ends, and has it work with what
    others leave of the processors: a board is waited for, and a verdict is not. The kernel may
    weigh whole sessions against each other, and a child has one of its own, so that both are told.
    """
    niceness = NICENESS_IN_BACKGROUND if in_background else NICENESS
    with suppress(OSError):
        choice = FIRST_TO_END if in_background else NEARLY_FIRST
        Path(f"/proc/{process}/oom_score_adj").write_text(str(choice))
    with suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, process, niceness)
        Path(f"/proc/{process}/autogroup").write_text(str(niceness))
