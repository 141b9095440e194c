"""The share of the processors that a child gets where others want them too."""

from __future__ import annotations

from pathlib import Path

import psutil

from podium.sandbox.children import NICENESS, ChildSandbox
from tests.builders.sandbox.children import LIMITS
from tests.builders.sandbox.hostile import HOSTILE, HostileTask


def test_a_child_works_with_what_others_leave(tmp_path: Path) -> None:
    seen: list[tuple[int, str]] = []

    def look() -> bool:
        for child in psutil.Process().children():
            if "podium.sandbox.child" in child.cmdline():
                group = Path(f"/proc/{child.pid}/autogroup")
                seen.append((child.nice(), group.read_text() if group.exists() else ""))
        return bool(seen)

    sandbox = ChildSandbox(threads=1, tasks_module=HOSTILE)
    sandbox.run(HostileTask(function="sleep"), limits=LIMITS, scratch=tmp_path, should_stop=look)
    [(nice, group)] = seen
    assert nice == NICENESS
    assert group == "" or group.endswith(f"nice {NICENESS}\n")
