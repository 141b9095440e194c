"""The profile `scale`: proxy, replicas, workers, PostgreSQL and a store."""

from __future__ import annotations

import json
import secrets
import threading
import time

from tests.system.image.engine import Engine
from tests.system.image.installation import IMAGE, PROJECT, Installation, wait_until
from tests.system.image.report import Report

PARTS = ("proxy", "api-1", "api-2", "worker", "postgres", "store")

SUBNET = "10.213.87.0/24"
"""Another one than the compose file's own."""

CONFINED = r"""
set -e
[ "$(id -u)" != 0 ]
grep -q "CapEff:.$0\$" /proc/1/status
grep -q 'NoNewPrivs:.1' /proc/1/status
! touch /tried 2>/dev/null
! touch /usr/tried 2>/dev/null
"""


def settings(profile: str) -> dict[str, str]:
    """The settings that have to be given: a password and keys, of characters that mean something
    elsewhere."""
    if profile != "scale":
        return {}
    return {
        "COMPOSE_PROFILES": "scale",
        "PODIUM_DATABASE_PASSWORD": f"p@ss%2F:/#?{secrets.token_urlsafe(12)}",
        "PODIUM_STORAGE_KEY_ID": "podium-store",
        "PODIUM_STORAGE_KEY": secrets.token_urlsafe(24),
        "PODIUM_SUBNET": SUBNET,
    }


def try_out(installation: Installation, report: Report) -> None:
    """All steps, from no image to none of its containers and volumes."""
    engine = installation.engine
    engine.tried("image", "rm", "--force", IMAGE)
    with report.step("the first `docker compose --profile scale up --build`"):
        installation.compose("up", "--build", "--detach")
    with report.step("it answers through the proxy"):
        installation.wait_until_ready()
    for part in PARTS:
        with report.step(f"{part}: no root, no capability, a read-only file system"):
            # The proxy has the one that lets it listen below 1024.
            capabilities = f"{1 << 10 if part == 'proxy' else 0:016x}"
            installation.inside(part, "sh", "-c", CONFINED, capabilities)
    with report.step("the network is the one that was named, and believed"):
        given = "{{(index .IPAM.Config 0).Subnet}}"
        assert installation.inspected(f"{PROJECT}_inside", given) == SUBNET
        trusted = installation.inside("api-1", "printenv", "PODIUM_TRUSTED_PROXIES")
        assert trusted.strip() == SUBNET
    with report.step("workers report"):
        # They start after the replicas, and doctor in a replica misses them.
        api = installation.container("api-1")
        doctor = ("exec", api, "podium", "doctor")
        wait_until(lambda: engine.tried(*doctor).returncode == 0, "doctor finds a worker")
    for part, number in (("api-1", 1), ("api-2", 1), ("worker", 1), ("worker", 2)):
        with report.step(f"doctor in {part} {number}"):
            installation.inside(part, "podium", "doctor", number=number)
    with report.step("competitions, an upload, its score, the board"):
        installation.play()
    _kill(installation, report)
    _restart(installation, report)
    _back_up(installation, report)
    with report.step("the proxy on ports 80 and 443, without being root"):
        _listens_below_1024(installation)
    with report.step("a name of its own: the second file opens ports 80 and 443"):
        files = "docker-compose.yml:.docker/site.yml"
        named = {"COMPOSE_FILE": files, "PODIUM_SITE": "podium.internal"}
        told = json.loads(installation.compose("config", "--format=json", **named))
        proxy = told["services"]["proxy"]
        assert {"80", "443"} <= {port["published"] for port in proxy["ports"]}, proxy
        assert proxy["environment"]["PODIUM_SITE"] == "podium.internal", proxy


