"""The control groups that this process is in: their limits, and counts of processes that the kernel
killed for lack of memory.

Version 1 has a hierarchy for each controller, version 2 one for all, and a machine may have both. A
container may see only its own group, mounted anywhere: paths come from the table of mounts.
Unreadable files count as empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

BOUNDLESS = 1 << 60
"""Version 1 shows no limit as a number beyond all memory; from this one on, there is none."""


class ControlGroups:
    """Limits and counts of this process's groups; `root` is the folder with `/proc` and all
    mounts."""

    def __init__(self, root: Path = Path("/")) -> None:
        self._root = root

    def processors(self) -> float | None:
        """Returns the number of processors that the tightest group allows; None without a limit."""
        shares = []
        for group in self._groups("cpu"):
            quota, _, period = _text(group / "cpu.max").partition(" ")
            quota = quota or _text(group / "cpu.cfs_quota_us")
            period = period or _text(group / "cpu.cfs_period_us")
            # Without a limit the quota is `max` or -1.
            if quota.isdigit() and period.isdigit() and int(period):
                shares.append(int(quota) / int(period))
        return min(shares, default=None)

    def memory_bytes(self) -> int | None:
        """Returns the bytes that the tightest group allows; None without a limit."""
        limits = []
        for group in self._groups("memory"):
            for name in ("memory.max", "memory.limit_in_bytes"):
                text = _text(group / name)
                limits += [int(text)] if text.isdigit() else []
        return min((limit for limit in limits if limit < BOUNDLESS), default=None)

    def memory_kills(self) -> int:
        """Returns a number that rises whenever the kernel kills a process for lack of memory, in
        our groups or on this machine; by itself it means nothing."""
        counts = [self._root / "proc/vmstat"]
        for group in self._groups("memory"):
            counts += [group / "memory.events", group / "memory.oom_control"]
        found = (re.search(r"^oom_kill (\d+)$", _text(path), re.MULTILINE) for path in counts)
        return sum(int(match[1]) for match in found if match)

    def _groups(self, controller: str) -> Iterator[Path]:
        """Yields the folders of our groups that limit this resource, from our own up to the
        topmost."""
        for line in _text(self._root / "proc/self/cgroup").splitlines():
            # `4:memory:/ours` in version 1, `0::/ours` in version 2.
            _, _, rest = line.partition(":")
            named, _, ours = rest.partition(":")
            if named and controller not in named.split(","):
                continue
            for top, place in self._mounts(controller if named else None):
                # Our path may be given as seen from outside; then the mount is all that we can see.
                is_below = ours == top or ours.startswith(top.rstrip("/") + "/")
                below = ours[len(top.rstrip("/")) :].strip("/") if is_below else ""
                group = place / below
                while group != place:
                    yield group
                    group = group.parent
                yield place

    def _mounts(self, controller: str | None) -> Iterator[tuple[str, Path]]:
        """Yields the mounts of this controller's hierarchy (None: that of version 2): the mounted
        group, and the folder."""
        for line in _text(self._root / "proc/self/mountinfo").splitlines():
            mount, _, source = line.partition(" - ")
            kind, _, options = source.partition(" ")
            wanted = (
                kind == "cgroup2"
                if controller is None
                else kind == "cgroup" and controller in options.rpartition(" ")[2].split(",")
            )
            if wanted:
                top, place = mount.split(" ")[3:5]
                yield _unescaped(top), self._root / _unescaped(place).lstrip("/")


def _text(path: Path) -> str:
    try:
        return path.read_text().strip()
    except (OSError, UnicodeDecodeError):
        return ""


def _unescaped(name: str) -> str:
    r"""Returns a name of the table of mounts without its escapes: there a space is `\040`."""
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), name)
