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
        """The bytes, the kernel's own for its processes included, that no file gives back."""
        cached = self._counts("memory.stat")
        all_of_it = self._existing("memory.current", "memory.usage_in_bytes").read_text()
        return int(all_of_it) - cached["active_file"] - cached["inactive_file"]

    def kills(self) -> int:
        """The number of its processes that the kernel has killed."""
        return self._counts("memory.events", "memory.oom_control")["oom_kill"]

    def _counts(self, *names: str) -> dict[str, int]:
        lines = self._existing(*names).read_text().splitlines()
        return {name: int(count) for name, count in (line.split() for line in lines)}

    def _existing(self, *names: str) -> Path:
        """The first of these files that there is: names differ between the kernel's versions."""
        return next(path for name in names if (path := self._folder / name).exists())


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
