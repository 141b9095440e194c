"""The remains of a compromised child, and what its parent makes of them."""

from __future__ import annotations

import multiprocessing
import os
import platform
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from podium.errors import Unavailable
from podium.sandbox import FailureReason, Limits, Rejected, Result
from podium.sandbox.children import ChildSandbox
from podium.sandbox.outputs import remove, scratch_folder
from podium.storage import Area
from podium.storage.local import LocalStorage
from podium.worker.scratch import ScratchFolder, remove_those_of_the_dead
from tests.builders.sandbox.hostile import HOSTILE, Found, HostileTask

LIMITS = Limits(memory_bytes=600 << 20, wall_seconds=120, file_bytes=64 << 20)
OTHER_USER = 65534


def left_by(scratch: Path, code: str, *names: str) -> Result[Found | Rejected]:
    """The result of a task whose child runs this code and shall leave files of these names."""
    task = HostileTask(function="take-over", arguments={"code": code}, names=names)
    return ChildSandbox(threads=1, tasks_module=HOSTILE).run(task, limits=LIMITS, scratch=scratch)


def _symbolic_link(place: Path, secret: Path) -> None:
    place.symlink_to(secret)


def _hard_link(place: Path, secret: Path) -> None:
    place.hardlink_to(secret)


def _pipe(place: Path, _: Path) -> None:
    os.mkfifo(place)


def _folder(place: Path, _: Path) -> None:
    place.mkdir()


PLANTED = [_symbolic_link, _hard_link, _pipe, _folder]


@pytest.mark.parametrize("plant", PLANTED)
def test_nothing_but_a_regular_file_of_its_own_is_taken_from_a_child(
    tmp_path: Path, plant: Callable[[Path, Path], None]
) -> None:
    secret, scratch = tmp_path / "secret", tmp_path / "scratch"
    secret.write_text("a file of the service")
    scratch.mkdir()
    plant(scratch / "hits.parquet", secret)
    result = left_by(scratch, "pass", "hits.parquet")
    assert (result.failure, result.answer, dict(result.files)) == (FailureReason.CRASH, None, {})


@pytest.mark.parametrize("plant", PLANTED[:-1])
def test_a_store_takes_nothing_but_regular_files(
    tmp_path: Path, plant: Callable[[Path, Path], None]
) -> None:
    if plant is _hard_link:
        pytest.skip("a store may be given a link; a child's are looked at before")
    secret = tmp_path / "secret"
    secret.write_text("a file of the service")
    plant(tmp_path / "given", secret)
    storage = LocalStorage(tmp_path / "storage", min_free_bytes=0)
    with pytest.raises((OSError, Unavailable)):
        storage.add(Area.FILES, tmp_path / "given")


def test_a_folder_of_downloads_is_none_of_the_service_s(tmp_path: Path) -> None:
    other, scratch = tmp_path / "other", tmp_path / "scratch"
    other.mkdir()
    (other / "train_sessions.jsonl").write_text("another competition's")
    scratch.mkdir()
    (scratch / "sessions").symlink_to(other)
    assert left_by(scratch, "pass", "sessions/train_sessions.jsonl").failure is FailureReason.CRASH


def test_files_are_taken_under_the_names_of_the_task_and_no_others(tmp_path: Path) -> None:
    code = """
Path("a.parquet").write_text("a")
Path("planted.parquet").write_text("b")
Path("sessions").mkdir()
Path("sessions", "c").write_text("c")
"""
    result = left_by(tmp_path, code, "a.parquet", "sessions/c", "sessions/d", "other/e", "f")
    assert dict(result.files) == {
        "a.parquet": tmp_path / "a.parquet",
        "sessions/c": tmp_path / "sessions" / "c",
    }


@pytest.mark.parametrize(
    "code",
    [
        # Each file is below the limit of one, together they are above it.
        """
import time
for number in range(4):
    Path(f"part-{number}").write_bytes(b"x" * (30 << 20))
time.sleep(100)
""",
        # More files than any act has.
        """
import time
for number in range(20_000):
    Path(f"part-{number}").touch()
time.sleep(100)
""",
        # A tree that is deeper than a path can name.
        """
import os, time
for _ in range(3_000):
    os.mkdir("d" * 50)
    os.chdir("d" * 50)
time.sleep(100)
""",
    ],
    ids=["many large files", "very many files", "a deep tree"],
)
def test_the_files_of_a_child_are_counted_together(tmp_path: Path, code: str) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    assert left_by(scratch, code).failure is FailureReason.FILE_SIZE
    assert remove(scratch)


