"""The Dockerfile: what can be checked without an engine. Its build stage really runs, in an empty
virtual environment, and what it makes works outside the source tree."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tomllib
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.places import ROOT
from tests.system.packaging.dockerfile import (
    NETWORK,
    BuildFailed,
    arguments,
    build,
    build_wheel,
    stages,
)

# One process builds for all tests of this file.
pytestmark = pytest.mark.xdist_group("image")

DOCKERFILE = (ROOT / "Dockerfile").read_text()


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The environment that the build stage makes."""
    folder = tmp_path_factory.mktemp("image")
    try:
        yield build(folder)
    except BuildFailed as failure:
        if NETWORK.search(str(failure)):
            pytest.skip("the package index cannot be reached")
        raise
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def podium(image: Path, *arguments: str, folder: Path, **environment: str) -> str:
    """The output of an installed `podium` that is called in another folder."""
    run = subprocess.run(
        [image / "bin" / "podium", *arguments],
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", "HOME": str(folder), **environment},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_a_linter_finds_nothing_in_the_dockerfile() -> None:
    linter = Path(sys.executable).parent / "hadolint"
    if not linter.exists():
        pytest.skip("hadolint has no wheel for this platform")
    run = subprocess.run([linter, ROOT / "Dockerfile"], capture_output=True, text=True)
    assert (run.returncode, run.stdout) == (0, "")


def test_the_image_runs_as_an_unprivileged_user_and_checks_its_health() -> None:
    final = {step.instruction: step.arguments for step in stages(DOCKERFILE)[-1]}
    assert final["USER"] == "10001:10001"
    assert final["VOLUME"] == "/data"
    assert final["ENTRYPOINT"] == '["podium"]'
    assert '"podium", "doctor", "--health"' in final["HEALTHCHECK"]
    assert "PODIUM_DATA_DIR=/data" in final["ENV"]


def test_the_running_stage_installs_nothing() -> None:
    assert len(stages(DOCKERFILE)) == 3
    run = " ".join(s.arguments for s in stages(DOCKERFILE)[-1] if s.instruction == "RUN")
    assert re.search(r"\b(pip|apt-get|curl|wget)\b", run) is None


def test_the_image_tells_its_name_version_revision_source_and_license() -> None:
    [told] = [s.arguments for s in stages(DOCKERFILE)[-1] if s.instruction == "LABEL"]
    labels = dict(re.findall(r'org\.opencontainers\.image\.(\w+)="([^"]*)"', told))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert labels == {
        "title": "Podium",
        "description": project["description"],
        "licenses": project["license"],
        "version": "${VERSION}",
        "revision": "${REVISION}",
        "source": "${SOURCE}",
    }
    assert arguments(DOCKERFILE)["VERSION"] == "unknown", "only a release says its version"


def test_every_base_image_can_be_given_and_is_a_tag_unless_it_is() -> None:
    bases = [stage[0].arguments.partition(" AS ")[0] for stage in stages(DOCKERFILE)]
    assert bases == ["${POSTGRES_IMAGE}", "${PYTHON_IMAGE}", "${PYTHON_IMAGE}"]
    for name in ("POSTGRES_IMAGE", "PYTHON_IMAGE"):
        assert re.fullmatch(r"[a-z]+:[a-z0-9.-]+", arguments(DOCKERFILE)[name])


def test_the_wheel_is_the_same_whenever_and_under_whatever_umask_it_is_built(
    tmp_path: Path,
) -> None:
    wheels = set()
    for mask in (0o022, 0o077):
        folder = tmp_path / oct(mask)
        folder.mkdir()
        wheels.add(build_wheel(folder, python=Path(sys.executable), mask=mask))
    assert len(wheels) == 1


def test_the_image_holds_what_runs_and_not_what_develops(image: Path) -> None:
    (packages,) = (image / "lib").glob("python3*/site-packages")
    names = {path.name.lower() for path in packages.iterdir()}
    assert {"polars", "fastapi", "dbos", "podium"} <= names
    assert {"joserfc", "opentelemetry"} <= names
    assert names & {"pytest", "mypy", "ruff", "duckdb", "implicit", "setuptools", "pip"} == set()
    assert (packages / "podium" / "migrations" / "env.py").exists()
    assert (packages / "podium" / "docs" / "metrics" / "ndcg.md").exists()


def test_an_installed_podium_migrates_scores_and_helps_outside_the_source_tree(
    image: Path, tmp_path: Path
) -> None:
    assert "Usage: podium" in podium(image, "--help", folder=tmp_path)
    place = {"PODIUM_DATA_DIR": str(tmp_path / "data")}
    assert "up to date" in podium(image, "migrate", folder=tmp_path, **place)
    assert (tmp_path / "data" / "podium.sqlite3").exists()
    (tmp_path / "truth.jsonl").write_text(
        '{"session": 1, "labels": {"clicks": 2, "carts": [2], "orders": [2]}}\n'
    )
    (tmp_path / "mine.csv").write_text("session_type,labels\n1_clicks,2\n1_carts,\n1_orders,\n")
    scored = podium(image, "score", "mine.csv", "--truth", "truth.jsonl", folder=tmp_path)
    assert scored.split()[:2] == ["score", "0.1"]


def test_an_installed_podium_serves_pages_documentation_and_health(
    image: Path, tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(tmp_path),
        "PODIUM_DATA_DIR": str(tmp_path / "data"),
        "PODIUM_ADMIN_TOKEN": "the-administrator-of-this-test",
    }
    server = subprocess.Popen(
        [image / "bin" / "podium", "serve", "--port", str(port)],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    try:
        assert server.stdout is not None
        assert server.stdout.readline() == f"Podium answers at {url}\n"
        podium(image, "doctor", "--health", folder=tmp_path, PODIUM_URL=url)
        for path in ("/", "/static/podium.css", "/docs", "/openapi.json", "/healthz"):
            with urllib.request.urlopen(url + path, timeout=10) as answer:
                assert answer.status == 200
        server.send_signal(signal.SIGTERM)
        assert server.wait(timeout=60) == 0
    finally:
        if server.poll() is None:
            os.killpg(server.pid, signal.SIGKILL)
            server.wait()
        assert server.stdout is not None
        server.stdout.close()
