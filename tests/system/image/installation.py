"""An installation of the compose file, its competitions, and what participants do there."""

from __future__ import annotations

import json
import os
import random
import secrets
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.builders.machine.ports import free_ports
from tests.system.image.engine import Engine

PROJECT = "podium-image-test"
IMAGE = "podium:image-test"
"""Names of their own, so that an installation of this machine stays as it is."""

PATIENCE = 300.0
"""Seconds in which anything here becomes true on a busy machine, or never does."""

PODIUM = str(Path(sys.executable).with_name("podium"))


def wait_until(is_true: Callable[[], bool], what: str) -> None:
    """Returns once it is true; fails after `PATIENCE`."""
    deadline = time.monotonic() + PATIENCE
    while not is_true():
        assert time.monotonic() < deadline, f"not within {PATIENCE:.0f} s: {what}"
        time.sleep(0.1)


@dataclass
class Installation:
    """One profile of the compose file, run by an engine; `folder` holds what people have."""

    engine: Engine
    profile: str
    folder: Path
    settings: Mapping[str, str] = field(default_factory=dict)
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    port: int = field(default_factory=lambda: free_ports(1)[0])
    ada: str = ""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def compose(self, *arguments: str, **settings: str) -> str:
        """The standard output of `docker compose …` with a file of settings beside `.env`, as the
        guide says. Raises `Refused`."""
        given = {
            "PODIUM_IMAGE": IMAGE,
            "PODIUM_ADMIN_TOKEN": self.token,
            "PODIUM_BASE_URL": self.url,
            "PODIUM_PORT": f"127.0.0.1:{self.port}",
            "PODIUM_PROXY_PORT": f"127.0.0.1:{self.port}",
            **self.settings,
            **settings,
        }
        own = self.engine.folder / "mine.env"
        own.write_text("".join(f"{name}='{value}'\n" for name, value in given.items()))
        files = ("--env-file", ".env", "--env-file", str(own))
        return self.engine("compose", *files, "--project-name", PROJECT, *arguments)

    def container(self, service: str, number: int = 1) -> str:
        """The name of a container."""
        return f"{PROJECT}-{service}-{number}"

    def inside(self, service: str, *command: str, number: int = 1) -> str:
        """The output of a command in a container. Raises `Refused`."""
        return self.engine("exec", self.container(service, number), *command)

    def inspected(self, container: str, template: str) -> str:
        """One of the engine's facts about a container."""
        return self.engine("inspect", "--format", template, container).strip()

    def restarts(self, service: str) -> int:
        """The times that the engine has started a container again; -1 while it does not run, since
        only the limits of one that runs are changed."""
        told = self.inspected(self.container(service), "{{.State.Running}} {{.RestartCount}}")
        running, count = told.split()
        return int(count) if running == "true" else -1

    def wait_until_ready(self) -> None:
        """Waits until it takes files."""
        wait_until(lambda: self.status("/readyz") == 200, "it is ready")

    def status(self, path: str) -> int:
        """The status of an answer, 0 without one."""
        try:
            with urllib.request.urlopen(self.url + path, timeout=20) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            return 0

    def podium(self, *arguments: str, token: str | None = None) -> str:
        """The output of the command line, as the administrator or with another token."""
        run = self.begun(*arguments, token=token)
        out, _ = run.communicate(timeout=PATIENCE)
        assert run.returncode == 0, f"podium {' '.join(arguments)}: {out[-500:]}"
        return out

    def begun(self, *arguments: str, token: str | None = None) -> subprocess.Popen[str]:
        """The same, not waited for."""
        own = {"PODIUM_URL": self.url, "PODIUM_TOKEN": token or self.token}
        return subprocess.Popen(
            [PODIUM, *arguments],
            cwd=self.folder,
            env=os.environ | own | {"HOME": str(self.folder), "PODIUM_HISTORY": "0"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def open_competitions(self) -> None:
        """A competition, another one whose files take a while to judge, and Ada in both."""
        make_data(self.folder, self)
        for name in ("shop", "big"):
            truth = [f"--truth={name}/test_labels.jsonl"]
            truth += [f"--published-ids={name}/published_ids.csv"]
            self.podium("create", name, "--launch", *truth)
        self.ada = json.loads(self.podium("users", "add", "ada", "--json"))["token"]
        for name in ("shop", "big"):
            self.podium("team", "create", f"Ada of {name}", "-c", name, token=self.ada)

    def play(self) -> None:
        """Opens the competitions, and has Ada submit a file until it is on the board."""
        self.open_competitions()
        self.podium("submit", "shop", "-f", "shop.csv", token=self.ada)
        assert self.is_on_the_board()

    def submissions(self, competition: str) -> list[dict[str, Any]]:
        """Ada's submissions, newest first."""
        told = self.podium("submissions", competition, "--json", token=self.ada)
        found = json.loads(told)
        return found if isinstance(found, list) else found["items"]

    def submits(self, file: str, competition: str = "big") -> subprocess.Popen[str]:
        """Ada's upload of a file, whose judging has begun."""
        before = len(self.submissions(competition))
        upload = self.begun("submit", competition, "-f", file, token=self.ada)
        wait_until(lambda: self.is_judging(competition, before), f"{file} is judged")
        return upload

    def is_judging(self, competition: str, before: int) -> bool:
        """True if one more than before is there, and a worker judges it."""
        found = self.submissions(competition)
        return len(found) > before and found[0]["status"] == "judging"

    def is_on_the_board(self) -> bool:
        """True if Ada's team is on the board of the first competition."""
        return "Ada of shop" in self.podium("leaderboard", "shop", "--csv")


def make_data(folder: Path, installation: Installation) -> None:
    """Ground truths and files; random ones, so that each is another, for the large competition."""
    for name, sessions in (("shop", 2_000), ("big", 60_000)):
        if (folder / name / "published_ids.csv").exists():
            continue
        installation.podium("otto", "synth", f"--sessions={sessions}", "--raw", f"--to={name}-raw")
        installation.podium("otto", "prepare", f"{name}-raw/raw_sessions.jsonl", f"--to={name}")
    if not (folder / "shop.csv").exists():
        given = ["--train=shop/train_sessions.jsonl", "--test=shop/test_sessions.jsonl"]
        installation.podium("baseline", "popular", *given, "--out=shop.csv")
    for number in (1, 2, 3, 4):
        target = folder / f"big-{number}.csv"
        if target.exists():
            continue
        drawn = random.Random(number)
        with (folder / "big/sample_submission.csv").open() as rows, target.open("w") as out:
            out.write(next(rows))
            for row in rows:
                items = " ".join(str(drawn.randrange(1, 400_000)) for _ in range(20))
                out.write(f"{row.partition(',')[0]},{items}\n")