def test_files_that_no_folder_shows_any_more_are_counted(tmp_path: Path) -> None:
    if Path("/proc/self/io").read_text().find("write_bytes") < 0:
        pytest.skip("this kernel does not count what is written")
    code = """
import mmap, time
kept = []
for number in range(8):
    with Path("part").open("w+b") as stream:
        stream.write(b"x" * (60 << 20))
        stream.flush()
        kept.append(mmap.mmap(stream.fileno(), 4096))
    Path("part").unlink()
time.sleep(100)
"""
    before = tmp_path.stat().st_dev
    if before == Path("/dev/shm").stat().st_dev:
        pytest.skip("files of memory are not counted as written")
    assert left_by(tmp_path, code).failure is FailureReason.FILE_SIZE


def test_shared_memory_is_refused(tmp_path: Path) -> None:
    code = "import mmap; mmap.mmap(-1, 1 << 20)"
    result = left_by(tmp_path, code)
    assert result.failure is FailureReason.OUR_ERROR
    assert "PermissionError" in result.report


@pytest.mark.skipif(platform.machine() not in ("x86_64", "aarch64"), reason="no numbers of calls")
def test_shared_memory_is_counted_where_it_cannot_be_refused(tmp_path: Path) -> None:
    code = """
import sys
from pathlib import Path
from tests.builders.sandbox.children import LIMITS
from tests.system.isolation.old_kernel import lose
from tests.builders.sandbox.hostile import HOSTILE, HostileTask
from podium.sandbox.children import ChildSandbox
lose("seccomp")
taking = '''
import mmap, time
shared = mmap.mmap(-1, 900 << 20)
for at in range(0, 900 << 20, 1 << 20):
    shared[at : at + (1 << 20)] = bytes(1 << 20)
time.sleep(100)
'''
sandbox = ChildSandbox(threads=1, tasks_module=HOSTILE, is_weak_allowed=True)
task = HostileTask(function="take-over", arguments={"code": taking})
print(sandbox.run(task, limits=LIMITS, scratch=Path(sys.argv[1])).failure)
"""
    ran = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(Path.cwd())},
        capture_output=True,
        text=True,
    )
    assert ran.stdout.strip() == "memory", ran.stderr


def test_words_that_overwhelm_a_reader_are_no_answer(tmp_path: Path) -> None:
    code = """
import os
for name in os.listdir("/proc/self/fd"):
    if int(name) > 2:
        try:
            os.write(int(name), b"[" * 200_000 + b"\\n" + b'{"progress": 1' + b"0" * 400 + b"}\\n")
        except OSError:
            pass
os._exit(0)
"""
    assert left_by(tmp_path, code).failure is FailureReason.NO_ANSWER


def wicked_tree(folder: Path) -> None:
    """Deeper than paths can be long, with folders and files that no user may open."""
    folder.mkdir()
    (folder / "file").write_text("x")
    (folder / "link").symlink_to("/etc")
    os.mkfifo(folder / "pipe")
    (folder / "up-0").mkdir()
    closed = folder / "closed"
    (closed / "inner" / "more").mkdir(parents=True)
    (closed / "inner" / "file").write_text("x")
    (closed / "inner").chmod(0)
    closed.chmod(0)
    back = os.open(".", os.O_RDONLY)
    try:
        os.chdir(folder)
        for _ in range(2_000):
            Path("d" * 60).mkdir()
            os.chdir("d" * 60)
        Path("deep").write_text("x")
        Path().chmod(0)
    finally:
        os.fchdir(back)
        os.close(back)
    folder.chmod(0)


def _remove_as(user: int, folder: Path, outcome: multiprocessing.Queue[bool]) -> None:
    if os.getuid() == 0 and user:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    os.chdir("/")
    wicked_tree(folder / "tree")
    outcome.put(remove(folder / "tree"))


@pytest.mark.parametrize("user", [0, OTHER_USER], ids=["root", "another user"])
def test_whatever_a_child_left_is_removed(tmp_path: Path, user: int) -> None:
    if user != os.getuid() and os.getuid() != 0:
        pytest.skip("only root can become somebody else")
    # The folders of pytest are closed to other users.
    place = Path("/tmp", f"podium-leavings-{os.getpid()}-{user}")
    place.mkdir()
    place.chmod(0o777)
    context = multiprocessing.get_context("fork")
    outcome: multiprocessing.Queue[bool] = context.Queue()
    process = context.Process(target=_remove_as, args=(user, place, outcome))
    process.start()
    try:
        assert outcome.get(timeout=120)
    finally:
        process.join()
        place.rmdir()
    assert Path("/etc/passwd").exists()


def test_a_worker_and_a_request_clean_up_after_such_a_child(tmp_path: Path) -> None:
    shared = tmp_path / "judgings"
    folder = ScratchFolder(shared, "worker")
    wicked_tree(folder.path / "judging")
    folder.remove()
    assert list(shared.iterdir()) == []

    dead = ScratchFolder(shared, "dead")
    wicked_tree(dead.path / "judging")
    os.close(dead._lock)
    assert remove_those_of_the_dead(shared) == 1
    assert list(shared.iterdir()) == []

    with scratch_folder(tmp_path) as scratch:
        wicked_tree(scratch / "tree")
    assert not scratch.exists()
