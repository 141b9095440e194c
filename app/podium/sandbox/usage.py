"""The resources that a running child uses, read from the kernel."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

PAGE = os.sysconf("SC_PAGE_SIZE")

OWN_MEMORY = re.compile(rb"^(?:RssAnon|RssShmem|VmSwap):\s+(\d+) kB", re.MULTILINE)
THREADS = re.compile(rb"^Threads:\s+(\d+)$", re.MULTILINE)
WRITTEN = re.compile(rb"^write_bytes: (\d+)", re.MULTILINE)


def memory_of(process: int) -> int:
    """Bytes that are the process's own, shared memory and what was swapped out included: pages of
    files that it merely maps are not counted."""
    place = Path(f"/proc/{process}")
    try:
        found = OWN_MEMORY.findall((place / "status").read_bytes())
        if not found:
            # A first thread that has ended has no memory any more; the others may go on.
            threads = (place / "task").glob("*/status")
            found = next(
                filter(None, (OWN_MEMORY.findall(each.read_bytes()) for each in threads)), []
            )
        if found:
            return sum(map(int, found)) << 10
        # Kernels in user space tell less.
        fields = (place / "statm").read_bytes().split()
    except OSError:
        return 0
    return (int(fields[1]) - int(fields[2])) * PAGE


def threads_of(process: int) -> int:
    """Threads of the process; 0 where the kernel does not tell."""
    return _number_in(Path(f"/proc/{process}/status"), THREADS)


def written_by(process: int) -> int:
    """Bytes that the process has had written to disks since it began, those of files included that
    no folder shows any more; 0 where the kernel does not tell."""
    return _number_in(Path(f"/proc/{process}/io"), WRITTEN)


def seconds_without_processor(process: int) -> float:
    """The longest time that a thread of the process was ready to run while others had the
    processors; 0 where the kernel does not tell."""
    longest = 0
    with suppress(OSError):
        for statistics in Path(f"/proc/{process}/task").glob("*/schedstat"):
            longest = max(longest, int(statistics.read_text().split()[1]))
    return longest / 1e9


def _number_in(file: Path, pattern: re.Pattern[bytes]) -> int:
    try:
        found = pattern.search(file.read_bytes())
    except OSError:
        return 0
    return int(found[1]) if found else 0
