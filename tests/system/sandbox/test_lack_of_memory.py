"""A child that the kernel kills because its container is full, within the child's own limits."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.builders.machine.memory_group import MemoryGroup

CODE = """
import json, sys
from pathlib import Path
from podium.sandbox import Limits
from podium.sandbox.children import ChildSandbox
from tests.builders.sandbox.hostile import HOSTILE, HostileTask

sandbox = ChildSandbox(threads=1, tasks_module=HOSTILE)
limits = Limits(memory_bytes=int(sys.argv[2]), wall_seconds=120, file_bytes=4 << 20)
ending = sandbox.run(HostileTask(function="grow"), limits=limits, scratch=Path(sys.argv[1]))
print(json.dumps([ending.failure, ending.report]))
"""


def test_a_child_that_a_full_container_kills_lacked_memory(
    group: MemoryGroup, tmp_path: Path
) -> None:
    group.limit(600 << 20)
    failure, report = _grown(group, tmp_path, may_use=8 << 30)
    assert group.kills() == 1
    assert failure == "lack-of-memory"
    assert "lack of memory" in report


def test_a_child_that_passes_its_own_limit_first_used_too_much(
    group: MemoryGroup, tmp_path: Path
) -> None:
    group.limit(6 << 30)
    failure, _ = _grown(group, tmp_path, may_use=300 << 20)
    assert group.kills() == 0
    assert failure == "memory"


def _grown(group: MemoryGroup, scratch: Path, *, may_use: int) -> tuple[str, str]:
    """The result of a child that takes more and more memory in this group."""
    command = group.entering([sys.executable, "-c", CODE, str(scratch), str(may_use)])
    ran = subprocess.run(
        command,
        env={**os.environ, "PYTHONPATH": str(Path.cwd())},
        check=True,
        capture_output=True,
        timeout=300,
    )
    failure, report = json.loads(ran.stdout)
    return failure, report
