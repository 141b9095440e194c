"""Reads files of control groups, in both versions and in odd places."""

from __future__ import annotations

from pathlib import Path

import pytest

from podium.sandbox.isolation.control_groups import ControlGroups

V2 = "31 23 0:28 {top} /sys/fs/cgroup rw,relatime shared:9 - cgroup2 cgroup2 rw,nsdelegate"
V1 = "35 31 0:32 {top} /sys/fs/cgroup/{at} rw,relatime - cgroup cgroup rw,{controllers}"


class Machine:
    """A root folder with the files of a kernel."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.groups = ControlGroups(root)

    def has(self, groups: str, *mounts: str) -> None:
        """`/proc/self/cgroup` and the table of mounts."""
        self.write("proc/self/cgroup", groups)
        self.write(
            "proc/self/mountinfo", "22 1 0:5 / /proc rw - proc proc rw\n" + "\n".join(mounts)
        )

    def write(self, path: str, content: object) -> None:
        """A file below the root."""
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(f"{content}\n")


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_without_groups_there_is_no_limit_and_no_process_was_killed(machine: Machine) -> None:
    groups = machine.groups
    assert (groups.processors(), groups.memory_bytes(), groups.memory_kills()) == (None, None, 0)


def test_a_container_of_version_2_sees_its_group_as_the_root(machine: Machine) -> None:
    machine.has("0::/", V2.format(top="/"))
    machine.write("sys/fs/cgroup/cpu.max", "150000 100000")
    machine.write("sys/fs/cgroup/memory.max", 3 << 30)
    machine.write(
        "sys/fs/cgroup/memory.events", "low 0\nmax 12\noom 7\noom_kill 5\noom_group_kill 9"
    )
    assert machine.groups.processors() == 1.5
    assert machine.groups.memory_bytes() == 3 << 30
    assert machine.groups.memory_kills() == 5


def test_the_tightest_of_nested_groups_holds(machine: Machine) -> None:
    machine.has("0::/machine/podium/inner", V2.format(top="/"))
    below = "sys/fs/cgroup/machine"
    machine.write(f"{below}/cpu.max", "400000 100000")
    machine.write(f"{below}/podium/cpu.max", "200000 100000")
    machine.write(f"{below}/podium/inner/cpu.max", "max 100000")
    machine.write(f"{below}/memory.max", "max")
    machine.write(f"{below}/podium/memory.max", 2 << 30)
    machine.write(f"{below}/podium/inner/memory.max", 4 << 30)
    machine.write("sys/fs/cgroup/other/memory.max", 1)
    assert machine.groups.processors() == 2.0
    assert machine.groups.memory_bytes() == 2 << 30


def test_version_1_has_a_hierarchy_for_each_controller(machine: Machine) -> None:
    machine.has(
        "5:memory:/docker/abc\n3:cpu,cpuacct:/docker/abc\n2:cpuset:/docker/abc\n0::/docker/abc",
        V1.format(top="/", at="memory", controllers="memory"),
        V1.format(top="/", at="cpu,cpuacct", controllers="cpu,cpuacct"),
        V1.format(top="/", at="cpuset", controllers="cpuset"),
        "36 31 0:36 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw",
    )
    machine.write("sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_quota_us", 50_000)
    machine.write("sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_period_us", 100_000)
    machine.write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", -1)
    machine.write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", 100_000)
    machine.write("sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes", 1 << 30)
    machine.write("sys/fs/cgroup/memory/memory.limit_in_bytes", 9223372036854771712)
    control = "oom_kill_disable 0\nunder_oom 0\noom_kill 3"
    machine.write("sys/fs/cgroup/memory/docker/abc/memory.oom_control", control)
    assert machine.groups.processors() == 0.5
    assert machine.groups.memory_bytes() == 1 << 30
    assert machine.groups.memory_kills() == 3


@pytest.mark.parametrize("ours", ["/docker/abc", "/docker/abc/inner", "/../other", "/docker/abcde"])
def test_where_only_our_part_is_mounted_that_part_is_read(machine: Machine, ours: str) -> None:
    machine.has(f"4:memory:{ours}", V1.format(top="/docker/abc", at="memory", controllers="memory"))
    machine.write("sys/fs/cgroup/memory/memory.limit_in_bytes", 1 << 30)
    assert machine.groups.memory_bytes() == 1 << 30


def test_no_limit_is_said_in_two_ways(machine: Machine) -> None:
    machine.has(
        "4:memory:/\n0::/",
        V1.format(top="/", at="memory", controllers="memory"),
        "36 31 0:36 / /sys/fs/cgroup/all\\040groups rw - cgroup2 cgroup2 rw",
    )
    machine.write("sys/fs/cgroup/memory/memory.limit_in_bytes", 9223372036854771712)
    machine.write("sys/fs/cgroup/all groups/memory.max", "max")
    machine.write("sys/fs/cgroup/all groups/cpu.max", "max 100000")
    assert machine.groups.memory_bytes() is None
    assert machine.groups.processors() is None


def test_what_the_whole_machine_killed_is_counted(machine: Machine) -> None:
    machine.write("proc/vmstat", "nr_free_pages 17\noom_kill 2\npgfault 4")
    assert machine.groups.memory_kills() == 2
