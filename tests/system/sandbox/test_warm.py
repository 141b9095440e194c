"""Children that a warm process forks are what children are that start by themselves."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from podium.sandbox.children import ChildSandbox
from podium.sandbox.warm import starting
from tests.builders.sandbox.children import LIMITS
from tests.builders.sandbox.hostile import HOSTILE, ForeignTask, Found, HostileTask

STATE = """
import os, re, resource, sys, threading, time
status = Path("/proc/self/status").read_text()
for name in ("Uid", "Gid", "Groups", "CapEff", "CapPrm", "CapInh", "CapBnd", "CapAmb", "NoNewPrivs",
             "Seccomp", "Seccomp_filters", "SigBlk", "SigIgn", "SigCgt"):
    found[name] = re.findall(rf"^{name}:[ \\t]*(.*)$", status, re.MULTILINE)
found["limits"] = {
    name: resource.getrlimit(getattr(resource, name))
    for name in dir(resource) if name.startswith("RLIMIT_")
}
def opened():
    for path in map("/proc/self/fd/{}".format, os.listdir("/proc/self/fd")):
        try:
            yield os.readlink(path).partition(":")[0]
        except FileNotFoundError:
            pass
# A thread of Polars looks up the limits of this process once, while it starts.
for _ in range(500):
    found["descriptors"] = sorted(opened())
    if not any(path.startswith(("/proc/", "/sys/")) for path in found["descriptors"]):
        break
    time.sleep(0.01)
found["environment"] = {
    name: value for name, value in os.environ.items() if name != "_RJEM_MALLOC_CONF"
}
found["folder"] = str(Path.cwd())
found["session"] = [os.getsid(0) - os.getpid(), os.getpgid(0) - os.getpid()]
found["parent"] = os.getppid()
found["last words"] = Path("/proc/self/oom_score_adj").read_text()
found["niceness"] = Path("/proc/self/stat").read_text().rpartition(")")[2].split()[16]
found["network"] = sorted(
    line.partition(":")[0] for line in Path("/proc/self/net/dev").read_text().splitlines()[2:]
) if Path("/proc/self/net/dev").exists() else []
found["finders"] = [getattr(each, "__name__", type(each).__name__) for each in sys.meta_path]
found["threads"] = threading.active_count()
"""

HASH = "found['hash'] = hash('podium')"

DRAWS = """
import random, sys
found["python"] = random.random()
found["numpy"] = float(sys.modules["numpy.random"].random())
"""

POLARS = """
import polars as pl
frame = pl.DataFrame({"of": range(300_000)}).with_columns(group=pl.col("of") % 7)
sums = frame.lazy().group_by("group").agg(pl.col("of").sum()).sort("group").collect()
found["sums"] = sums["of"].to_list()
found["threads"] = pl.thread_pool_size()
"""

IMPORTED = """
import sys
found["metrics"] = sorted({"pandas", "sklearn"} & set(sys.modules))
found["started"] = sys.orig_argv[4]
"""


@pytest.fixture
def warm() -> Iterator[ChildSandbox]:
    sandbox = ChildSandbox(threads=1, tasks_module=HOSTILE, is_warm=True, custom_metrics="on")
    yield sandbox
    assert sandbox.describe_start().startswith("warm")


def found_in(sandbox: ChildSandbox, task: HostileTask, scratch: Path) -> Mapping[str, Any]:
    scratch.mkdir(exist_ok=True)
    result = sandbox.run(task, limits=LIMITS, scratch=scratch)
    assert isinstance(result.answer, Found), result
    return result.answer.found


def of_code(code: str) -> HostileTask:
    return HostileTask(function="take-over", arguments={"code": code})


def of_metric(code: str, seed: int | None = None) -> ForeignTask:
    return ForeignTask(function="take-over", arguments={"code": code}, hash_seed=seed)


def test_nothing_tells_a_warm_child_from_a_cold_one(warm: ChildSandbox, tmp_path: Path) -> None:
    cold = ChildSandbox(threads=1, tasks_module=HOSTILE)
    # In the same folder, one after the other.
    expected = found_in(cold, of_code(STATE), tmp_path)
    assert expected["parent"] == os.getpid()
    assert expected["Seccomp"] == ["2"]
    for _ in range(2):
        assert found_in(warm, of_code(STATE), tmp_path) == expected


def test_all_tasks_of_a_service_are_loaded_without_a_thread() -> None:
    # Some need NumPy, whose library starts threads when it is loaded.
    sandbox = ChildSandbox(is_warm=True)
    assert sandbox.trouble() is None
    assert sandbox.describe_start().startswith("warm: forked")


def test_two_metrics_draw_other_random_numbers(warm: ChildSandbox, tmp_path: Path) -> None:
    first, second = (found_in(warm, of_metric(DRAWS), tmp_path) for _ in range(2))
    assert first["python"] != second["python"]
    assert first["numpy"] != second["numpy"]


def test_polars_works_in_a_warm_child_with_several_threads(tmp_path: Path) -> None:
    sandbox = ChildSandbox(threads=2, tasks_module=HOSTILE, is_warm=True)
    for _ in range(2):
        found = found_in(sandbox, of_code(POLARS), tmp_path)
        assert found["sums"] == [sum(range(rest, 300_000, 7)) for rest in range(7)]
        assert found["threads"] == 2
    assert sandbox.describe_start().startswith("warm")


def test_metrics_come_from_a_process_of_their_own_with_their_packages(
    warm: ChildSandbox, tmp_path: Path
) -> None:
    judging = found_in(warm, of_code(HASH + IMPORTED), tmp_path)
    metric = found_in(warm, of_metric(HASH + IMPORTED), tmp_path)
    assert judging["hash"] != metric["hash"]
    assert judging["metrics"] == []
    assert "sklearn" in metric["metrics"]
    assert metric["started"] == "podium.sandbox.warm.process"


def test_a_task_with_a_seed_of_hashes_starts_by_itself(warm: ChildSandbox, tmp_path: Path) -> None:
    assert found_in(warm, of_metric(IMPORTED), tmp_path)["started"].endswith("warm.process")
    seeded = found_in(warm, of_metric(IMPORTED, seed=1), tmp_path)
    assert seeded["started"] == "podium.sandbox.child"


def test_a_warm_process_is_replaced_after_so_many_children(
    warm: ChildSandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(starting, "MAX_FORKS", 2)
    hashes = [found_in(warm, of_code(HASH), tmp_path)["hash"] for _ in range(4)]
    assert hashes[0] == hashes[1]
    assert hashes[1] != hashes[2]
    assert hashes[2] == hashes[3]
