"""Runs `.ci/run` and its parts, the checks of every change, with stand-ins of all programs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.places import ROOT

CLOSING = "=== 3 passed, 1 skipped in 1.00s ==="
RED = "=== 1 failed, 2 passed in 1.00s ==="
FILES = ("run", "pythons", "image", "unchanged", "parts")
ORDINARY = (
    *("bash", "cat", "chmod", "dirname", "env", "grep", "ls", "mkdir", "mktemp", "rm", "sed"),
    *("sh", "sort", "tail", "tee", "true"),
)
WANTED = ("caddy", "chromium-headless-shell", "strace")
"""Programs that the script looks for, and would install."""

GIT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
}


def write(program: Path, text: str) -> None:
    """A program of the shell."""
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text(f"#!/bin/sh\n{text}\n")
    program.chmod(0o755)


def tools(folder: Path, **programs: str) -> dict[str, str]:
    """An environment in which nothing else can be found than ordinary tools and these programs,
    so that the outcome does not depend on what the machine has, and nothing is installed on it."""
    found = folder / "programs"
    found.mkdir()
    for name in ORDINARY:
        target = shutil.which(name)
        assert target is not None, name
        (found / name).symlink_to(target)
    for name, text in {"id": "echo 1000", **programs}.items():
        write(found / name, text)
    return {"PATH": str(found), "HOME": str(folder), "PYTHON": "python"}


def ran(folder: Path, script: str, environment: dict[str, str], *arguments: str) -> tuple[int, str]:
    """The exit code of a copy of the script there, and what it output."""
    (folder / ".ci").mkdir(exist_ok=True)
    for name in FILES:
        shutil.copy(ROOT / ".ci" / name, folder / ".ci" / name)
    run = subprocess.run(
        [folder / ".ci" / script, *arguments],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
    )
    return run.returncode, run.stdout


@pytest.mark.parametrize(
    ("broken", "status", "last"),
    [
        ("nothing", 0, CLOSING),
        ("test-all", 2, RED),
        ("test-pythons", 2, RED),
        ("image-test", 2, CLOSING),
    ],
)
def test_a_failure_of_any_part_fails_all_and_the_closing_line_is_the_last(
    tmp_path: Path, broken: str, status: int, last: str
) -> None:
    make = f"[ $1 != {broken} ] || {{ [ $1 = image-test ] || echo '{RED}'; exit 2; }}\n"
    make += f"echo 'made' $*\n[ $1 = image-test ] || echo '{CLOSING}'\necho 'more to say'"
    there = dict.fromkeys(("python", "docker", "apt-get", "npm", *WANTED), "exit 0")
    code, output = ran(tmp_path, "run", tools(tmp_path, make=make, **there))
    assert code == status, output
    assert output.splitlines()[-1] == last
    made = {"test-pythons PYTHON=python", "test-all PYTHON=python WITHOUT=", "image-test"}
    for part in {line for line in made if not line.startswith(broken)}:
        assert f"made {part}" in output
    assert ("Failed: " in output) == (status != 0)


def test_what_installing_says_is_kept_apart_from_the_report(tmp_path: Path) -> None:
    programs = {
        "python": "exit 0",
        "make": f"echo '{CLOSING}'",
        "apt-get": 'echo "apt-get $*"; case $* in *caddy) exit 100;; esac',
        "sudo": 'shift; exec "$@"',
    }
    code, output = ran(tmp_path, "run", tools(tmp_path, **programs))
    assert code == 0, output
    assert output.splitlines()[-1] == CLOSING
    for package in WANTED:
        assert re.search(rf"^apt-get install .* {package}$", output, re.MULTILINE), output
    assert "Could not install: caddy. The tests that need it are skipped." in output


def test_where_nothing_can_be_installed_the_script_says_what_is_missing(tmp_path: Path) -> None:
    programs = tools(tmp_path, python="exit 0", make=f"echo '{CLOSING}'")
    code, output = ran(tmp_path, "run", programs)
    assert code == 0, output
    assert output.splitlines()[-1] == CLOSING
    assert "Missing and not installable here: strace caddy chromium-headless-shell" in output


def python_of(version: str) -> str:
    """A stand-in of a Python, which says what it is, or that it ran what."""
    minor = version.rpartition(".")[0]
    says = f'echo "{version} /usr/bin/python{minor}"'
    return f'[ "$1" = -c ] && {says} || {{ echo "{version} ran $*"; exit $BROKEN; }}'


UV = """
for last; do :; done
case $1 in
  venv) mkdir -p "$last/bin" && cp "$5" "$last/bin/python" ;;
