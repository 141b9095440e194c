"""The distributions that pip installs of the wheel: the thin client, the scorer, everything."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from podium import __version__, line_to_install
from tests.builders.processes.environments import Environment, locked
from tests.builders.processes.serving import launch, serving, submission

# The wheel and each environment are made once.
pytestmark = [pytest.mark.xdist_group("wheel"), pytest.mark.timeout(600)]

SERVER = {"alembic", "dbos", "fastapi", "sqlalchemy", "uvicorn"}

Install = Callable[[str], Environment]


@pytest.fixture(scope="module")
def install(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Install]:
    """Installs the wheel with an extra into an environment of its own, at the lock's versions."""
    made: dict[str, Environment] = {}

    def installed(extra: str) -> Environment:
        if extra not in made:
            made[extra] = Environment.empty(tmp_path_factory.mktemp(extra or "thin"))
            made[extra].install(f"{wheel}[{extra}]" if extra else str(wheel), constraints=locked())
        return made[extra]

    yield installed
    for environment in made.values():
        shutil.rmtree(environment.folder, ignore_errors=True)


@pytest.fixture(scope="module")
def thin(install: Install) -> Environment:
    return install("")


def test_the_thin_client_is_small(thin: Environment) -> None:
    assert len(thin.packages) <= 20
    assert thin.megabytes < 25
    assert thin.packages & {*SERVER, "polars", "cryptography"} == set()
    assert thin.complaints() == ""


def test_the_thin_client_explains_itself(thin: Environment, tmp_path: Path) -> None:
    assert "Take part" in thin.types(tmp_path, "--help").out
    assert thin.types(tmp_path, "--version").out == f"podium {__version__}\n"


@pytest.mark.parametrize(
    ("line", "extra"),
    [
        ("serve", "server"),
        ("worker", "server"),
        ("doctor --health", "server"),
        ("archive shop --to site", "server"),
        ("metrics", "score"),
        ("otto synth --sessions 9 --to here", "score"),
        ("verify receipt.json", "score"),
        ("ab clicks.csv", "ab"),
    ],
)
def test_a_command_says_which_line_brings_what_it_lacks(
    thin: Environment, tmp_path: Path, line: str, extra: str
) -> None:
    for name in ("receipt.json", "clicks.csv"):
        (tmp_path / name).touch()
    ran = thin.types(tmp_path, *line.split())
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.endswith(f": {line_to_install(extra)}\n")
    assert ran.err.startswith(f"podium {line.split()[0]} ")
    assert ran.err.count("\n") == 1


def test_a_participant_and_an_organizer_need_the_thin_client_alone(
    thin: Environment, tmp_path: Path
) -> None:
    (tmp_path / "mine.csv").write_text(submission(clicks="3", carts="2", orders="4"))
    with serving(tmp_path) as installation:
        with installation.organizer() as organizer:
            launch(organizer, "shop", tmp_path)
            token = organizer.create_user("Ada")["token"]
        login = thin.types(tmp_path, "login", installation.url, "-c", "shop", stdin=token)
        assert login.code == 0, login.err
        for line, told in (
            ("team create Adas", ""),
            ("submit shop -f mine.csv -m first", "0.425"),
            ("leaderboard", "Adas"),
            ("limits", ""),
            ("competitions show shop", "The shop"),
            ("runs", "first"),
        ):
            ran = thin.types(tmp_path, *line.split())
            assert ran.code == 0, (line, ran.err)
            assert told in ran.out
        here = {"PODIUM_URL": installation.url, "PODIUM_TOKEN": "a-token-for-tests-only"}
        for line in ("users add Grace", "create store --title Store"):
            ran = thin.types(tmp_path, *line.split(), **here)
            assert ran.code == 0, (line, ran.err)


def test_the_scorer_needs_no_server(install: Install, tmp_path: Path) -> None:
    scorer = install("score")
    assert scorer.packages & SERVER == set()
    for line in (
        "otto synth --sessions 2000 --raw --to raw",
        "otto prepare raw/raw_sessions.jsonl --to shop --seed 1",
        "baseline popular --train shop/train_sessions.jsonl --test shop/test_sessions.jsonl"
        " --out mine.csv",
        "score mine.csv --truth shop/test_labels.jsonl",
        "metrics",
        "metrics rmsle",
    ):
        ran = scorer.types(tmp_path, *line.split())
        assert ran.code == 0, (line, ran.err)
    (tmp_path / "receipt.json").write_text("{}")
    assert scorer.types(tmp_path, "verify", "receipt.json").code == 3
    assert (
        "podium-scorer[als]"
        in scorer.types(
            tmp_path,
            *("baseline", "als", "--out", "als.csv"),
            *("--train", "shop/train_sessions.jsonl", "--test", "shop/test_sessions.jsonl"),
        ).err
    )


def test_with_all_extras_nothing_is_missing(install: Install, tmp_path: Path) -> None:
    whole = install("all")
    assert {*SERVER, "polars", "joserfc", "opentelemetry_sdk", "implicit"} <= whole.packages
    assert whole.complaints() == ""
    place = {"PODIUM_DATA_DIR": str(tmp_path / "data")}
    ran = whole.types(tmp_path, "migrate", **place)
    assert ran.code == 0, ran.err
