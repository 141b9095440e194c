"""`docker compose --profile scale`: what can be checked without an engine."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from podium.former_settings import NAMES as FORMER
from podium.settings import Settings
from tests.builders.cluster import proxy_configuration
from tests.places import ROOT
from tests.system.packaging.dockerfile import arguments

TEXT = (ROOT / "docker-compose.yml").read_text()
COMPOSE: dict[str, Any] = yaml.safe_load(TEXT)
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
IMAGE = COMPOSE["x-image"]
SCALED = {name: service for name, service in SERVICES.items() if "scale" in service["profiles"]}


def test_the_scaled_profile_is_a_proxy_two_replicas_two_workers_a_database_and_a_store() -> None:
    assert set(SCALED) == {"proxy", "api-1", "api-2", "worker", "postgres", "store"}
    assert SCALED["worker"]["deploy"]["replicas"] == 2
    assert all(service["profiles"] == ["scale"] for service in SCALED.values())


def test_without_a_profile_one_machine_serves() -> None:
    [chosen] = re.findall(r"^COMPOSE_PROFILES=(.*)$", (ROOT / ".env").read_text(), re.MULTILINE)
    started = [name for name, service in SERVICES.items() if chosen in service["profiles"]]
    assert started == ["podium"]


@pytest.mark.parametrize("name", sorted(SCALED))
def test_every_part_has_limits_a_healthcheck_and_no_more_rights_than_it_needs(name: str) -> None:
    service = SCALED[name]
    assert re.fullmatch(r"\d+[mg]", service["mem_limit"])
    assert service["cpus"] > 0
    assert service["pids_limit"] > 0
    assert service["healthcheck"]["test"][0] == "CMD"
    assert service["restart"] == "unless-stopped"
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["networks"] == ["inside"]


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_every_part_runs_without_capabilities_on_a_file_system_that_it_cannot_change(
    name: str,
) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service.get("cap_add", []) == (["NET_BIND_SERVICE"] if name == "proxy" else [])
    assert not service.get("privileged")


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_no_part_runs_as_root(name: str) -> None:
    # Our own image names its user itself, which its tests hold.
    if SERVICES[name]["image"] != IMAGE:
        user, group = SERVICES[name]["user"].split(":")
        assert int(user) > 0
        assert int(group) > 0


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_what_a_part_says_does_not_fill_the_disk(name: str) -> None:
    options = SERVICES[name]["logging"]["options"]
    assert re.fullmatch(r"\d+m", options["max-size"])
    assert int(options["max-file"]) > 1


def test_no_text_of_the_compose_file_is_a_file_of_a_container() -> None:
    # Compose refuses to put one into a container whose file system is read-only.
    for given in COMPOSE["configs"].values():
        assert set(given) == {"file"}
        assert (ROOT / given["file"]).is_file()


@pytest.mark.parametrize("profile", ["one-machine", "scale"])
def test_one_service_of_a_profile_builds_the_image_and_none_asks_others_for_it(
    profile: str,
) -> None:
    ours = {
        name: service
        for name, service in SERVICES.items()
        if profile in service["profiles"] and service["image"] == IMAGE
    }
    builders = [name for name, service in ours.items() if "build" in service]
    assert len(builders) == 1
    assert {service["pull_policy"] for service in ours.values()} == {"never"}
    assert not any("build" in s for s in SERVICES.values() if s["image"] != IMAGE)


def test_the_database_server_is_of_the_image_that_its_client_programs_come_from() -> None:
    default = arguments((ROOT / "Dockerfile").read_text())["POSTGRES_IMAGE"]
    assert SCALED["postgres"]["image"] == f"${{POSTGRES_IMAGE:-{default}}}"
    # Both of one release of Debian, because programs are copied from one into the other.
    python = arguments((ROOT / "Dockerfile").read_text())["PYTHON_IMAGE"]
    assert default.rpartition("-")[2] == python.rpartition("-")[2]


def test_judgings_and_a_job_side_by_side_fit_into_a_workers_memory() -> None:
    settings = Settings()
    limit = int(SCALED["worker"]["mem_limit"].removesuffix("g")) << 30
    # By default one for each core, which the compose file writes as 0.
    assert SCALED["worker"]["environment"]["PODIUM_JUDGING_SLOTS"] == "${PODIUM_JUDGING_SLOTS:-0}"
    slots = SCALED["worker"]["cpus"]
    # Beside them the worker itself needs some room.
    assert (slots + 1) * settings.judging_memory_bytes + (1 << 30) <= limit
    assert settings.judging_retry_memory_bytes + (1 << 30) <= limit


def test_a_password_of_the_database_may_hold_any_character() -> None:
    environment = SCALED["api-1"]["environment"]
    assert environment["PGPASSWORD"] == SCALED["postgres"]["environment"]["POSTGRES_PASSWORD"]
    assert "$" not in environment["PODIUM_DATABASE_URL"]


def test_only_the_proxy_can_be_reached_and_by_this_machine_alone_unless_told() -> None:
    published = {name: service["ports"] for name, service in SCALED.items() if "ports" in service}
    assert published == {"proxy": ["${PODIUM_PROXY_PORT:-127.0.0.1:8080}:8080"]}


def test_a_name_of_its_own_opens_both_ports_of_the_web_and_has_to_be_given() -> None:
    site = yaml.safe_load((ROOT / ".docker" / "site.yml").read_text())
    [(name, proxy)] = site["services"].items()
    assert name in SCALED
    assert {port.split(":")[0] for port in proxy["ports"]} == {"80", "443"}
    assert proxy["environment"]["PODIUM_SITE"].startswith("${PODIUM_SITE:?")


def test_a_file_of_settings_is_named_beside_the_one_that_chooses_what_starts() -> None:
    guide = (ROOT / "docs" / "operators.md").read_text()
    assert "docker compose --env-file .env --env-file mine.env up" in guide
    assert [line for line in re.findall(r"compose --env-file (\S+)", guide) if line != ".env"] == []


@pytest.mark.parametrize("name", ["podium", "api-1"])
def test_backups_have_a_place_beside_the_data_that_our_user_may_write_to(name: str) -> None:
    assert "${PODIUM_BACKUPS:-podium-backups}:/backups" in SERVICES[name]["volumes"]
    made = r"install --directory --owner=podium .*--mode=0700 /data /backups$"
    assert re.search(made, (ROOT / "Dockerfile").read_text(), re.MULTILINE)


def test_no_password_has_a_default() -> None:
    secrets = re.findall(r"\$\{(PODIUM_\w*(?:TOKEN|PASSWORD|KEY_ID|KEY))(?::-([^}]*))?\}", TEXT)
    assert {name for name, _ in secrets} == {
        "PODIUM_ADMIN_TOKEN",
        "PODIUM_DATABASE_PASSWORD",
        "PODIUM_STORAGE_KEY_ID",
        "PODIUM_STORAGE_KEY",
    }
    assert {default for _, default in secrets} == {""}
    assert "PASSWORD" not in (ROOT / ".env").read_text()


def test_a_store_without_a_key_does_not_start() -> None:
    [script] = SCALED["store"]["command"]
    check = script.replace("$$", "$").splitlines()[0]
    for environment, status in (
        ({}, 1),
        ({"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": ""}, 1),
        ({"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"}, 0),
    ):
        run = subprocess.run(["/bin/sh", "-c", check], env=environment, check=False)
        assert run.returncode == status, environment


@pytest.mark.parametrize("name", ["podium", "api-1", "worker"])
def test_every_variable_of_ours_is_one_that_settings_know(name: str) -> None:
    known = {f"PODIUM_{field.upper()}" for field in Settings.model_fields} | FORMER.keys()
    given = {key for key in SERVICES[name]["environment"] if key.startswith("PODIUM_")}
    assert given <= known, given - known


@pytest.mark.parametrize("name", ["podium", "api-1", "worker"])
def test_what_the_extras_of_the_image_need_is_given_on_if_it_is_set(name: str) -> None:
    fields = {f"PODIUM_{f.upper()}" for f in Settings.model_fields if f.startswith("oidc_")}
    environment = SERVICES[name]["environment"]
    assert {key for key in environment if environment[key] is None} >= {
        *fields,
        "OTEL_EXPORTER_OTLP_ENDPOINT",
    }


@pytest.mark.parametrize("name", ["podium", "api-1", "worker"])
@pytest.mark.parametrize(
    "variable",
    [
        "PODIUM_TRUSTED_PROXIES",
        "PODIUM_CONNECTIONS_PER_ADDRESS",
        "PODIUM_DOWNLOADS_PER_ADDRESS",
        "PODIUM_DOWNLOADS_PER_ACCOUNT",
        "PODIUM_JUDGING_MEMORY_BYTES",
        "PODIUM_JUDGING_RETRY_MEMORY_BYTES",
        "PODIUM_WEAK_SANDBOX",
        "PODIUM_CUSTOM_METRICS",
    ],
)
def test_what_our_sentences_tell_operators_to_set_reaches_the_container(
    name: str, variable: str
) -> None:
    environment = SERVICES[name]["environment"]
    assert variable in environment
    if name == "podium":
        # Given on as it is, and not at all where it was not set.
        assert environment[variable] is None


def test_the_proxy_is_believed_because_it_is_in_the_network_inside() -> None:
    [subnet] = COMPOSE["networks"]["inside"]["ipam"]["config"]
    assert SCALED["api-1"]["environment"]["PODIUM_TRUSTED_PROXIES"] == subnet["subnet"]


def test_an_operator_names_another_network_in_one_place() -> None:
    assert len(re.findall(r"\d+\.\d+\.\d+\.\d+/\d+", TEXT)) == 1
    assert COMPOSE["x-subnet"].startswith("${PODIUM_SUBNET:-")


def test_a_service_that_waits_for_another_waits_until_it_is_healthy() -> None:
    for service in SCALED.values():
        for name, how in service.get("depends_on", {}).items():
            assert name in SCALED
            assert how == {"condition": "service_healthy"}


def test_all_volumes_that_are_used_are_declared() -> None:
    used = {
        re.sub(r"\$\{\w+:-([^}]+)\}", r"\1", volume).partition(":")[0]
        for service in SERVICES.values()
        for volume in service["volumes"]
    }
    assert used == set(COMPOSE["volumes"])


def test_the_proxys_configuration_is_understood_by_the_proxy(tmp_path: Path) -> None:
    program = shutil.which("caddy")
    if program is None:
        pytest.skip("the program caddy is not installed")
    told = proxy_configuration("127.0.0.1:1", ["127.0.0.1:2", "127.0.0.1:3"], health_port=4)
    (tmp_path / "Caddyfile").write_text(told)
    run = subprocess.run(
        [program, "validate", "--adapter", "caddyfile", "--config", tmp_path / "Caddyfile"],
        env={"HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
