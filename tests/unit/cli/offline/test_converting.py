"""`podium convert` beside a sample submission."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from podium.cli.commands import build
from podium.errors import NotConfigured

SAMPLE = "user,labels\n1,\n2,\n"
ROWS = "user;item\n1;7\n1;9\n1;4\n2;5\n"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands run in a folder with a sample and a file of another form."""
    monkeypatch.chdir(tmp_path)
    Path("sample.csv").write_text(SAMPLE)
    Path("rows.csv").write_text(ROWS)


def run(*more: str, file: str = "rows.csv", out: str = "new.csv") -> Any:
    given = ["convert", file, "--sample", "sample.csv", "--metric", "recall@2", "--out", out]
    return CliRunner().invoke(build(), [*given, *more])


def test_a_file_of_another_form_is_written_as_the_sample_is() -> None:
    ran = run("--json")
    assert json.loads(ran.stdout) == {
        "file": "new.csv",
        "form": "one item per row, in the order of the file; separated by semicolons",
        "forms": ["separators", "item-rows"],
        "rows": 2,
        "missing": 0,
        "empty": 0,
    }
    assert "Lists keep their first 2 items" in ran.stderr
    assert Path("new.csv").read_text() == "user,labels\n1,7 9\n2,5\n"


def test_nothing_is_written_for_a_bad_file_or_over_another_one() -> None:
    Path("bad.csv").write_text(ROWS + "3;5\n")
    ran = run(file="bad.csv")
    assert ran.exit_code == 3
    assert "bad.csv:6: “3” is not among the published ids" in ran.stderr
    assert not Path("new.csv").exists()
    Path("new.csv").write_text("mine")
    assert "--force" in str(run().exception)
    assert Path("new.csv").read_text() == "mine"
    assert run("--force").exit_code == 0
    for file, out in (("sample.csv", "other.csv"), ("rows.csv", "rows.csv")):
        assert isinstance(run(file=file, out=out).exception, NotConfigured)
    assert not Path("other.csv").exists()
    assert Path("rows.csv").read_text() == ROWS
