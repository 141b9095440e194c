"""Runs code in a child of an ordinary user's, who may give no other user to it.

python -m tests.builders.sandbox.ordinary_user SCRATCH [LANDLOCK,HAS_FILE] < code
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from podium.sandbox import Limits
from podium.sandbox.children import ChildSandbox
from tests.builders.sandbox.hostile import HOSTILE, CodeTask, Found
from tests.places import ROOT

LIMITS = Limits(memory_bytes=1 << 30, wall_seconds=120, file_bytes=64 << 20)
STRANGER = "65534"

AS_ORDINARY = ("setpriv", "--reuid", STRANGER, "--regid", STRANGER, "--clear-groups")

WITHIN_REACH = """
set -e
mount --bind "$1" /mnt
mount -t tmpfs -o mode=755 none "$0"
mkdir -p "$1"
mount --move /mnt "$1"
shift
exec "$@"
"""
"""Has an interpreter below a closed folder, such as the home of root, in an open one of the same
name, for the program that the rest of the words name."""


def code_run(
    scratch: Path, code: str, landlock: int | None = None, *, file: Path | None = None, **given: Any
) -> dict[str, Any]:
    """The findings of code in a child that is isolated as an organizer's code is."""
    scratch.mkdir(exist_ok=True)
    sandbox = ChildSandbox(
        tasks_module=HOSTILE, landlock_at_most=landlock, custom_metrics="on-unsandboxed"
    )
    task = CodeTask(function="take-over", arguments={"code": code, **given}, file=file)
    result = sandbox.run(task, limits=LIMITS, scratch=scratch)
    assert isinstance(result.answer, Found), (result.failure, result.report)
    return dict(result.answer.found)


def code_run_by_an_ordinary_user(
    code: str, landlock: int | None = None, *, has_file: bool = False
) -> dict[str, Any]:
    """The same where the parent is an ordinary user, as most services run. A file that is `given`
    holds the word input."""
    # Not where tests keep their files: others may not enter that.
    with tempfile.TemporaryDirectory(prefix="podium-ordinary-") as scratch:
        words = [sys.executable, "-m", __name__, scratch, json.dumps([landlock, has_file])]
        if os.geteuid() == 0:
            os.chown(scratch, int(STRANGER), int(STRANGER))
            words = [*_within_reach(), *AS_ORDINARY, *words]
        ended = subprocess.run(
            words,
            input=code,
            capture_output=True,
            text=True,
            check=False,
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "TMPDIR": scratch},
        )
    assert ended.returncode == 0, ended.stderr
    found: dict[str, Any] = json.loads(ended.stdout)
    return found


def _within_reach() -> list[str]:
    closed = [str(each) for each in Path(sys.base_prefix).parents if not each.stat().st_mode & 1]
    if not closed:
        return []
    return ["unshare", "-m", "sh", "-c", WITHIN_REACH, closed[-1], sys.base_prefix]


if __name__ == "__main__":
    newest, is_given = json.loads(sys.argv[2])
    named: dict[str, Any] = {}
    if is_given:
        own = Path(sys.argv[1], "input")
        own.write_text("input")
        named = {"file": own, "given": str(own)}
    answer = code_run(Path(sys.argv[1], "child"), sys.stdin.read(), newest, **named)
    sys.stdout.write(json.dumps(answer))
