"""A control group of the kernel with little memory, for processes that a test starts in it."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

LIMITS = ("memory.max", "memory.limit_in_bytes")
"""A group's limit in version 2 and in version 1."""


class NoGroup(Exception):
    """No such group can be made here, and this is why."""


class MemoryGroup:
    """A group that the kernel keeps below its limit, by killing where nothing else helps."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def limit(self, amount: int | None) -> None:
        """So many bytes for all of its processes together; None lifts the limit."""
        for name in LIMITS:
            if (path := self._folder / name).exists():
                path.write_text(str(amount or ("max" if name == LIMITS[0] else -1)))

    def entering(self, command: Sequence[str]) -> list[str]:
        """The command, run by a process of the group."""
        entry = f'echo $$ > "{self._folder}/cgroup.procs" && exec "$@"'
        return ["sh", "-c", entry, "sh", *command]

    def used(self) -> int:
        """The bytes of its processes that no file gives back."""
        lines = (self._folder / "memory.stat").read_text().splitlines()
        amounts = dict(line.split() for line in lines)
        return int(amounts.get("anon") or amounts["rss"])

    def kills(self) -> int:
        """The number of its processes that the kernel has killed."""
        for name in ("memory.events", "memory.oom_control"):
            if (path := self._folder / name).exists():
                counts = dict(line.split() for line in path.read_text().splitlines())
                return int(counts["oom_kill"])
        return 0


@contextmanager
def memory_group() -> Iterator[MemoryGroup]:
    """A new group without a limit yet, below our own. Raises `NoGroup`."""
    folder = _own_group() / f"podium-test-{uuid.uuid4().hex}"
    try:
        folder.mkdir()
    except OSError as error:
        raise NoGroup(f"a control group cannot be made here: {error}") from error
    try:
        if not any((folder / name).exists() for name in LIMITS):
            raise NoGroup("memory is not limited by control groups here")
        yield MemoryGroup(folder)
    finally:
        # A process that has just ended may still be counted: then the group is left empty.
        with suppress(OSError):
            folder.rmdir()


def _own_group() -> Path:
    lines = [line.split(":", 2) for line in Path("/proc/self/cgroup").read_text().splitlines()]
    for _, controllers, group in lines:
        if controllers == "memory":
            return Path("/sys/fs/cgroup/memory") / group.lstrip("/")
    for _, controllers, group in lines:
        if not controllers:
            return Path("/sys/fs/cgroup") / group.lstrip("/")
    raise NoGroup("this machine has no control groups")