esac
"""


@pytest.mark.parametrize(
    ("at_hand", "expected"),
    [
        (["3.11.7"], []),
        (["3.11.2", "3.11.7"], []),
        (["3.11.7", "3.12.1", "3.13.0"], ["3.13.0"]),
        (["3.13.0", "3.11.2", "3.12.1", "3.9.9", "3.99.0"], ["3.13.0"]),
    ],
)
def test_the_fast_tests_run_on_the_oldest_and_the_newest_other_python_at_hand(
    tmp_path: Path, at_hand: list[str], expected: list[str]
) -> None:
    programs = {f"python{v.rpartition('.')[0]}": python_of(v) for v in at_hand if v != "3.11.7"}
    environment = tools(tmp_path, **programs) | {"BROKEN": "0"}
    (tmp_path / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text())
    write(tmp_path / ".venv/bin/python", python_of("3.11.7"))
    write(tmp_path / ".venv/bin/uv", UV.replace("cp", shutil.which("cp") or "cp"))
    # The stand-in says another path than it has, which is the one that an environment is made of.
    for name, text in programs.items():
        write(tmp_path / "programs" / name, text.replace("/usr/bin", str(tmp_path / "programs")))
    code, output = ran(tmp_path, "pythons", environment, "-m", "pytest", "tests/unit")
    assert code == 0, output
    assert re.findall(r"^(\S+) ran -m pytest tests/unit$", output, re.MULTILINE) == expected
    assert ("No Python but 3.11 is here" in output) == (expected == [])
    code, output = ran(tmp_path, "pythons", environment | {"BROKEN": "1"}, "-m", "pytest")
    assert code == int(expected != [])
    assert len(re.findall(r" ran -m pytest$", output, re.MULTILINE)) == len(expected)


def changed_today(folder: Path, changed: str, **programs: str) -> dict[str, str]:
    """An environment with a history in which this file alone has changed within the last day, but
    for the changes of the project."""
    environment = tools(folder, **programs)
    git = shutil.which("git")
    assert git is not None
    (folder / "programs" / "git").symlink_to(git)

    def commit(file: str, when: str) -> None:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(when)
        dated = {**environment, **GIT, "GIT_COMMITTER_DATE": when, "GIT_AUTHOR_DATE": when}
        for arguments in (["add", file], ["commit", "--quiet", "--message", file]):
            subprocess.run([git, *arguments], cwd=folder, env=dated, check=True)

    subprocess.run([git, "init", "--quiet"], cwd=folder, env={**environment, **GIT}, check=True)
    commit("Dockerfile", "2026-01-01T12:00:00Z")
    commit(changed, "2026-01-05T10:00:00Z")
    commit("CHANGELOG.md", "2026-01-05T11:00:00Z")
    return environment


@pytest.mark.parametrize(
    ("changed", "engine", "expected"),
    [
        ("docs/start.md", True, "Not tried: image"),
        ("docker-compose.yml", True, "made image-test"),
        ("app/podium/sandbox/child.py", True, "made image-test"),
        ("Dockerfile", False, "no Docker engine runs here"),
    ],
)
def test_the_image_is_tried_where_it_has_changed_within_a_day_and_where_it_can_be(
    tmp_path: Path, changed: str, engine: bool, expected: str
) -> None:
    programs = {"make": 'echo "made $*"', "docker": f"exit {int(not engine)}"}
    environment = changed_today(tmp_path, changed, **programs)
    code, output = ran(tmp_path, "image", environment)
    assert code == 0, output
    assert expected in output
    # Another beginning is told where there is one.
    code, output = ran(tmp_path, "image", environment | {"BASE": "HEAD"})
    assert (code, "Not tried: image" in output) == (0, True), output


@pytest.mark.parametrize("missing", ["nothing", "debootstrap", "iptables", "nsenter", "unshare"])
def test_an_engine_is_made_only_with_all_that_this_takes(tmp_path: Path, missing: str) -> None:
    needed = dict.fromkeys(("debootstrap", "iptables", "nsenter", "unshare"), "exit 0")
    needed.pop(missing, None)
    root = {"id": "echo 0", "docker": "exit 1", "make": 'echo "made $*"'}
    code, output = ran(tmp_path, "image", changed_today(tmp_path, "Dockerfile", **root, **needed))
    assert code == 0, output
    assert ("made image-test ENGINE=make" in output) == (missing == "nothing")
    assert ("no Docker engine runs here" in output) == (missing != "nothing")


STORED = (
    "tests/system/faults",
    "tests/system/kills",
    "tests/system/migrations",
    "tests/system/postgres",
)
COMPARED = ("tests/agreement",)
PACKED = ("tests/system/packaging",)
TAUGHT = ("tests/system/tutorial",)
LONG = (*STORED, *COMPARED, *PACKED, *TAUGHT)

PAGE, UPLOADS = "app/podium/boards/pages/board.py", "app/podium/submissions/service/uploads.py"


@pytest.mark.parametrize(
    ("changed", "base", "left_out"),
    [
        ("README.md", "HEAD~2", (*STORED, *COMPARED)),
        ("docs/decisions/0001-first.md", "HEAD~2", (*STORED, *COMPARED, *TAUGHT)),
        ("docs/metrics/ndcg.md", "HEAD~2", STORED),
        ("docs/start.md", "", ()),
        (PAGE, "HEAD~2", (*STORED, *COMPARED)),
        (UPLOADS, "HEAD~1", LONG),
        (UPLOADS, "HEAD~2", COMPARED),
        ("app/podium/experiments/means.py", "HEAD~2", STORED),
        ("app/podium/scoring/engine/lists.py", "HEAD~2", ()),
        ("app/podium/a_new_room/rules.py", "HEAD~2", ()),
        ("tests/unit/scoring/test_cuts.py", "HEAD~2", LONG),
        ("tests/system/faults/test_disks.py", "HEAD~2", (*COMPARED, *PACKED, *TAUGHT)),
        ("tests/builders/zstd.py", "HEAD~2", ()),
        ("requirements.lock", "HEAD~2", ()),
        ("docs/start.md", "a commit that is not here", ()),
    ],
)
def test_tests_are_left_out_only_where_nothing_that_could_matter_has_changed(
    tmp_path: Path, changed: str, base: str, left_out: tuple[str, ...]
) -> None:
    there = dict.fromkeys(("python", "docker", "npm", *WANTED), "exit 0")
    make = f"echo 'made' $*; echo '{CLOSING}'"
    environment = changed_today(tmp_path, changed, make=make, **there)
    _, output = ran(tmp_path, "run", environment | {"BASE": base})
    assert f"made test-all PYTHON=python WITHOUT={' '.join(left_out)}\n" in output


def test_tests_are_left_out_by_the_commit_at_which_all_were_measured_last(tmp_path: Path) -> None:
    there = dict.fromkeys(("python", "docker", "npm", *WANTED), "exit 0")
    environment = changed_today(tmp_path, UPLOADS, make="echo 'made' $*", **there)
    page = tmp_path / "benchmarks" / "results" / "tests.md"
    page.parent.mkdir(parents=True)
    for base, left_out in (("HEAD~1", LONG), ("HEAD~2", COMPARED)):
        commit = subprocess.check_output(
            ["git", "rev-parse", "--short", base], cwd=tmp_path, env=environment, text=True
        )
        page.write_text(f"# What tests cost\n\n- commit: {commit.strip()}, 2026-01-05\n")
        _, output = ran(tmp_path, "run", environment)
        assert f"made test-all PYTHON=python WITHOUT={' '.join(left_out)}\n" in output


def test_comparisons_are_left_out_only_for_rooms_above_all_that_is_compared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    layers = project["tool"]["importlinter"]["contracts"][0]["layers"]
    above = layers[: layers.index("preparation")]
    rooms = {room for layer in above for room in layer.split(" | ")} - {"baselines", "experiments"}
    paths = (ROOT / ".ci" / "parts").read_text().partition("tests/agreement:\n")[2]
    paths = paths.partition("\n\n")[0]
    assert set(re.findall(r"app/podium/(\w+)", paths)) <= rooms


def test_the_long_tier_of_the_suite_is_that_of_the_checks() -> None:
    def told(*arguments: str) -> str:
        return subprocess.check_output(["make", "-n", "test-all", *arguments], cwd=ROOT, text=True)

    assert set(re.findall(r"--ignore=(\S+)", told())) == set(LONG)
    assert "--ignore" not in told("WITHOUT=")


def test_without_a_history_everything_is_tried(tmp_path: Path) -> None:
    there = dict.fromkeys(("python", "docker", "npm", *WANTED), "exit 0")
    programs = tools(tmp_path, make=f"echo 'made' $*; echo '{CLOSING}'", **there)
    _, output = ran(tmp_path, "run", programs)
    assert "made test-all PYTHON=python WITHOUT=\n" in output
    assert "made image-test\n" in output


def test_parts_are_made_of_what_there_is() -> None:
    rows = (ROOT / ".ci" / "parts").read_text().split("\n\n")[1:]
    assert len(rows) == 5
    for row in rows:
        name, _, paths = row.partition(":\n")
        named = [*(each for each in name.split() if "/" in each), *paths.split()]
        for path in (each.removeprefix(":!") for each in named):
            assert subprocess.check_output(["git", "ls-files", "--", path], cwd=ROOT), path
