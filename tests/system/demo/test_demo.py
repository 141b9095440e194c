"""`podium demo` as a whole, in a folder of its own."""

from __future__ import annotations

import itertools
import json
import os
import re
import shlex
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from podium.cli.operator.demo.interval_score import METRIC
from podium.cli.operator.demo.movies import DESCRIPTION
from podium.cli.operator.demo.sessions import RECALLS
from podium.cli.operator.demo.showing import MARK, prepare
from podium.client import Podium
from podium.errors import NotAuthenticated, NotConfigured
from tests.builders.processes.serving import serving
from tests.places import ROOT

HOMES_BOARD = ["Square metres", "Districts", "One range for all"]


@contextmanager
def demo(home: Path, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """A running demo in `home`, whose output can be read; ended with the block."""
    log = (home / "demo.log").open("w")
    process = subprocess.Popen(
        [sys.executable, "-m", "podium.cli", "demo", "--port", "0", "--data-dir", "demo"],
        cwd=home,
        env={"PATH": os.environ["PATH"], "HOME": str(home), "PYTHONPATH": str(ROOT)} | environment,
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=60)
        assert process.stdout is not None
        process.stdout.close()
        log.close()


def introduction(process: subprocess.Popen[str]) -> str:
    """The output of the demo once it is ready."""
    assert process.stdout is not None
    lines: list[str] = []
    while not lines or not lines[-1].startswith("Ctrl-C"):
        line = process.stdout.readline()
        assert line, "the demo ended before it stood"
        lines.append(line)
    return "".join(lines)


def found(pattern: str, text: str) -> str:
    match = re.search(pattern, text)
    assert match is not None, text
    return match[1]


def assert_the_last_season_is_over(you: Podium, text: str) -> None:
    finale = found(r"final ranking +(http\S+)", text)
    assert httpx2.get(finale).status_code == 200
    final = list(you.leaderboard("otto-last-season", split="private"))
    assert [row["team"]["name"] for row in final] == list(RECALLS)
    public = [row["team"]["name"] for row in you.leaderboard("otto-last-season")]
    assert [public.index(name) + 1 for name in list(RECALLS)[:4]] == [6, 4, 2, 1]
    assert [row["tied_with_first"] for row in final[1:]] == [True] * 3 + [False] * 4


def assert_a_submission_to_the_next_movies_works(
    you: Podium, url: str, token: str, text: str, home: Path
) -> None:
    """The commands in the description of the competition make a good file."""
    page = httpx2.get(found(r"next movies +(http\S+)", text))
    assert "users" in page.text
    before = [row["team"]["name"] for row in you.leaderboard("movies-demo")]
    assert before[-1] == "Popular movies"
    assert sorted(before[:-1]) == ["Linear model", "Matrix factors", "Similar movies"]
    commands = DESCRIPTION.partition("    podium")[1:]
    script = "".join(commands) + "\npodium submit movies-demo -f ease.csv\n"
    is_this_one = f'podium() {{ "{sys.executable}" -m podium.cli "$@"; }}; set -e\n'
    environment = {"PODIUM_URL": url, "PODIUM_TOKEN": token, "HOME": str(home)}
    ran = subprocess.run(
        ["bash", "-c", is_this_one + script],
        cwd=home,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    after = [row["team"]["name"] for row in you.leaderboard("movies-demo")]
    assert set(after) == {*before, "Test drive"}
    assert after[-1] == "Popular movies"


def assert_the_clicks_are_ranked(you: Podium, text: str) -> None:
    assert httpx2.get(found(r"clicks +(http\S+)", text)).status_code == 200
    rows = {row["team"]["name"]: row["score"] for row in you.leaderboard("clicks-demo")}
    assert rows["Base rate"] == 0.5
    assert rows["Favorite topics"] > rows["Popular articles"] > 0.55
    assert len(rows) == 4


def assert_a_metric_of_its_own_ranks_the_homes(you: Podium, text: str) -> None:
    page = found(r"homes +(http\S+)", text)
    assert httpx2.get(page).status_code == 200
    rows = list(you.leaderboard("homes-demo"))
    assert [row["team"]["name"] for row in rows] == HOMES_BOARD
    assert all(a["score"] < b["score"] for a, b in itertools.pairwise(rows))
    api = page.replace("/competitions", "/api/v1/competitions")
    assert httpx2.get(f"{api}/metric-files/1/source").text == METRIC


def assert_an_operators_token_ends_that_of_the_demo(home: Path) -> None:
    """Serves what the demo has made, with another token for the administrator."""
    made_with = json.loads((home / "demo" / "demo.json").read_text())["admin_token"]
    served = serving(home, "--no-worker", PODIUM_DATA_DIR=str(home / "demo"))
    with served as installation, installation.organizer() as organizer:
        assert organizer.me()["name"] == "administrator"
        with Podium(installation.url, made_with) as former, pytest.raises(NotAuthenticated):
            former.me()


def test_the_demo_makes_a_board_and_both_printed_ways_to_submit_work(tmp_path: Path) -> None:
    with demo(tmp_path) as process:
        text = introduction(process)
        url = found(r"leaderboard +(http://127\.0\.0\.1:\d+)/competitions/otto-demo", text)
        token = found(r"participant +(\S+)", text)
        with Podium(url, token) as you:
            before = list(you.leaderboard("otto-demo"))
            names = [row["team"]["name"] for row in before]
            assert names == ["Co-visitation", "Recent items", "Popular items", "Random items"]
            scores = [row["score"] for row in before]
            assert all(a > b + 0.05 for a, b in itertools.pairwise(scores))

            assert_the_last_season_is_over(you, text)
            assert_a_submission_to_the_next_movies_works(you, url, token, text, tmp_path)
            assert_the_clicks_are_ranked(you, text)
            assert_a_metric_of_its_own_ranks_the_homes(you, text)

            curl = found(r"(curl -H (?:.*\\\n)*.*)\n\nor with", text)
            if subprocess.run(["which", "curl"], capture_output=True).returncode == 0:
                sent = subprocess.run(  # noqa: S602 - the line is tried as people paste it
                    curl,
                    shell=True,
                    capture_output=True,
                    text=True,
                )
                assert '"status":"queued"' in sent.stdout.replace(" ", ""), sent.stdout

            _, *arguments = shlex.split(found(r"\n  \S*(podium submit .*)\n", text))
            environment = {"PODIUM_URL": url, "PODIUM_TOKEN": token, "HOME": str(tmp_path)}
            ran = subprocess.run(
                [sys.executable, "-m", "podium.cli", *arguments],
                cwd=tmp_path,
                env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **environment},
                capture_output=True,
                text=True,
            )
            assert ran.returncode == 0, ran.stderr
            # A random secret splits the sessions, so the file is not always the second best.
            rank = int(found(r"team's rank +([123])\n", ran.stdout))
            after = [row["team"]["name"] for row in you.leaderboard("otto-demo")]
            assert after == [*names[: rank - 1], "Test drive", *names[rank - 1 :]]

    # A second demo in the same folder goes on with the same accounts and the same board.
    with demo(tmp_path) as process:
        again = introduction(process)
        url = found(r"leaderboard +(http://127\.0\.0\.1:\d+)/competitions/otto-demo", again)
        assert found(r"participant +(\S+)", again) == token
        with Podium(url, token) as you:
            assert [row["team"]["name"] for row in you.leaderboard("otto-demo")] == after
    assert stat.S_IMODE((tmp_path / "demo" / "demo.json").stat().st_mode) == 0o600
    assert_an_operators_token_ends_that_of_the_demo(tmp_path)


def test_a_demo_without_metrics_leaves_the_homes_out_and_gets_them_later(tmp_path: Path) -> None:
    with demo(tmp_path, PODIUM_CUSTOM_METRICS="off") as process:
        assert "homes" not in introduction(process)
    log = (tmp_path / "demo.log").read_text()
    assert log.count("homes-demo") == 1
    assert "PODIUM_CUSTOM_METRICS is off" in log

    # So does the folder of an earlier version, which knew no such competition.
    with demo(tmp_path) as process:
        text = introduction(process)
        url = found(r"leaderboard +(http://127\.0\.0\.1:\d+)/competitions/otto-demo", text)
        with Podium(url, found(r"participant +(\S+)", text)) as you:
            assert_a_metric_of_its_own_ranks_the_homes(you, text)


def test_an_interrupted_demo_is_made_anew_and_a_strange_folder_is_left_alone(
    tmp_path: Path,
) -> None:
    half = tmp_path / "half"
    half.mkdir()
    (half / MARK).touch()
    (half / "podium.sqlite3").write_text("half")
    assert prepare(half) is None
    assert [path.name for path in half.iterdir()] == [MARK]

    strange = tmp_path / "strange"
    strange.mkdir()
    (strange / "thesis.tex").write_text("years of work")
    with pytest.raises(NotConfigured, match="something else"):
        prepare(strange)
    assert (strange / "thesis.tex").read_text() == "years of work"
