"""The commands of the operators' guide, from an empty machine over an upgrade and back. What needs
root, systemd or a package index is done by stand-ins; `podium` is the real one."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.places import ROOT

GUIDE = (ROOT / "docs" / "operators.md").read_text()

STANDINS = {
    "sudo": '[ "$1" = -u ] && shift 2; exec "$@"',
    # Without the change of the owner, which is root's to make.
    "install": 'shift 2; exec /usr/bin/install "$@"',
    "useradd": 'mkdir -p "$4"',
    "systemctl": 'echo "systemctl $*"',
    "curl": "echo ready",
    "pip": 'echo "podium-scorer: pip $*"',
    "git": 'for last; do :; done; mkdir -p "$last"; touch "$last/requirements.lock"',
}
"""Programs that are not this machine's, and what they do here."""


def blocks(heading: str) -> list[str]:
    """The commands of one part of the guide."""
    part = re.split(r"^## ", GUIDE, flags=re.MULTILINE)
    [found] = [text for text in part if text.startswith(f"{heading}\n")]
    return re.findall(r"```sh\n(.*?)```", found, re.DOTALL)


@pytest.mark.parametrize("part", ["Set up", "Upgrade"])
def test_what_is_installed_are_the_tested_libraries_of_one_version_by_their_hashes(
    tmp_path: Path, part: str
) -> None:
    text = "\n".join(blocks(part))
    [clone] = re.findall(r"git clone .*", text)
    assert '--branch "$version"' in clone
    # Podium itself is built by what the lock names, without anything fetched besides.
    for call in re.findall(r"/pip (.*)", text):
        assert {"--require-hashes", "--no-deps"} & {*call.split()}, call
    for build in re.findall(r"/pip .* \.$", text, re.MULTILINE):
        assert {"--no-index", "--no-build-isolation"} & {*build.split()}, build
    [choice] = re.findall(r"awk .* requirements\.lock", text)
    ran = subprocess.run(["sh", "-c", choice], cwd=ROOT, capture_output=True, text=True, check=True)
    pinned = {*re.findall(r"^([a-z0-9._-]+)==", ran.stdout, re.MULTILINE)}
    assert pinned >= {"fastapi", "polars", "setuptools", "pandas"}
    assert pinned & {"pytest", "ruff", "ziglang"} == set()
    assert ran.stdout.count("==") <= ran.stdout.count("--hash=sha256:")


@pytest.fixture
def script(tmp_path: Path) -> str:
    """Set up, a first start, the upgrade and the way back, all with SQLite, in a folder."""
    programs, installed = tmp_path / "programs", tmp_path / "opt" / "podium" / "bin"
    programs.mkdir()
    installed.mkdir(parents=True)
    podium = f'export PYTHONPATH={ROOT}\nexec {sys.executable} -m podium.cli "$@"'
    for name, text in {**STANDINS, "podium": podium}.items():
        program = (installed if name in ("pip", "podium") else programs) / name
        program.write_text(f"#!/bin/sh\n{text}\n")
        program.chmod(0o755)
    set_up, _, _, _, function = blocks("Set up")
    fetch, upgrade, back = blocks("Upgrade")[:3]
    # There is no server, whose start would make the database, nor a worker.
    function = function.replace("as_podium doctor", "as_podium migrate")
    upgrade = re.sub(r"^as_podium doctor.*$", "", upgrade, flags=re.MULTILINE)
    text = "\n".join((set_up, function, fetch, upgrade, back))
    text = text.replace("sudo python3 -m venv /opt/podium\n", "")
    for old, new in (
        ("/opt/podium", tmp_path / "opt" / "podium"),
        ("/srv/podium", tmp_path / "srv"),
        ("/etc/systemd/system", tmp_path),
        ("/etc/podium.env", tmp_path / "podium.env"),
    ):
        text = text.replace(old, str(new))
    return text


def test_the_commands_set_an_installation_up_upgrade_it_and_lead_back(
    tmp_path: Path, script: str
) -> None:
    ran = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=tmp_path,
        env={"PATH": f"{tmp_path / 'programs'}:/usr/bin:/bin", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    settings = dict(
        line.split("=", 1) for line in (tmp_path / "podium.env").read_text().splitlines()
    )
    assert len(settings["PODIUM_ADMIN_TOKEN"]) == 64
    assert (tmp_path / "podium.env").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "srv" / "data" / "podium.sqlite3").exists()
    assert (tmp_path / "srv" / "data.upgraded" / "podium.sqlite3").exists()
    assert "Restored the rows of" in ran.stderr
    unit = (tmp_path / "podium.service").read_text()
    assert f"ExecStart={tmp_path / 'opt/podium/bin/podium'} serve" in unit
    assert re.findall(r"^systemctl (\w+)", ran.stdout, re.MULTILINE) == [
        *("daemon", "enable", "stop", "start", "stop", "start"),
    ]


def test_the_set_up_ends_with_its_first_error_and_keeps_settings(
    tmp_path: Path, script: str
) -> None:
    """Pasted into a shell, which goes on after errors."""
    (tmp_path / "srv").mkdir()
    settings = tmp_path / "podium.env"
    settings.write_text("PODIUM_ADMIN_TOKEN=as-before\n")
    set_up = script[: script.index("\n)\n") + 3]

    def pasted() -> str:
        path = f"{tmp_path / 'programs'}:/usr/bin:/bin"
        ran = subprocess.run(
            ["bash", "-c", set_up], env={"PATH": path}, capture_output=True, text=True, timeout=60
        )
        return ran.stdout

    assert "systemctl enable --now podium" in pasted()
    assert settings.read_text() == "PODIUM_ADMIN_TOKEN=as-before\n"
    (tmp_path / "opt/podium/bin/pip").write_text("#!/bin/sh\nexit 1\n")
    assert pasted() == ""
