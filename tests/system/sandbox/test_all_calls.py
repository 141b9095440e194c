"""Every number of a system call, tried from inside a real child by code of an organizer's."""

from __future__ import annotations

import os
import platform
import shutil
from pathlib import Path
from typing import Any

import pytest

from podium.sandbox.isolation.calls import ALLOWED
from tests.builders.sandbox.ordinary_user import code_run, code_run_by_an_ordinary_user

pytestmark = pytest.mark.skipif(
    platform.machine() not in ("x86_64", "aarch64"), reason="no numbers of calls for this machine"
)

COLUMN = {"x86_64": 0, "aarch64": 1}.get(platform.machine(), 0)
IN_TABLE = {entry[COLUMN]: name for name, entry in ALLOWED.items() if entry[COLUMN] is not None}

JUDGED = {
    "x86_64": {2, 9, 16, 56, 72, 121, 124, 143, 145, 157, 204, 228, 229, 230, 234, 257, 302, 316}
    | {435, 437},
    "aarch64": {25, 29, 56, 113, 114, 115, 120, 121, 123, 131, 155, 156, 167, 220, 222, 261, 276}
    | {435, 437},
}.get(platform.machine(), set())
"""Calls that depend on their arguments: other tests try them."""

ENDLESS = {"exit", "exit_group", "rt_sigreturn", "pause"}
"""Calls that do not come back."""

OF_PROBES = {335, 336} if platform.machine() == "x86_64" else set()
"""Calls that no filter sees: the kernel makes them itself where it traces a program, and ends any
other process that does (SIGILL)."""

TRY_ALL = """
import resource
before = Path("/proc/self/status").read_text()
found["refused"] = {number: call(number, 0, 0, 0, 0, 0, 0) for number in refused}
found["allowed"] = {number: call(number, -1, -1, -1, -1, -1, -1) for number in allowed}
found["far"] = [call(number, 0, 0, 0, 0, 0, 0) for number in (1 << 16, (1 << 30) - 1)]
kept = ("Uid", "Gid", "CapPrm", "Seccomp", "NoNewPrivs", "Threads", "Cpus_allowed")
def of(status): return [line for line in status.splitlines() if line.split(":")[0] in kept]
found["changed"] = of(before) != of(Path("/proc/self/status").read_text())
found["folder"] = sorted(path.name for path in Path().iterdir())
"""


def given() -> str:
    """The code with the numbers that it tries."""
    refused = [n for n in range(700) if n not in IN_TABLE and n not in JUDGED | OF_PROBES]
    allowed = [n for n, name in IN_TABLE.items() if name not in ENDLESS and n not in JUDGED]
    return f"refused, allowed = {refused}, {allowed}\n{TRY_ALL}"


def require_the_table(found: dict[str, Any]) -> None:
    reached = {
        n: error for n, error in found["refused"].items() if error not in ("EPERM", "ENOSYS")
    }
    assert reached == {}
    assert set(found["far"]) == {"ENOSYS"}
    refused = [IN_TABLE[int(n)] for n, error in found["allowed"].items() if error == "EPERM"]
    assert refused == [], "the table says that these are allowed"
    assert not found["changed"]
    assert found["folder"] == []


@pytest.mark.parametrize("landlock", [0, 1, 3, None])
def test_every_call_but_those_of_the_table_is_refused(tmp_path: Path, landlock: int | None) -> None:
    require_the_table(code_run(tmp_path / "s", given(), landlock))


@pytest.mark.skipif(
    os.geteuid() == 0 and shutil.which("setpriv") is None, reason="setpriv is not installed"
)
@pytest.mark.parametrize("landlock", [0, None])
def test_the_same_holds_where_the_service_is_an_ordinary_user(landlock: int | None) -> None:
    code = f"{given()}\nimport os\nfound['users'] = os.getresuid()"
    found = code_run_by_an_ordinary_user(code, landlock)
    require_the_table(found)
    assert 0 not in found["users"]
