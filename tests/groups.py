"""The order of tests, and groups of them that go to the same worker of pytest-xdist.

Tests share what is expensive to build: those of modules that name the same group a server, those of
a fast module its installation. `--dist loadgroup` means the former, but up to 3.8 it writes the
group into a test's id, which pytest 9.2 no longer lets it do. Ids stay as they are here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

from tests.costs import Recorded

GROUP = re.compile(r'^pytestmark = .*?xdist_group\("([^"]+)"\)', re.MULTILINE | re.DOTALL)

CASES = "[]"
"""The end of the name of a group that is one for each case of its tests."""

FAST = ("tests/unit/", "tests/integration/", "tests/api/")
"""Tiers whose modules are short."""

COMPUTING = 3
"""One of so many workers begins with the shortest units, which compute while the long ones wait."""


class GroupScheduling(LoadScopeScheduling):  # type: ignore[misc]  # xdist has no types
    """Hands out whole groups, whole modules of the fast tiers, and every other test alone; those
    that took longest when it was last measured come first."""

    def __init__(self, config: pytest.Config, log: Any) -> None:
        super().__init__(config, log)
        self._root = config.rootpath
        self._is_sorted = False

    def _split_scope(self, nodeid: str) -> str:
        module, _, name = nodeid.partition("::")
        group = group_of(self._root / module)
        if group is not None and group.endswith(CASES):
            return group + name.partition("[")[2]
        return group or (module if module.startswith(FAST) else nodeid)

    def _assign_work_unit(self, node: Any) -> None:
        if not self._is_sorted:
            self._sort()
        if self.nodes.index(node) % COMPUTING == COMPUTING - 1:
            self.workqueue.move_to_end(next(reversed(self.workqueue)), last=False)
        super()._assign_work_unit(node)

    def _sort(self) -> None:
        recorded = Recorded.read()

        def seconds(tests: Iterable[str]) -> float:
            return sum(map(recorded.seconds, tests))

        units = sorted(self.workqueue.items(), key=lambda unit: -seconds(unit[1]))
        self.workqueue.clear()
        self.workqueue.update(units)
        self._is_sorted = True


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> GroupScheduling | None:
    """Ours in place of that of the same name."""
    return GroupScheduling(config, log) if config.getoption("dist") == "loadgroup" else None


@cache
def group_of(module: Path) -> str | None:
    """The group that a module's `pytestmark` names."""
    found = GROUP.search(module.read_text())
    return found[1] if found else None
