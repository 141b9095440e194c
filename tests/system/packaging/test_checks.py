"""Runs `.ci/run` and its parts, the checks of every change, with stand-ins of all programs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.places import ROOT

CLOSING = "=== 3 passed, 1 skipped in 1.00s ==="
RED = "=== 1 failed, 2 passed in 1.00s ==="
SCRIPTS = ("run", "pythons", "image")
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
    for name in SCRIPTS:
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
    made = {"test-pythons PYTHON=python", "test-all PYTHON=python", "image-test"}
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
        (["3.11.2", "3.11.7"], ["3.11.2"]),
        (["3.11.7", "3.12.1", "3.13.0"], ["3.13.0"]),
        (["3.13.0", "3.11.2", "3.12.1", "3.9.9", "3.99.0"], ["3.11.2", "3.13.0"]),
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
    assert ("Only Python 3.11.7 is here" in output) == (expected == [])
    code, output = ran(tmp_path, "pythons", environment | {"BROKEN": "1"}, "-m", "pytest")
    assert code == int(expected != [])
    assert len(re.findall(r" ran -m pytest$", output, re.MULTILINE)) == len(expected)


@pytest.mark.parametrize(
    ("changed", "engine", "expected"),
    [
        ("README.md", True, "nothing of it has changed"),
        ("docker-compose.yml", True, "made image-test"),
        ("app/sandbox/child.py", True, "made image-test"),
        ("Dockerfile", False, "no Docker engine runs here"),
    ],
)
def test_the_image_is_tried_where_it_has_changed_within_a_day_and_where_it_can_be(
    tmp_path: Path, changed: str, engine: bool, expected: str
) -> None:
    environment = tools(tmp_path, make='echo "made $*"', docker=f"exit {int(not engine)}")
    git = shutil.which("git")
    assert git is not None
    (tmp_path / "programs" / "git").symlink_to(git)

    def commit(file: str, when: str) -> None:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(when)
        dated = {**environment, **GIT, "GIT_COMMITTER_DATE": when, "GIT_AUTHOR_DATE": when}
        for arguments in (["add", file], ["commit", "--quiet", "--message", file]):
            subprocess.run([git, *arguments], cwd=tmp_path, env=dated, check=True)

    subprocess.run([git, "init", "--quiet"], cwd=tmp_path, env={**environment, **GIT}, check=True)
    commit("Dockerfile", "2026-01-01T12:00:00Z")
    commit(changed, "2026-01-05T10:00:00Z")
    commit("README.md", "2026-01-05T11:00:00Z")
    code, output = ran(tmp_path, "image", environment)
    assert code == 0, output
    assert expected in output
    if changed != "README.md":
        # Another beginning is told where there is one.
        code, output = ran(tmp_path, "image", environment | {"BASE": "HEAD"})
        assert (code, "nothing of it has changed" in output) == (0, True), output
