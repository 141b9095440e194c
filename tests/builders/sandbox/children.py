"""Children that are asked to do hostile acts."""

from __future__ import annotations

from pathlib import Path

from podium.sandbox import Ending, Limits, Order
from podium.sandbox.children import ChildSandbox

HOSTILE = "tests.builders.sandbox.hostile_acts"
LIMITS = Limits(memory_bytes=400 << 20, wall_seconds=60, file_bytes=4 << 20)


def run(act: str, scratch: Path, limits: Limits = LIMITS, **arguments: object) -> Ending:
    sandbox = ChildSandbox(threads=1, acts_module=HOSTILE)
    return sandbox.run(Order(act, arguments), limits=limits, scratch=scratch)
