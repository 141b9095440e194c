"""`podium score` and `validate` on tables: the schema is guessed, or told by settings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from podium.cli.commands import build

SOLUTION = "id,price,breed\n1,10,cat\n2,20,dog\n3,30,cat\n"


def run(folder: Path, *arguments: str, truth: str = SOLUTION, file: str = "") -> Any:
    (folder / "truth.csv").write_text(truth)
    (folder / "file.csv").write_text(file)
    paths = [str(folder / "file.csv"), "--truth", str(folder / "truth.csv")]
    command, *options = arguments
    history = [] if command == "validate" else ["--no-history"]
    return CliRunner().invoke(build(), [command, *paths, *options, *history, "--json"])


@pytest.mark.parametrize(
    ("metric", "file", "score"),
    [
        ("mae", "id,price\n1,10\n2,20\n3,36\n", 2.0),
        ("accuracy", "id,breed\n3,dog\n1,cat\n2,dog\n", 2 / 3),
        ("balanced_accuracy", "id,breed\n3,dog\n1,cat\n2,dog\n", 0.75),
    ],
)
def test_the_schema_is_guessed_from_both_files(
    tmp_path: Path, metric: str, file: str, score: float
) -> None:
    done = run(tmp_path, "score", "--metric", metric, "--task", "table", file=file)
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["score"] == pytest.approx(score)


def test_a_metric_of_tables_alone_tells_the_task(tmp_path: Path) -> None:
    file = "id,price\n1,10\n2,20\n3,30\n"
    done = run(tmp_path, "score", "--metric", "rmsle", file=file)
    assert json.loads(done.stdout)["score"] == 0


def test_a_bad_field_ends_with_its_line(tmp_path: Path) -> None:
    file = "id,price\n1,10\n2,twenty\n3,30\n"
    done = run(tmp_path, "validate", "--metric", "mae", "--task", "table", file=file)
    assert done.exit_code == 3
    [problem] = json.loads(done.stdout)["problem"]["errors"]
    assert (problem["line"], problem["column"]) == (3, "price")


def test_settings_describe_the_columns(tmp_path: Path) -> None:
    settings = {
        "task": "table",
        "id_column": "id",
        "objectives": {"price": {"weight": 1, "metric": "mae"}, "breed": {"weight": 1}},
        "metric": "accuracy",
        "table_columns": [
            {"name": "price", "maximum": 35},
            {"name": "breed", "type": "category", "values": ["cat", "dog"]},
        ],
    }
    (tmp_path / "settings.json").write_text(json.dumps(settings))
    preset = ("--preset", str(tmp_path / "settings.json"))
    file = "id,price,breed\n1,10,cat\n2,20,cat\n3,33,cat\n"
    done = run(tmp_path, "score", *preset, file=file)
    assert done.exit_code == 0, done.output
    objectives = json.loads(done.stdout)["objectives"]
    assert objectives["price"]["score"] == 1
    assert objectives["breed"]["score"] == pytest.approx(2 / 3)
    refused = run(tmp_path, "score", *preset, file=file.replace("33", "36"))
    assert refused.exit_code == 3
