"""Children that are asked to do hostile things."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from podium.sandbox import Limits, Rejected, Result
from podium.sandbox.children import ChildSandbox
from tests.builders.sandbox.hostile import HOSTILE, Found, HostileTask

LIMITS = Limits(memory_bytes=400 << 20, wall_seconds=60, file_bytes=4 << 20)


def run(
    function: str, scratch: Path, limits: Limits = LIMITS, **arguments: object
) -> Result[Found | Rejected]:
    """The result of a child that runs a function of `HOSTILE`."""
    sandbox = ChildSandbox(threads=1, tasks_module=HOSTILE)
    return sandbox.run(
        HostileTask(function=function, arguments=arguments), limits=limits, scratch=scratch
    )


def found_by(function: str, scratch: Path) -> Mapping[str, Any]:
    """The findings of a function of `HOSTILE`."""
    answer = run(function, scratch).answer
    assert isinstance(answer, Found)
    return answer.found
