"""The priority of children: what they get of the processors, and when the kernel kills them."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

NICENESS = 10
"""About a tenth of a processor when others want it too."""

NICENESS_IN_BACKGROUND = 19
"""The lowest priority; within its group such a child runs only while no other does."""

FIRST_TO_END = 1000

NEARLY_FIRST = 900
"""The kernel kills a child that people wait for after those in the background, and before all other
processes."""


def come_last(process: int, *, in_background: bool = False) -> None:
    """Makes the process the kernel's first choice when memory runs out, and leaves it the processor
    time that others do not need: people wait for pages, not for verdicts. Both the process and its
    session get the priority, because the kernel may weigh whole sessions against each other."""
    niceness = NICENESS_IN_BACKGROUND if in_background else NICENESS
    with suppress(OSError):
        choice = FIRST_TO_END if in_background else NEARLY_FIRST
        Path(f"/proc/{process}/oom_score_adj").write_text(str(choice))
    with suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, process, niceness)
        Path(f"/proc/{process}/autogroup").write_text(str(niceness))
