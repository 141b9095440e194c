"""The default profile: one container, SQLite, files in a volume."""

from __future__ import annotations

import re
import time

from tests.places import ROOT
from tests.system.image.engine import Engine
from tests.system.image.installation import IMAGE, PROJECT, Installation, wait_until
from tests.system.image.report import Report, say

FREE = ("--read-only", "--cap-drop=ALL", "--security-opt=no-new-privileges:true")
"""As the compose file runs the image, for containers that are run without it."""

CONFINED = """
import os
told = open("/proc/1/status").read()
assert "CapEff:\\t0000000000000000" in told and "NoNewPrivs:\\t1" in told, told
assert os.getuid() == 10001
for folder in ("/", "/opt/podium", "/usr/local/bin"):
    try:
        open(f"{folder}/tried", "w")
    except OSError:
        continue
    raise AssertionError(f"{folder} can be written")
"""

COMPLETE = """
import pathlib, sys
packages = pathlib.Path(next(path for path in sys.path if path.endswith("site-packages")))
import joserfc, opentelemetry.sdk
assert not {"tests", "benchmarks", "pip", "pytest"} & {path.name for path in packages.iterdir()}
assert not [p for p in packages.rglob("*.py") if not list(p.parent.glob(f"__pycache__/{p.stem}.*"))]
"""

KILL = """
import os, pathlib
for told in sorted(pathlib.Path("/proc").glob("[0-9]*/cmdline"), key=lambda p: int(p.parts[2])):
    words = told.read_bytes().split(b"\\0")
    if any(word.endswith(b"bin/podium") for word in words[:2]) and b"serve" in words:
        os.kill(int(told.parts[2]), 9)
        break
"""

FILL = """
import os, sqlite3
with sqlite3.connect("/data/podium.sqlite3", timeout=60) as database:
    database.execute("create table filler (bytes blob)")
    for _ in range(100):
        database.execute("insert into filler values (?)", (os.urandom(1 << 20),))
"""


def try_out(installation: Installation, report: Report) -> None:
    """All steps, from no image to none of its containers and volumes."""
    engine, container = installation.engine, installation.container("podium")
    engine.tried("image", "rm", "--force", IMAGE)
    with report.step("the first `docker compose up --build`"):
        installation.compose("up", "--build", "--detach")
    with report.step("it answers, and its container is healthy"):
        installation.wait_until_ready()
        health = "{{.State.Health.Status}}"
        wait_until(lambda: installation.inspected(container, health) == "healthy", "healthy")
    _look_inside(installation, report)
    with report.step("competitions, an upload, its score, the board"):
        installation.play()
    _end_it(installation, report)
    _run_out_of_memory(installation, report)
    with report.step("down, up: everything is still there"):
        installation.compose("down")
        installation.compose("up", "--detach")
        installation.wait_until_ready()
        assert installation.is_on_the_board()
        assert len(installation.submissions("big")) == 3
    _back_up(installation, report)
    _stand_alone(engine, report)
    installation.compose("down", "--volumes")


def _look_inside(installation: Installation, report: Report) -> None:
    with report.step("labels of the image"):
        label = '{{index .Config.Labels "org.opencontainers.image.title"}}'
        assert installation.inspected(IMAGE, label) == "Podium"
    with report.step("no root, no capability, no new privileges, a read-only file system"):
        installation.inside("podium", "python", "-c", CONFINED)
    with report.step("what runs is in the image, compiled, and what develops is not"):
        installation.inside("podium", "python", "-c", COMPLETE)
        for program in ("pg_dump", "pg_restore"):
            assert " 18." in installation.inside("podium", program, "--version")
    with report.step("doctor inside"):
        say("      " + " · ".join(installation.inside("podium", "podium", "doctor").split("\n")))
    with report.step("traces can be switched on"):
        endpoint = "OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:9"
        told = installation.inside("podium", "env", endpoint, "podium", "doctor")
        assert not re.search(r"^traces +off$", told, re.MULTILINE), told


def _end_it(installation: Installation, report: Report) -> None:
    engine, container = installation.engine, installation.container("podium")
    with report.step("kill -9 in a judging: its successor judges the file"):
        engine("update", "--cpus", "0.4", container)
        upload = installation.submits("big-1.csv")
        before = installation.restarts("podium")
        # Not waited for: its container ends with the server, and may take it along.
        engine("exec", "--detach", container, "python", "-c", KILL)
        wait_until(lambda: installation.restarts("podium") > before, "it is started again")
        engine("update", "--cpus", "2", container)
        installation.wait_until_ready()
        assert upload.wait(timeout=300) == 0
    with report.step("SIGTERM in a judging: it leaves in time, and the file is judged later"):
        engine("update", "--cpus", "0.4", container)
        upload = installation.submits("big-2.csv")
        engine("stop", "--time", "60", container)
        assert installation.inspected(container, "{{.State.ExitCode}}") == "0"
        engine("start", container)
        engine("update", "--cpus", "2", container)
        installation.wait_until_ready()
        assert upload.wait(timeout=300) == 0


