"""Former names and values of settings are read, and named with those of today."""

from __future__ import annotations

import pytest

from podium.former_settings import advice, value_in
from podium.settings import Settings

FORMER = {
    "PODIUM_ORGANIZER_METRICS": "on-without-walls",
    "PODIUM_ORGANIZER_METRIC_SECONDS": "45",
}


@pytest.fixture
def former(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in FORMER.items():
        monkeypatch.setenv(name, value)


@pytest.mark.usefixtures("former")
def test_former_names_and_values_are_read() -> None:
    settings = Settings()
    assert settings.custom_metrics == "on-unsandboxed"
    assert settings.custom_metric_seconds == 45


def test_a_former_value_is_read_by_the_name_of_today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PODIUM_CUSTOM_METRICS", "on-without-walls")
    assert Settings().custom_metrics == "on-unsandboxed"


@pytest.mark.usefixtures("former")
def test_names_of_today_come_before_former_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PODIUM_CUSTOM_METRICS", "off")
    assert Settings().custom_metrics == "off"


@pytest.mark.usefixtures("former")
def test_what_is_given_comes_before_former_names() -> None:
    assert Settings(custom_metrics="on").custom_metrics == "on"


@pytest.mark.parametrize("name", ["PODIUM_CUSTOM_METRICS", "PODIUM_ORGANIZER_METRICS"])
def test_a_command_at_home_reads_them_as_well(name: str) -> None:
    assert value_in({name: "on-without-walls"}, "PODIUM_CUSTOM_METRICS") == "on-unsandboxed"
    assert value_in({}, "PODIUM_CUSTOM_METRICS") == ""


def test_each_former_name_and_value_is_named_with_that_of_today() -> None:
    assert [*advice(FORMER)] == [
        "PODIUM_ORGANIZER_METRICS is PODIUM_CUSTOM_METRICS now. Rename it; the old name is read"
        " for now.",
        "PODIUM_ORGANIZER_METRIC_SECONDS is PODIUM_CUSTOM_METRIC_SECONDS now. Rename it; the old"
        " name is read for now.",
        "PODIUM_CUSTOM_METRICS=on-without-walls is on-unsandboxed now. Change it; it is read for"
        " now.",
    ]
    assert [*advice({"PODIUM_CUSTOM_METRICS": "on"})] == []
