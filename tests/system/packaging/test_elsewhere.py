"""The client and the offline commands without what only Linux, or only Unix, has.

As far as it can be told on Linux: modules and functions that other systems lack are taken from the
process before anything of the product is imported.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.builders.processes.commands import Person, Ran
from tests.places import ROOT

MODULES = ("fcntl", "grp", "pwd", "resource", "syslog", "termios")
"""Modules of Unix; Windows has none of them."""

FUNCTIONS = (
    *("chown", "fchown", "fork", "forkpty", "getegid", "geteuid", "getgid", "killpg", "lchown"),
    *("memfd_create", "mkfifo", "pidfd_open", "posix_fadvise", "posix_fallocate", "pread"),
    *("preadv", "pwrite", "pwritev", "sched_getaffinity", "sched_setaffinity", "sendfile"),
    *("setsid", "statvfs", "sysconf"),
)
"""Functions of `os`; Windows has none of them. The last ones are Linux's own."""

SIGNALS = ("pthread_sigmask", "setitimer", "SIGALRM", "SIGXCPU", "SIGXFSZ")


@pytest.fixture
def person(tmp_path: Path) -> Person:
    return Person(tmp_path)


def types(person: Person, *arguments: str, stdin: str = "") -> Ran:
    """Runs `podium` where none of these is there."""
    lacking = (
        "linux",
        *MODULES,
        *(f"os.{name}" for name in FUNCTIONS),
        *(f"signal.{s}" for s in SIGNALS),
    )
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "tests.builders.processes.lacking",
            ",".join(lacking),
            *arguments,
        ],
        cwd=person.home,
        env=person.environment(PYTHONPATH=str(ROOT)),
        input=stdin,
        capture_output=True,
        text=True,
        timeout=120,
    )
    return Ran(run.returncode, run.stdout, run.stderr)


def test_what_is_taken_away_is_there_on_linux() -> None:
    assert all(hasattr(os, name) for name in FUNCTIONS)
    assert all(hasattr(signal, name) for name in SIGNALS)


@pytest.mark.parametrize("command", ["", "serve", "otto prepare"])
def test_the_command_line_explains_itself(person: Person, command: str) -> None:
    """All commands are imported for any of them."""
    ran = types(person, *command.split(), "--help")
    assert (ran.code, ran.err) == (0, "")
    assert "Usage: podium" in ran.out


def test_files_are_prepared_predicted_and_scored(person: Person) -> None:
    for line in (
        "otto synth --sessions 2000 --raw --to raw",
        "otto prepare raw/raw_sessions.jsonl --to shop --seed 1",
        "baseline popular --train shop/train_sessions.jsonl --test shop/test_sessions.jsonl"
        " --out mine.csv",
        "validate mine.csv --truth shop/test_labels.jsonl",
        "score mine.csv --truth shop/test_labels.jsonl",
        "metrics",
    ):
        ran = types(person, *line.split())
        assert ran.code == 0, (line, ran.err)


def test_a_command_that_asks_a_server_gets_as_far_as_the_network(person: Person) -> None:
    ran = types(person, "login", "http://127.0.0.1:1", stdin="a token")
    assert ran.code == 4, ran.err
    assert "Traceback" not in ran.err


def test_formulas_reach_a_file_where_the_system_has_no_letters_for_them(person: Person) -> None:
    """Output into a file or a pipe has the system's encoding, on Windows one of 256 characters."""
    ascii_alone = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    run = subprocess.run(
        [sys.executable, "-m", "podium.cli", "metrics"],
        env=person.environment(PYTHONPATH=str(ROOT), **ascii_alone),
        capture_output=True,
        timeout=120,
    )
    assert (run.returncode, run.stderr) == (0, b"")
    assert "Σ" in run.stdout.decode("utf-8")