def _run_out_of_memory(installation: Installation, report: Report) -> None:
    engine, container = installation.engine, installation.container("podium")
    with report.step("a container without memory: the file is not rejected, and judged later"):
        held = _memory(installation) + (120 << 20)
        engine("update", f"--memory={held}", f"--memory-swap={held}", container)
        upload = installation.begun(
            "submit", "big", "-f", "big-3.csv", "--no-wait", token=installation.ada
        )
        assert upload.wait(timeout=300) == 0
        time.sleep(20)
        [latest, *_] = installation.submissions("big")
        engine("update", f"--memory={8 << 30}", f"--memory-swap={8 << 30}", container)
        assert latest["status"] not in ("rejected", "scored"), latest
        wait_until(lambda: installation.submissions("big")[0]["status"] == "scored", "scored")


def _memory(installation: Installation) -> int:
    """Bytes that the processes of the container hold themselves."""
    told = installation.inside(
        "podium",
        "sh",
        "-c",
        "cat /sys/fs/cgroup/memory.stat /sys/fs/cgroup/memory/memory.stat 2>/dev/null || true",
    )
    held = {name: int(number) for name, _, number in (r.partition(" ") for r in told.splitlines())}
    return held.get("anon", held.get("rss", 0))


def _back_up(installation: Installation, report: Report) -> None:
    engine = installation.engine
    with report.step("backup of a database that is larger than /tmp"):
        installation.inside("podium", "python", "-c", FILL)
        installation.inside("podium", "podium", "backup", "--to", "/backups")
    with report.step("restore of it into an empty volume: all rows are there"):
        new, kept = f"{PROJECT}-restored:/data", f"{PROJECT}_podium-backups:/backups:ro"
        small = "--tmpfs=/tmp:size=64m,mode=1777"
        volumes = (f"--volume={new}", f"--volume={kept}")
        try:
            restore = ("restore", "--from", "/backups")
            engine("run", "--rm", *FREE, small, *volumes, IMAGE, *restore)
            count = "from sqlite3 import connect\nprint(connect('/data/podium.sqlite3').execute("
            count += "'select count(*) from submissions').fetchone()[0])"
            read = ("run", "--rm", *FREE, volumes[0], "--entrypoint=python", IMAGE, "-c", count)
            assert engine(*read).strip() == "4"
        finally:
            engine.tried("volume", "rm", f"{PROJECT}-restored")


def _stand_alone(engine: Engine, report: Report) -> None:
    name = f"{PROJECT}-alone"
    small = "--tmpfs=/tmp:size=64m,mode=1777"
    with report.step("SIGTERM in the first seconds, as process 1"):
        for seconds in (0.1, 0.6, 1.2, 2.0):
            engine("run", "--detach", f"--name={name}", *FREE, small, IMAGE)
            time.sleep(seconds)
            try:
                engine("stop", "--time", "50", name)
                ended = engine("inspect", "--format", "{{.State.ExitCode}}", name).strip()
                assert ended in ("0", "143"), f"{ended} after {seconds} s"
            finally:
                engine.tried("rm", "--force", "--volumes", name)
    with report.step("a /data that it may not write: one sentence, no traceback"):
        run = engine.tried("run", "--rm", *FREE, small, "--tmpfs=/data:mode=0755,uid=0", IMAGE)
        assert run.returncode not in (0, 137), run.returncode
        assert "Traceback" not in run.stderr, run.stderr[-300:]
        assert "/data" in run.stderr, run.stderr[-300:]
    with report.step("an image of other labels and moments from the same layers"):
        given = ("--build-arg=REVISION=abc", "--build-arg=SOURCE=https://podium.example")
        engine("build", "--quiet", *given, f"--tag={IMAGE}-labels", str(ROOT))
        label = '{{index .Config.Labels "org.opencontainers.image.revision"}}'
        try:
            assert engine("inspect", "--format", label, f"{IMAGE}-labels").strip() == "abc"
        finally:
            engine.tried("image", "rm", f"{IMAGE}-labels")
