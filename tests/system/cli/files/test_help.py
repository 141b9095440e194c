"""The command line as such: it answers at once, and wrong uses end with 2."""

from __future__ import annotations

import socket
import subprocess
import sys
from typing import Any

import pytest
from typer.main import get_command

from podium.cli.commands import build
from podium.cli.lazy import LazyGroup
from tests.builders.processes.commands import Person
from tests.places import ROOT

COMMANDS = (
    ["submit"],
    ["submission"],
    ["submissions"],
    ["leaderboard"],
    ["limits"],
    ["select"],
    ["login"],
    ["whoami"],
    ["cancel"],
    ["receipt"],
    ["runs"],
    ["team", "create"],
    ["team", "request"],
    ["users", "add"],
    ["competitions", "list"],
    ["competitions", "show"],
    ["competitions", "files"],
    ["competitions", "download"],
    ["create"],
    ["metrics"],
    ["otto", "prepare"],
    ["otto", "split"],
    ["otto", "synth"],
    ["otto", "upload"],
    ["score"],
    ["validate"],
    ["baseline"],
    ["blend"],
    ["overlap"],
    ["analyze"],
    ["serve"],
    ["worker"],
    ["migrate"],
    ["doctor"],
    ["demo"],
)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_explains_itself(person: Person, command: list[str]) -> None:
    ran = person.types(*command, "--help")
    assert ran.code == 0
    assert "Usage: podium" in ran.out


def test_every_command_that_talks_to_a_server_has_a_timeout() -> None:
    group: Any = get_command(build())
    found = {
        f"{name} {inner}".strip()
        for name, command in group.whole().items()
        for inner, one in (
            command.whole() if isinstance(command, LazyGroup) else {"": command}
        ).items()
        if "timeout" in {each.name for each in one.params}
    }
    taking_part = {"login", "logout", "whoami", "leaderboard", "limits", "submit", "runs"}
    organizing = {"create", "upload", "settings", "launch", "rejudge", "reveal", "users roster"}
    groups = {"competitions download", "team show", "otto upload", "baseline"}
    assert taking_part | organizing | groups <= found
    assert not {"score", "compare", "serve", "otto prepare", "export"} & found


def test_a_silent_server_ends_a_command_after_its_timeout(person: Person) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}"
        ran = person.types("leaderboard", "shop", "--timeout", 1, PODIUM_URL=url)
    told = f"{url} has not answered after 1 s. Try again later, or wait longer.\n"
    assert (ran.code, ran.out, ran.err) == (7, "", told)


def test_the_silence_of_a_server_is_told(person: Person) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}"
        here = {"PODIUM_URL": url, "PODIUM_SLOW_SECONDS": "0.1"}
        ran = person.types("leaderboard", "shop", "--timeout", 1, **here)
    assert ran.err.startswith(f"{url} has not answered for 1 s. Still waiting …\n")
    wrong = person.types("leaderboard", "shop", PODIUM_SLOW_SECONDS="soon")
    told = "PODIUM_SLOW_SECONDS is 'soon': give a number of seconds.\n"
    assert (wrong.code, wrong.err) == (2, told)


def imported(person: Person, *arguments: str) -> set[str]:
    """The modules that a process of its own imports for this command."""
    run = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "podium.cli", *arguments],
        cwd=person.home,
        env=person.environment(PYTHONPATH=str(ROOT)),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert run.returncode == 0, run.stderr[-500:]
    return {line.rpartition("|")[2].strip() for line in run.stderr.splitlines()}


def test_help_imports_nothing_heavy(person: Person) -> None:
    loaded = imported(person, "--help")
    assert "typer" in loaded
    heavy = {"polars", "sqlalchemy", "fastapi", "pydantic", "dbos", "httpx2", "uvicorn"}
    assert loaded & heavy == set()


def test_scoring_at_home_imports_nothing_of_databases_or_of_the_web(person: Person) -> None:
    (person.home / "truth.jsonl").write_text(
        '{"session": 1, "labels": {"clicks": 2, "carts": [2], "orders": [2]}}\n'
    )
    (person.home / "mine.csv").write_text("session_type,labels\n1_clicks,2\n1_carts,\n1_orders,\n")
    loaded = imported(person, "score", "mine.csv", "--truth", "truth.jsonl")
    assert {"polars", "podium.scoring"} <= loaded
    assert loaded & {"sqlalchemy", "alembic", "fastapi", "uvicorn", "dbos", "psycopg"} == set()


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["submit", "otto"],
        ["score", "absent.csv", "--truth", "absent.csv"],
        ["select"],
    ],
    ids=" ".join,
)
def test_a_wrong_use_ends_with_2_and_says_nothing_on_standard_output(
    person: Person, arguments: list[str]
) -> None:
    ran = person.types(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err


@pytest.mark.parametrize("group", [[], ["team"], ["competitions"]], ids=str)
def test_a_group_without_a_command_prints_its_help_once(person: Person, group: list[str]) -> None:
    ran = person.types(*group)
    assert (ran.code, ran.out.count("Usage: podium"), ran.err) == (2, 1, "")


def test_an_option_that_others_call_set_is_named_as_it_is_here(person: Person) -> None:
    ran = person.types("settings", "shop", "--set", "x")
    assert (ran.code, "(Possible options: --change)" in ran.err) == (2, True)


def test_without_a_terminal_there_are_no_colors(person: Person) -> None:
    ran = person.types("--help")
    assert "\x1b[" not in ran.out + ran.err


def test_paragraphs_of_help_are_broken_by_the_terminal_alone() -> None:
    group: Any = get_command(build())
    for name in ("backup", "rejudge"):
        text = group.whole()[name].help
        assert "\n\n" in text
        assert all("\n" not in paragraph for paragraph in text.split("\n\n"))
