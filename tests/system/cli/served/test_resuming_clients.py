"""Clients that go on: `podium submit` and the Python client over connections that break."""

from __future__ import annotations

import hashlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from podium.application import Application
from podium.client import Organizer, Podium
from podium.client.uploads import RESUMABLE_BYTES
from podium.core.models import Competition, Submission
from podium.errors import InvalidInput
from tests.builders.machine.cutting_proxy import CuttingProxy, cutting
from tests.builders.processes.commands import Person
from tests.builders.processes.serving import ADMIN_TOKEN, Installation, serving
from tests.builders.uploads.server import running
from tests.builders.uploads.stage import Stage, set_up

SIZE = 20 << 20


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """A file that is too large to be sent at once, with bytes that nowhere repeat."""
    path = tmp_path / "large.csv"
    block = b"".join(hashlib.sha256(b"%d" % number).digest() for number in range(1 << 12))
    with path.open("wb") as sink:
        for number in range(SIZE // len(block)):
            sink.write(b"%08d" % number + block[8:])
    return path


@pytest.fixture
def roomy(application: Application) -> Iterator[Stage]:
    """A running server with one open competition and one team, where files may be large."""
    with running(application) as server:
        stage = set_up(server)
        _allow_large_files(stage)
        yield stage


def _allow_large_files(stage: Stage) -> None:
    with stage.server.application.database.write() as session:
        row = session.get_one(Competition, stage.competition.id)
        row.settings = row.settings | {"max_upload_bytes": 64 << 20}


def accepted(stage: Stage) -> list[str]:
    with stage.server.application.database.read() as session:
        return [each.sha256 for each in session.query(Submission)]


def test_a_file_goes_on_after_every_cut_and_nothing_is_sent_twice(
    roomy: Stage, large: Path
) -> None:
    seen: list[tuple[int, int]] = []
    told: list[str] = []
    with (
        cutting(roomy.server.port, 6 << 20, 9 << 20) as proxy,
        Podium(proxy.url, roomy.token) as podium,
    ):
        document = podium.submit(
            "otto",
            large,
            note="cut twice",
            on_progress=lambda *at: seen.append(at),
            on_retry=told.append,
        )
        assert proxy.cuts == []
        # A cut may lose what the HTTP server had not handed on: far less than a piece.
        assert proxy.sent < SIZE + (3 << 20)
    assert document["sha256"] == hashlib.sha256(large.read_bytes()).hexdigest()
    assert (document["filename"], document["note"]) == ("large.csv", "cut twice")
    assert seen[-1] == (SIZE, SIZE)
    interrupted, resumed = "The upload was interrupted: ", "Resuming the upload at "
    assert [next(each for each in (interrupted, resumed) if one.startswith(each)) for one in told][
        :2
    ] == [interrupted, resumed]
    assert sum(one.startswith(resumed) for one in told) == 2
    assert accepted(roomy) == [document["sha256"]]


def settled(proxy: CuttingProxy) -> int:
    """The bytes that came through, once none follow any more of those that were under way."""
    seen = -1
    while seen != proxy.sent:
        seen = proxy.sent
        time.sleep(1)
    return seen


def test_a_later_call_goes_on_with_what_is_remembered(roomy: Stage, large: Path) -> None:
    memory: dict[str, str] = {}
    with (
        cutting(roomy.server.port) as proxy,
        Podium(proxy.url, roomy.token) as podium,
    ):

        def stop(sent: int, total: int) -> None:
            if sent > SIZE // 2:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            podium.submit("otto", large, on_progress=stop, memory=memory)
        assert len(memory) == 1
        first = settled(proxy)
        podium.submit("otto", large, memory=memory)
        # A client that began anew would send all of them; some that were under way may be lost.
        assert proxy.sent - first < SIZE - (1 << 20)
    assert memory == {}
    assert accepted(roomy) == [hashlib.sha256(large.read_bytes()).hexdigest()]


def test_what_the_server_has_forgotten_is_sent_anew(roomy: Stage, large: Path) -> None:
    url = f"http://127.0.0.1:{roomy.server.port}"
    sha256 = hashlib.sha256(large.read_bytes()).hexdigest()
    memory = {f"{url} {sha256}": "gone"}
    with Podium(url, roomy.token) as podium:
        assert podium.submit("otto", large, memory=memory)["sha256"] == sha256
    assert memory == {}


def test_bytes_that_changed_meanwhile_are_noticed(roomy: Stage, large: Path) -> None:
    url = f"http://127.0.0.1:{roomy.server.port}"

    def change(sent: int, total: int) -> None:
        if sent == 0:
            with large.open("r+b") as sink:
                sink.write(b"changed!")

    memory: dict[str, str] = {}
    with Podium(url, roomy.token) as podium, pytest.raises(InvalidInput) as refusal:
        podium.submit("otto", large, on_progress=change, memory=memory)
    assert refusal.value.code == "digest-mismatch"
    assert memory == {}
    assert accepted(roomy) == []
    assert roomy.server.slots() == 0


def _interrupted(command: list[str], environment: dict[str, str], proxy: CuttingProxy) -> bytes:
    """Stops the command by the keyboard when a third is sent; answers what it said."""
    proxy.pause(SIZE // 3)
    first = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while proxy.sent < SIZE // 3:
        assert time.monotonic() < deadline
        time.sleep(0.001)
    first.send_signal(signal.SIGINT)
    _, output = first.communicate(timeout=60)
    proxy.release()
    assert first.returncode != 0, output
    return output


def test_the_command_goes_on_after_it_was_interrupted(
    roomy: Stage, large: Path, tmp_path: Path
) -> None:
    with cutting(roomy.server.port) as proxy:
        command = [
            sys.executable,
            "-m",
            "podium.cli",
            "submit",
            "otto",
            "-f",
            str(large),
            "--no-wait",
        ]
        environment = {
            **os.environ,
            "HOME": str(tmp_path),
            "XDG_STATE_HOME": str(tmp_path / "state"),
            "PODIUM_URL": proxy.url,
            "PODIUM_TOKEN": roomy.token,
        }
        output = _interrupted(command, environment, proxy)
        second = subprocess.run(command, env=environment, capture_output=True, timeout=120)
        assert second.returncode == 0, second.stderr
        assert b"Run the same command again" in output
        assert re.search(rb"Resuming the upload at [1-9]\d? %\.", second.stderr)
        assert proxy.sent < SIZE + (3 << 20)
    sha256 = hashlib.sha256(large.read_bytes()).hexdigest()
    assert set(accepted(roomy)) == {sha256}


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Installation]:
    """A server in a process of its own, with a draft."""
    folder = tmp_path / "server"
    folder.mkdir()
    with serving(folder) as installation:
        with installation.organizer() as organizer:
            organizer.create_competition("shop", "Shop", preset="otto")
        yield installation


def _port(installation: Installation) -> int:
    return int(installation.url.rpartition(":")[2])


def test_an_organizers_file_goes_on_after_every_cut(played: Installation, large: Path) -> None:
    seen: list[tuple[int, int]] = []
    told: list[str] = []
    with (
        cutting(_port(played), 6 << 20, 9 << 20) as proxy,
        Organizer(proxy.url, ADMIN_TOKEN) as organizer,
    ):
        organizer.on_progress = lambda *at: seen.append(at)
        organizer.on_retry = told.append
        document = organizer.add_file("shop", "train.csv", large)
        assert proxy.cuts == []
        assert proxy.sent < SIZE + (3 << 20)
        assert document["sha256"] == hashlib.sha256(large.read_bytes()).hexdigest()
        assert [file["bytes"] for file in organizer.files("shop")] == [SIZE]
    assert seen[-1] == (SIZE, SIZE)
    assert sum(one.startswith("Resuming the upload at ") for one in told) == 2


def test_a_large_ground_truth_comes_in_pieces(played: Installation, tmp_path: Path) -> None:
    truth = tmp_path / "truth.csv"
    with truth.open("w") as sink:
        sink.write("session_type,labels\n")
        for session in range(400_000):
            sink.write(f"{session}_clicks,1\n{session}_carts,2 3\n{session}_orders,4\n")
    assert truth.stat().st_size > RESUMABLE_BYTES
    with cutting(_port(played), 5 << 20) as proxy, Organizer(proxy.url, ADMIN_TOKEN) as organizer:
        version = organizer.upload_ground_truth("shop", truth)
    assert (version["status"], version["counts"]["sessions"]) == ("stored", 400_000)


def test_the_organizers_command_goes_on_after_it_was_interrupted(
    played: Installation, large: Path, tmp_path: Path
) -> None:
    with cutting(_port(played)) as proxy:
        command = [sys.executable, "-m", "podium.cli", "upload", "shop", "--data", str(large)]
        environment = {
            **os.environ,
            "HOME": str(tmp_path),
            "XDG_STATE_HOME": str(tmp_path / "state"),
            "PODIUM_URL": proxy.url,
            "PODIUM_TOKEN": ADMIN_TOKEN,
        }
        output = _interrupted(command, environment, proxy)
        second = subprocess.run(command, env=environment, capture_output=True, timeout=120)
        assert second.returncode == 0, second.stderr
        assert b"20 MB" in second.stdout
        assert b"Run the same command again: the upload resumes from here." in output
        assert proxy.sent < SIZE + (3 << 20)
    with played.organizer() as organizer:
        assert [file["bytes"] for file in organizer.files("shop")] == [SIZE]


def test_a_draft_with_data_whose_truth_is_refused_stays_and_the_command_says_how_to_go_on(
    played: Installation, person: Person
) -> None:
    (person.home / "truth.csv").write_text("session_type,labels\n1_clicks,one\n")
    here = played.as_administrator
    (person.home / "notes.txt").write_text("What the columns mean.\n")
    ran = person.types("create", "other", "--truth", "truth.csv", "--data", "notes.txt", **here)
    assert ran.code == 3
    assert "The draft other is made. `podium upload other` sends it further files" in ran.err
    rows = "".join(f"{n}_clicks,1\n{n}_carts,2\n{n}_orders,3\n" for n in range(50))
    (person.home / "truth.csv").write_text(f"session_type,labels\n{rows}")
    ran = person.types("upload", "other", "--truth", "truth.csv", **here)
    assert ran.code == 0, ran.err
    assert "ground truth, version 1" in ran.out
    assert person.types("upload", "other", **here).code == 2
