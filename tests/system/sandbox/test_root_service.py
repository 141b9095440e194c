"""Children of a service that is root: what a user without any right still finds on the machine.

Each look is taken with Landlock and without, as if the kernel had none: then nothing but the user
and the folders of the service keep a child off.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from podium.sandbox import Limits
from podium.sandbox.children import ChildSandbox
from tests.builders.sandbox.hostile import HOSTILE, CodeTask, Found
from tests.builders.sandbox.ordinary_user import code_run_by_an_ordinary_user
from tests.places import ROOT

LIMITS = Limits(memory_bytes=1 << 30, wall_seconds=60, file_bytes=4 << 20)

only_root = pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("unshare") is None, reason="only root has such children"
)

LOOK = """
import os
from podium.sandbox.inputs import input_at
def outcome(act, *given):
    try:
        act(*given)
    except OSError as error:
        return type(error).__name__
    return "reached"
def again(flags):
    return [outcome(os.open, f"/proc/self/fd/{number}", flags) for number in inputs]
found["read"] = {path: outcome(Path(path).read_bytes) for path in paths}
found["looked"] = {path: outcome(os.stat, path) for path in paths}
found["by path"] = outcome(Path(given).read_bytes)
found["input"] = input_at(given).read_bytes().decode()
inputs = [int(each) for each in os.listdir("/proc/self/fd") if int(each) > 2]
inputs = [each for each in inputs if os.path.isfile(f"/proc/self/fd/{each}")]
found["again"] = again(os.O_RDONLY) + again(os.O_RDWR)
found["written"] = [outcome(os.write, number, b"x") for number in inputs]
found["up"] = outcome(os.listdir, "..")
Path("made").write_text("by a short way")
(Path.cwd() / "made-too").write_text("by the whole way")
status = Path("/proc/self/status").read_text()
found["capabilities"] = [line.split()[1] for line in status.splitlines() if line[:3] == "Cap"]
import json.tool, sqlite3, wave
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder as that of a service, which is closed to others, with what it keeps there."""
    folder = tmp_path / "data"
    (folder / "scratch" / "child").mkdir(parents=True)
    for name in ("podium.sqlite3", "truth", "submission"):
        (folder / name).write_text(name)
        (folder / name).chmod(0o600)
    folder.chmod(0o700)
    return folder


def looked_around(data: Path, *, is_warm: bool, landlock: int | None) -> dict[str, Any]:
    sandbox = ChildSandbox(
        threads=1,
        tasks_module=HOSTILE,
        custom_metrics="on-unsandboxed",
        landlock_at_most=landlock,
        is_warm=is_warm,
    )
    named = ["/etc/shadow", "/root/.bashrc", *map(str, (data / "podium.sqlite3", data / "truth"))]
    given = {"code": LOOK, "paths": named, "given": str(data / "submission")}
    task = CodeTask(function="take-over", arguments=given, file=data / "submission")
    result = sandbox.run(task, limits=LIMITS, scratch=data / "scratch" / "child")
    assert isinstance(result.answer, Found), (result.failure, result.report)
    assert ("warm" in sandbox.describe_start()) == is_warm
    return dict(result.answer.found)


@only_root
@pytest.mark.parametrize("is_warm", [False, True])
@pytest.mark.parametrize("landlock", [0, None])
def test_a_child_of_root_reads_its_input_and_finds_nothing_else(
    data: Path, is_warm: bool, landlock: int | None
) -> None:
    found = looked_around(data, is_warm=is_warm, landlock=landlock)
    assert "reached" not in found["read"].values(), found["read"]
    assert {path for path, end in found["looked"].items() if end == "reached"} <= {"/etc/shadow"}
    assert (found["input"], found["by path"]) == ("submission", "FileNotFoundError")
    assert found["again"] == ["PermissionError"] * 2
    assert found["written"] == ["OSError"]
    assert found["up"] == "PermissionError"
    assert found["capabilities"] == ["0" * 16] * 5
    made = data / "scratch" / "child"
    assert {path.name for path in made.iterdir()} == {"made", "made-too"}
    assert (data / "submission").stat().st_mode & 0o777 == 0o600


def test_a_child_of_an_ordinary_user_reads_its_input_by_descriptor_alone() -> None:
    code = """
import os
from podium.sandbox.inputs import input_at
found["input"] = input_at(given).read_bytes().decode()
try:
    Path(given).read_bytes()
except OSError as error:
    found["by path"] = type(error).__name__
found["users"] = os.getresuid()
"""
    found = code_run_by_an_ordinary_user(code, has_file=True)
    assert (found["input"], found["by path"]) == ("input", "PermissionError")
    assert 0 not in found["users"]


WITHOUT_MOUNTS = """
echo ready
read mapped
exec sh -c 'echo 0 > /proc/sys/user/max_mnt_namespaces && exec "$@"' sh "$@"
"""
"""Only a program that is started as root has root's rights in a namespace of users."""

CLOSED_LIBRARY = """
set -e
cp "$0" "$1"
chmod 600 "$1"
mount --bind "$1" "$0"
shift
exec "$@"
"""

DESCRIBE = f"""
import json
from podium.sandbox.children import ChildSandbox
from podium.sandbox.custom_code import strength_of
sandbox = ChildSandbox(tasks_module="{HOSTILE}")
isolation = sandbox.describe()
print(json.dumps([isolation["privileges"], strength_of(isolation), sandbox.trouble()]))
"""


@only_root
def test_where_mounts_are_refused_the_child_may_read_and_the_operator_is_told() -> None:
    """In a namespace of users of its own, where all users are and mounts are not."""
    words = ["unshare", "--user", "sh", "-c", WITHOUT_MOUNTS, "sh", sys.executable, "-c", DESCRIBE]
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as asked:
        assert asked.stdin is not None
        assert asked.stdout is not None
        assert asked.stdout.readline() == "ready\n"
        for kind in ("uid", "gid"):
            Path(f"/proc/{asked.pid}/{kind}_map").write_text("0 0 100000")
        asked.stdin.write("mapped\n")
        asked.stdin.close()
        privileges, strength, trouble = json.loads(asked.stdout.read())
    assert privileges.startswith("dropped but for reading everything (mounts of its own are refuse")
    assert strength.startswith("good: it may read every file that Landlock lets it")
    assert trouble is None


@only_root
def test_where_libraries_are_closed_the_child_may_read_and_the_operator_is_told(
    tmp_path: Path,
) -> None:
    closed = ROOT / "tests" / "places.py"
    shell = ["unshare", "--mount", "sh", "-c", CLOSED_LIBRARY, str(closed), str(tmp_path / "copy")]
    ended = subprocess.run(
        [*shell, sys.executable, "-c", DESCRIBE],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert ended.returncode == 0, ended.stderr
    privileges, strength, trouble = json.loads(ended.stdout)
    assert privileges.startswith(f"dropped but for reading everything ({closed} is closed to other")
    assert "below /opt" in privileges
    assert strength.startswith("good: it may read every file that Landlock lets it")
    assert trouble is None
