"""Add-ons at the command line: what they bring is there, and only if the operator names them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders.add_ons.package import changed
from tests.builders.processes.commands import Ran
from tests.builders.processes.environments import Environment

pytestmark = [pytest.mark.timeout(300), pytest.mark.xdist_group("add-ons")]

PRICES = "id,price\n1,100\n2,200\n3,300\n4,400\n"
ANSWERS = "id,price\n1,105\n2,100\n3,290\n4,900\n"
"""1 and 3 are within 10 %."""


def types(acme: Environment, home: Path, *words: str, allowed: str = "podium-acme") -> Ran:
    (home / "prices.csv").write_text(PRICES)
    (home / "answers.csv").write_text(ANSWERS)
    return acme.types(home, *words, PODIUM_ADD_ONS=allowed)


def test_a_metric_is_listed_and_has_its_page(acme: Environment, tmp_path: Path) -> None:
    listed = types(acme, tmp_path, "metrics", "--json").document
    (near,) = [each for each in listed if each["name"] == "podium_acme__near"]
    assert (near["kind"], near["presets"]) == ("table", ["podium_acme__houses"])
    page = types(acme, tmp_path, "metrics", "podium_acme__near").out
    assert page.startswith("podium_acme__near: Near prices\n")
    assert "share of rows within 10 % of the truth" in page


@pytest.mark.parametrize(
    "options",
    [
        ("--metric", "podium_acme__near"),
        ("--metric", "podium_acme__near", "--task", "podium_acme__prices"),
        ("--preset", "podium_acme__houses"),
    ],
)
def test_a_file_is_scored_at_home(
    acme: Environment, tmp_path: Path, options: tuple[str, ...]
) -> None:
    words = ("score", "answers.csv", "--truth", "prices.csv", *options, "--json")
    scored = types(acme, tmp_path, *words)
    assert scored.document["score"] == 0.5, scored.err


def test_a_metric_of_a_kind_of_its_own_package_alone_scores_and_is_listed(
    acme: Environment, tmp_path: Path
) -> None:
    alone = changed(
        acme,
        tmp_path / "environment",
        "podium_acme/metrics.py",
        '("table",)',
        '("podium_acme__prices",)',
    )
    task = ("--metric", "podium_acme__near", "--task", "podium_acme__prices")
    words = ("score", "answers.csv", "--truth", "prices.csv", *task, "--json")
    scored = types(alone, tmp_path, *words)
    assert scored.document["score"] == 0.5, scored.err
    listed = types(alone, tmp_path, "metrics", "--json").document
    assert ("podium_acme__near", "table") in {(each["name"], each["kind"]) for each in listed}


def test_settings_name_what_is_missing(acme: Environment, tmp_path: Path) -> None:
    words = ("score", "answers.csv", "--truth", "prices.csv", "--metric", "podium_acme__near")
    refused = types(acme, tmp_path, *words, allowed="")
    assert refused.code == 2
    assert "needs the add-on podium-acme, which PODIUM_ADD_ONS does not name here" in refused.err
    assert "podium_acme" not in types(acme, tmp_path, "metrics", allowed="").out


def test_a_name_is_written_as_package_indexes_read_it(acme: Environment, tmp_path: Path) -> None:
    assert types(acme, tmp_path, "metrics", "podium_acme__near", allowed=" Podium_Acme ,").code == 0


def test_a_package_that_is_not_installed_ends_each_start(acme: Environment, tmp_path: Path) -> None:
    for command in ("metrics", "serve", "doctor"):
        ended = types(acme, tmp_path, command, allowed="podium-acme,podium-else")
        assert ended.code != 0
        assert "podium-else, which is not installed. Type `pip install podium-else`" in ended.err


def test_nothing_is_loaded_for_the_help(acme: Environment, tmp_path: Path) -> None:
    assert types(acme, tmp_path, "--help", allowed="podium-else").code == 0
    assert types(acme, tmp_path, "login", "--help", allowed="podium-else").code == 0


NEAR = "podium_acme__near"


@pytest.mark.parametrize(
    ("file", "old", "new", "words"),
    [
        (
            "*.dist-info/entry_points.txt",
            f"{NEAR} =",
            "near =",
            "it calls one of its metrics near. Names are podium_acme__ and",
        ),
        (
            "podium_acme/metrics.py",
            "import polars as pl",
            "raise RuntimeError('no license')",
            "podium_acme.metrics:Near does not load (RuntimeError: no license)",
        ),
        (
            "podium_acme/metrics.py",
            f'= "{NEAR}"',
            '= "podium_acme__far"',
            f"metrics {NEAR} is not a metric of this key",
        ),
        (
            "podium_acme/metrics.py",
            "is_bounded, upper_bound = True",
            "higher_is_better, is_bounded, upper_bound = False, True",
            f"metrics {NEAR} ends in _error if less is better, and only then",
        ),
        ("podium_acme/metrics.py", '"table"', '"ranking"', "no kinds of task with rows"),
        ("podium_acme/kinds.py", "key=", "has_lists=True, key=", "kinds of add-ons have rows"),
        (
            "podium_acme/kinds.py",
            '"mape",)',
            '"maqe",)',
            "podium_acme__houses has no good settings",
        ),
        ("podium_acme/kinds.py", "HOUSES = {", "HOUSES = 1, {", "is not a dictionary of settings"),
        (
            f"podium_acme/docs/metrics/{NEAR}.md",
            "## Unusual cases",
            "## Cases",
            f"metrics {NEAR} has no good page: {NEAR}.md: the sections are",
        ),
    ],
)
def test_what_cannot_be_used_ends_the_start_with_the_name_of_the_package(
    acme: Environment, tmp_path: Path, file: str, old: str, new: str, words: str
) -> None:
    faulty = changed(acme, tmp_path / "environment", file, old, new)
    ended = types(faulty, tmp_path, "serve", "--port", "0")
    assert ended.code == 2, ended.err
    assert "The add-on podium-acme cannot be used: " in ended.err
    assert words in ended.err
