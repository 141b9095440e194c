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
    """Returns the bytes of the process's own memory, including shared memory and swap: pages of
    files that are only mapped do not count. 0 if the kernel does not say."""
    place = Path(f"/proc/{process}")
    try:
        found = OWN_MEMORY.findall((place / "status").read_bytes())
        if not found:
            # A main thread that has ended shows no memory; the others may go on.
            threads = (place / "task").glob("*/status")
            found = next(
                filter(None, (OWN_MEMORY.findall(each.read_bytes()) for each in threads)), []
            )
        if found:
            return sum(map(int, found)) << 10
        # Kernels in user space show less.
        fields = (place / "statm").read_bytes().split()
    except OSError:
        return 0
    return (int(fields[1]) - int(fields[2])) * PAGE


def threads_of(process: int) -> int:
    """Returns the number of threads of the process; 0 if the kernel does not say."""
    return _number_in(Path(f"/proc/{process}/status"), THREADS)


def written_by(process: int) -> int:
    """Returns the bytes that the process has written to disks since it began, including files that
    no folder shows any more; 0 if the kernel does not say."""
    return _number_in(Path(f"/proc/{process}/io"), WRITTEN)


def seconds_without_processor(process: int) -> float:
    """Returns the longest time in seconds for which a thread of the process has waited for a
    processor; 0 if the kernel does not say."""
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
