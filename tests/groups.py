"""Groups of tests that go to the same worker of pytest-xdist: those of modules that name the same
group.

`--dist loadgroup` means this, but up to 3.8 it writes the group into a test's id, which pytest 9.2
no longer lets it do, and then every worker starts every server. Ids stay as they are here.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

GROUP = re.compile(r'^pytestmark = .*?xdist_group\("([^"]+)"\)', re.MULTILINE | re.DOTALL)


class GroupScheduling(LoadScopeScheduling):  # type: ignore[misc]  # xdist has no types
    """Hands out whole groups, the largest first, and then every other test alone."""

    def __init__(self, config: pytest.Config, log: Any) -> None:
        super().__init__(config, log)
        self._root = config.rootpath

    def _split_scope(self, nodeid: str) -> str:
        return group_of(self._root / nodeid.partition("::")[0]) or nodeid


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> GroupScheduling | None:
    """Ours in place of that of the same name."""
    return GroupScheduling(config, log) if config.getoption("dist") == "loadgroup" else None


@cache
def group_of(module: Path) -> str | None:
    """The group that a module's `pytestmark` names."""
    found = GROUP.search(module.read_text())
    return found[1] if found else None
