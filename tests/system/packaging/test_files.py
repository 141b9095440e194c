"""The lock, the compose file and the environment."""

from __future__ import annotations

import re
import subprocess
import tomllib

import pytest
import yaml

from podium.cli.operator.described_settings import described_settings
from tests.places import ROOT

LOCK = (ROOT / "requirements.lock").read_text()
MARKER = "# --- development ---"


def pinned(text: str) -> set[str]:
    """Names of the packages that a part of the lock pins."""
    return {m[1] for m in re.finditer(r"^([a-z0-9._-]+)==", text, re.MULTILINE)}


def named(requirements: list[str]) -> set[str]:
    """Names in a list of requirements, as the lock writes them."""
    names = (re.split(r"[\[<>=;~! ]", requirement)[0] for requirement in requirements)
    return {re.sub("[-_.]+", "-", name).lower() for name in names}


def test_every_line_of_the_lock_is_pinned_and_hashed_and_names_no_address() -> None:
    entries = re.split(r"\n(?=[a-z])", LOCK.split("\n", 1)[1])
    for entry in entries:
        first = entry.splitlines()[0]
        assert re.match(r"[a-z0-9._-]+==\S+", first), first
        assert "--hash=sha256:" in entry, first
    assert "://" not in LOCK


def test_the_lock_covers_what_the_project_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    runs, develops = LOCK.split(MARKER)
    extras = project["optional-dependencies"]
    # Nothing can be added to the image, so it has what operators may want to switch on.
    wanted = ("score", "server", "metrics", "telemetry")
    installed = [requirement for extra in wanted for requirement in extras[extra]]
    assert named([*project["dependencies"], *installed]) - {"podium-scorer"} <= pinned(runs)
    every = {name for extra in extras.values() for name in named(extra)}
    assert every - {"podium-scorer"} <= pinned(runs) | pinned(develops)
    assert pinned(runs) & pinned(develops) == set()


def test_the_service_of_the_compose_file_has_no_rights_that_it_does_not_need() -> None:
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    service = compose["services"]["podium"]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["volumes"][0] == "podium-data:/data"
    assert "podium-data" in compose["volumes"]
    assert service["tmpfs"][0].startswith("/tmp")
    assert service["healthcheck"]["test"] == ["CMD", "podium", "doctor", "--health"]
    assert service["ports"] == ["${PODIUM_PORT:-127.0.0.1:8000}:8000"]


@pytest.mark.parametrize("service", ["podium", "api-1", "api-2", "worker"])
def test_every_setting_reaches_the_containers(service: str) -> None:
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    # The image says where the data folder is; one machine has SQLite and the folder.
    own = {"PODIUM_DATA_DIR"}
    if service == "podium":
        own |= {"PODIUM_DATABASE_URL", "PODIUM_STORAGE_URL", "PODIUM_SECRET_STORAGE_URL"}
    settings = {one.variable for one in described_settings()}
    assert settings - own <= set(compose["services"][service]["environment"])


def test_the_container_gets_longer_to_stop_than_the_service_takes() -> None:
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    # 20 s for requests, 30 s for judgings to be handed back.
    assert int(compose["services"]["podium"]["stop_grace_period"].removesuffix("s")) > 50


def test_the_environment_is_built_anew_only_when_the_lock_changes() -> None:
    rules = subprocess.run(
        ["make", "--print-data-base", "--dry-run", "--question", ".venv/installed"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    ).stdout
    assert re.search(r"^\.venv/installed: requirements\.lock$", rules, re.MULTILINE)
