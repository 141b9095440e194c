"""Resources that a child cannot reach, tried from inside by code that wants to."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from podium.sandbox import Limits
from podium.sandbox.children import ChildSandbox
from tests.builders.sandbox.children import LIMITS, found_by, run
from tests.builders.sandbox.hostile import HOSTILE, HostileTask

ISOLATION = ChildSandbox().describe()


def outcome(function: str, scratch: Path, **arguments: object) -> str:
    """`reached`, or the name of the error that kept the child off."""
    result = run(function, scratch, LIMITS, **arguments)
    return "reached" if result.answer else result.report.strip().splitlines()[-1]


def test_the_isolation_of_this_machine_is_described_by_name() -> None:
    assert set(ISOLATION) == {"network", "files", "privileges", "system calls"}


def test_the_network_cannot_be_reached(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert "PermissionError" in outcome("connect", tmp_path, port=port)


def test_a_unix_socket_such_as_that_of_the_database_cannot_be_reached(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket"))
        server.listen()
        assert "PermissionError" in outcome("unix-socket", tmp_path, path=str(tmp_path / "socket"))


@pytest.mark.skipif("namespace of its own" not in ISOLATION["network"], reason=ISOLATION["network"])
def test_there_is_no_network_interface_but_a_dead_loopback(tmp_path: Path) -> None:
    document = found_by("interfaces", tmp_path)
    names = [line.split(":")[0].strip() for line in document["names"].splitlines()[2:]]
    assert names in ([], ["lo"])


@pytest.mark.skipif("Landlock" not in ISOLATION["files"], reason=ISOLATION["files"])
def test_no_file_but_those_of_the_task_can_be_read(tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    secret = tmp_path / "secret"
    secret.write_text("another team's file")
    for path in (secret, Path("/etc/passwd"), Path("/proc/1/environ"), tmp_path):
        ended = outcome("read", scratch, path=str(path))
        # Below root, what lies in closed folders is not even there.
        assert ended.startswith(("PermissionError", "FileNotFoundError")), path
    parent = f"/proc/{os.getpid()}/environ"
    assert "Error" in outcome("read", scratch, path=parent)


@pytest.mark.skipif("Landlock" not in ISOLATION["files"], reason=ISOLATION["files"])
def test_nothing_outside_the_scratch_folder_can_be_written(tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    target = tmp_path / "target"
    target.write_text("before")
    assert "PermissionError" in outcome("write", scratch, path=str(target))
    assert "PermissionError" in outcome("write", scratch, path=str(tmp_path / "new"))
    assert target.read_text() == "before"
    assert outcome("write", scratch, path=str(scratch / "new")) == "reached"


def test_no_process_and_no_program_can_be_started(tmp_path: Path) -> None:
    for function in ("fork", "run-a-program", "become-a-program"):
        assert "PermissionError" in outcome(function, tmp_path), function


def test_no_other_process_can_be_touched(tmp_path: Path) -> None:
    assert "PermissionError" in outcome("kill", tmp_path, process=os.getpid())
    assert "PermissionError" in outcome("trace", tmp_path, process=os.getpid())


def test_the_environment_holds_nothing_of_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PODIUM_ADMIN_TOKEN", "planted-token")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "planted-key")
    document = found_by("answer", tmp_path)
    # Python and Polars add names of their own once they run.
    added = {"LC_CTYPE", "_RJEM_MALLOC_CONF"}
    assert set(document["environment"]) - added == {
        "HOME",
        "LANG",
        "OPENBLAS_NUM_THREADS",
        # The packages whose metrics and kinds of task it needs to judge.
        "PODIUM_ADD_ONS",
        "POLARS_MAX_THREADS",
        "TMPDIR",
    }


def test_no_descriptor_of_the_server_is_inherited(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        os.set_inheritable(server.fileno(), True)
        document = found_by("descriptors", tmp_path)
    # Standard input, output and error, the pipe of the answers, and the listing itself.
    assert len(document["open"]) == 5


def test_a_dying_child_leaves_no_core(tmp_path: Path) -> None:
    document = found_by("dump-core", tmp_path)
    assert document["core"] == [0, 0]


def test_a_child_starts_soon(tmp_path: Path) -> None:
    limits = Limits(memory_bytes=1 << 30, wall_seconds=15, file_bytes=1 << 20)
    sandbox = ChildSandbox(tasks_module=HOSTILE)
    assert (
        sandbox.run(HostileTask(function="answer"), limits=limits, scratch=tmp_path).answer
        is not None
    )