def _kill(installation: Installation, report: Report) -> None:
    engine = installation.engine
    workers = [installation.container("worker", number) for number in (1, 2)]
    with report.step("docker kill of the worker that judges: the other one judges the file"):
        for worker in workers:
            engine("update", "--cpus", "0.4", worker)
        upload = installation.begun("submit", "big", "-f", "big-1.csv", token=installation.ada)
        judging = _busy_one(engine, workers)
        engine("kill", judging)
        for worker in workers:
            engine("update", "--cpus", "2", worker)
        assert upload.wait(timeout=300) == 0
        engine("start", judging)
    with report.step("both replicas killed in an upload: it goes on and is judged"):
        replicas = [installation.container("api-1"), installation.container("api-2")]
        upload = installation.begun("submit", "big", "-f", "big-2.csv", token=installation.ada)
        time.sleep(0.9)
        engine("kill", *replicas)
        time.sleep(3)
        engine("start", *replicas)
        assert upload.wait(timeout=300) == 0


def _busy_one(engine: Engine, workers: list[str]) -> str:
    """The first of the workers that has a child, which judges."""
    found: list[str] = []

    def looked() -> bool:
        found[:] = [worker for worker in workers if _has_child(engine, worker)]
        return bool(found)

    wait_until(looked, "a worker judges")
    return found[0]


def _has_child(engine: Engine, worker: str) -> bool:
    told = engine("top", worker, "-eo", "pid,ppid,args").splitlines()[1:]
    rows = [row.split(maxsplit=2) for row in told]
    # What the healthcheck starts has another parent.
    itself = {pid for pid, _, command in rows if command.endswith("bin/podium worker")}
    return any(parent in itself for _, parent, _ in rows)


def _restart(installation: Installation, report: Report) -> None:
    engine = installation.engine
    with report.step("no request fails while one replica restarts"):
        installation.wait_until_ready()
        restart = ("restart", "--time", "60", installation.container("api-1"))
        restarting = threading.Thread(target=engine, args=restart)
        restarting.start()
        answers = [installation.status("/healthz")]
        while restarting.is_alive():
            answers.append(installation.status("/healthz"))
            time.sleep(0.05)
        assert set(answers) == {200}, answers
    with report.step("database and store restarted: an upload is judged"):
        engine("restart", installation.container("postgres"), installation.container("store"))
        installation.wait_until_ready()
        installation.podium("submit", "big", "-f", "big-3.csv", token=installation.ada)
    with report.step("down, up: everything is still there"):
        installation.compose("down")
        installation.compose("up", "--detach")
        installation.wait_until_ready()
        assert installation.is_on_the_board()
        assert len(installation.submissions("big")) == 3


def _back_up(installation: Installation, report: Report) -> None:
    engine = installation.engine
    with report.step("backup by a replica, with the server's own pg_dump"):
        installation.inside("api-1", "podium", "backup", "--to", "/backups")
    with report.step("restore into an empty database and an empty store"):
        installation.compose("down")
        for volume in ("postgres-data", "store-data", "api-2-data", "worker-data"):
            engine("volume", "rm", f"{PROJECT}_{volume}")
        installation.compose("up", "--detach", "--wait", "postgres", "store")
        restore = ("restore", "--from", "/backups")
        installation.compose("run", "--rm", "--no-deps", "api-1", *restore)
        installation.compose("up", "--detach")
        installation.wait_until_ready()
        assert installation.is_on_the_board()
        assert len(installation.submissions("big")) == 3
    with report.step("the restored installation judges"):
        installation.podium("submit", "big", "-f", "big-4.csv", token=installation.ada)


def _listens_below_1024(installation: Installation) -> None:
    engine, name = installation.engine, f"{PROJECT}-site"
    site = ("run", "--detach", "--no-deps", f"--name={name}", "-e", "PODIUM_SITE=podium.internal")
    installation.compose(*site, "proxy")
    try:
        ask = ("wget", "-q", "-O", "/dev/null", "http://127.0.0.1:8081/")
        wait_until(lambda: engine.tried("exec", name, *ask).returncode == 0, "it answers")
        listening = engine("exec", name, "cat", "/proc/net/tcp6", "/proc/net/tcp")
        assert ":0050 " in listening, listening
        assert ":01BB " in listening, listening
    finally:
        engine.tried("rm", "--force", "--volumes", name)
