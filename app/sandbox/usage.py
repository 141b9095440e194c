"""The resource usage of a running child, read from the kernel by its parent."""

from __future__ import annotations

import os
import re
from pathlib import Path

PAGE = os.sysconf("SC_PAGE_SIZE")

OWN_MEMORY = re.compile(rb"^(?:RssAnon|RssShmem|VmSwap):\s+(\d+) kB", re.MULTILINE)
WRITTEN = re.compile(rb"^write_bytes: (\d+)", re.MULTILINE)


def memory_of(process: int) -> int:
    """Bytes that are the process's own, shared memory and what was swapped out included: pages of
    files that it merely maps are not counted."""
    try:
        found = OWN_MEMORY.findall(Path(f"/proc/{process}/status").read_bytes())
        if found:
            return sum(map(int, found)) << 10
        # Kernels in user space tell less.
        fields = Path(f"/proc/{process}/statm").read_bytes().split()
    except OSError:
        return 0
    return (int(fields[1]) - int(fields[2])) * PAGE


def written_by(process: int) -> int:
    """Bytes that the process has had written to disks since it began, those of files included that
    no folder shows any more; 0 where the kernel does not tell."""
    try:
        found = WRITTEN.search(Path(f"/proc/{process}/io").read_bytes())
    except OSError:
        return 0
    return int(found[1]) if found else 0
