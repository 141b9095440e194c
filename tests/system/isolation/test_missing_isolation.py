"""A machine without Landlock or seccomp: nothing is judged there unless its operator says so."""

from __future__ import annotations

import json
import os
import platform
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from podium.client import Organizer, Podium
from podium.errors import Unavailable
from tests.builders.processes.commands import Ran, ran
from tests.builders.processes.serving import ADMIN_TOKEN, LABELS, SESSIONS, submission
from tests.places import ROOT

pytestmark = pytest.mark.skipif(
    platform.machine() not in ("x86_64", "aarch64"), reason="no numbers of calls for this machine"
)


def environment(folder: Path, **more: str) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "PODIUM_DATA_DIR": str(folder / "data"),
        "PODIUM_ADMIN_TOKEN": ADMIN_TOKEN,
        "PODIUM_MIN_FREE_BYTES": "0",
        "PYTHONPATH": str(ROOT),
        **more,
    }


def without(lost: str | None) -> list[str]:
    """The module that is `podium` on a machine without this part of the kernel, and its first
    arguments."""
    return ["podium.cli"] if lost is None else ["tests.system.isolation.old_kernel", lost]


@contextmanager
def serving(folder: Path, lost: str | None, **more: str) -> Iterator[str]:
    with (folder / "server.log").open("a") as log:
        server = subprocess.Popen(
            [sys.executable, "-m", *without(lost), "serve", "--port", "0"],
            cwd=folder,
            env=environment(folder, **more),
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
        assert server.stdout is not None
        try:
            line = server.stdout.readline()
            assert line.startswith("Podium answers at "), (folder / "server.log").read_text()
            yield line.split()[-1]
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(timeout=60)
            server.stdout.close()


def ready(url: str) -> dict[str, object]:
    answer = httpx2.get(f"{url}/readyz", timeout=60)
    assert answer.status_code == 200, answer.text
    judging: dict[str, object] = answer.json()["judging"]
    return judging


def test_uploads_wait_until_the_machine_isolates_again(tmp_path: Path) -> None:
    with serving(tmp_path, None) as url, Organizer(url, ADMIN_TOKEN) as organizer:
        assert ready(url)["refusal"] is None
        truth = tmp_path / "truth.csv"
        truth.write_text(
            "session_type,labels,Usage\n"
            + "".join(
                f"{session}_{objective},{labels},{usage}\n"
                for session, usage in SESSIONS.items()
                for objective, labels in LABELS.items()
            )
        )
        organizer.create_competition("cup", "The cup", preset="otto", split="usage")
        organizer.upload_ground_truth("cup", truth)
        organizer.launch("cup")
        token = organizer.create_user("ann")["token"]
        with Podium(url, token) as ann:
            ann.create_team("cup", "Ann's")
        metrics = httpx2.get(f"{url}/metrics", headers=bearer(), timeout=60).text
        assert 'podium_sandbox_wall{wall="landlock"} 1.0' in metrics
        assert 'podium_sandbox_wall{wall="seccomp"} 1.0' in metrics

    file = tmp_path / "file.csv"
    file.write_text(submission(clicks="3"))
    with (
        serving(tmp_path, "landlock") as url,
        Podium(url, token) as ann,
        Organizer(url, ADMIN_TOKEN) as organizer,
    ):
        sent = ann.submit("cup", file)
        judging = ready(url)
        assert judging["workers"] == 0
        assert "cannot isolate hostile files: files (missing" in str(judging["refusal"])
        assert "PODIUM_WEAK_SANDBOX=1" in str(judging["refusal"])
        with pytest.raises(Unavailable, match="cannot isolate") as refused:
            organizer.upload_ground_truth("cup", truth)
        assert refused.value.code == "sandbox-missing"
        metrics = httpx2.get(f"{url}/metrics", headers=bearer(), timeout=60).text
        assert 'podium_sandbox_wall{wall="landlock"} 0.0' in metrics
        # Longer than a worker takes to look for work.
        time.sleep(4)
        assert ann.submission(sent["id"])["status"] == "queued"
    events = [
        json.loads(line)
        for line in (tmp_path / "server.log").read_text().splitlines()
        if line.startswith("{")
    ]
    assert [event["missing"] for event in events if event["event"] == "sandbox.refused"] == [
        ["files"]
    ]

    with serving(tmp_path, "landlock", PODIUM_WEAK_SANDBOX="1") as url, Podium(url, token) as ann:
        assert ready(url)["refusal"] is None
        assert ann.wait(sent["id"], timeout=120)["status"] == "scored"


@pytest.mark.parametrize("lost", ["landlock", "seccomp"])
def test_a_worker_refuses_to_start_and_the_doctor_fails(tmp_path: Path, lost: str) -> None:
    answer = asked(tmp_path, None, "migrate")
    assert answer.code == 0, answer.err
    worker = asked(tmp_path, lost, "worker")
    assert worker.code == 2, worker.err
    assert "Nothing is judged here" in worker.err.splitlines()[-1]
    assert len([line for line in worker.err.splitlines() if "Traceback" in line]) == 0

    doctor = asked(tmp_path, lost, "doctor", "--json")
    told = json.loads(doctor.out)
    assert doctor.code == 4
    assert [line for line in told["failures"] if "cannot isolate hostile files" in line]

    doctor = asked(tmp_path, lost, "doctor", "--json", PODIUM_WEAK_SANDBOX="1")
    told = json.loads(doctor.out)
    assert not [line for line in told["failures"] if "isolate" in line]
    assert told["facts"]["isolation"].startswith("weak")


def test_metrics_of_organizers_need_isolation_whatever_files_need(tmp_path: Path) -> None:
    answer = asked(tmp_path, None, "migrate")
    assert answer.code == 0, answer.err

    def doctor(lost: str | None, metrics: str) -> tuple[str, list[str]]:
        given = {"PODIUM_WEAK_SANDBOX": "1", "PODIUM_CUSTOM_METRICS": metrics}
        told = json.loads(asked(tmp_path, lost, "doctor", "--json", **given).out)
        return told["facts"]["custom metrics"], [
            failure for failure in told["failures"] if "custom metrics" in failure
        ]

    assert doctor(None, "off") == ("off (PODIUM_CUSTOM_METRICS)", [])
    state, failures = doctor(None, "on")
    assert state.startswith("run; isolation ")
    assert failures == []
    state, failures = doctor("landlock", "on")
    assert state == "do not run; isolation weak: without files"
    assert len(failures) == 1
    assert "PODIUM_CUSTOM_METRICS=on-unsandboxed" in failures[0]
    assert doctor("landlock", "on-unsandboxed") == ("run; isolation weak: without files", [])


def test_a_start_with_metrics_that_cannot_be_isolated_says_so(tmp_path: Path) -> None:
    allowed = {"PODIUM_WEAK_SANDBOX": "1", "PODIUM_CUSTOM_METRICS": "on"}
    with serving(tmp_path, "seccomp", **allowed):
        pass
    log = (tmp_path / "server.log").read_text()
    assert '"event": "metrics.refused"' in log
    assert "system calls (missing" in log


def test_the_demo_goes_on_and_says_so_in_one_line(tmp_path: Path) -> None:
    answer = asked(
        tmp_path, "landlock", "demo", "--port", "0", "--exit", PODIUM_DATA_DIR=str(tmp_path / "x")
    )
    assert answer.code == 0, answer.err
    told = [line for line in answer.err.splitlines() if "not isolated" in line]
    assert len(told) == 1, answer.err
    # It ends while ties of the public board are looked for: that is not a failure.
    assert "Traceback" not in answer.err
    assert '"level": "error"' not in answer.err


def test_a_demo_for_other_machines_is_refused(tmp_path: Path) -> None:
    everywhere = "0.0.0.0"  # noqa: S104 - what is refused
    arguments = ("demo", "--host", everywhere, "--port", "0", "--exit")
    answer = asked(tmp_path, "landlock", *arguments)
    assert answer.code == 4, answer.err
    assert "cannot isolate" in answer.err.splitlines()[-1]


def asked(folder: Path, lost: str | None, *arguments: str, **more: str) -> Ran:
    module, *first = without(lost)
    return ran(
        *first, *arguments, cwd=folder, environment=environment(folder, **more), module=module
    )


def bearer() -> dict[str, str]:
    return {"Authorization": f"Bearer {ADMIN_TOKEN}"}
