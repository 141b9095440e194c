"""Files at home beside a sample submission, with its settings and without; and published ids that
have no labels."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from podium.cli.commands import build
from podium.errors import InvalidInput

SETTINGS = {
    "objectives": {"items": 1},
    "metric": "recall@2",
    "id_column": "user",
    "labels_column": "labels",
    "submission_duplicates": "reject",
}
LISTS = "user,labels\n1,7 9\n2,8\n3,4\n"
TRUTH = "user,item\n1,7\n2,9\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which commands run."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str, **files: str) -> Any:
    """Runs a command with these files (`name` is name.csv)."""
    for name, text in files.items():
        Path(f"{name}.csv").write_text(text)
    return CliRunner().invoke(build(), list(arguments))


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("items", ["4.0 44.0", "nan", "7 7"])
def test_a_sample_without_items_does_not_tell_what_an_item_is(items: str) -> None:
    empty, sent = "user,labels\n1,\n2,\n", f"user,labels\n1,{items}\n2,5\n"
    command = ("validate", "sent.csv", "--sample", "sample.csv")
    done = run(*command, sample=empty, sent=sent)
    assert done.exit_code == 0
    assert "valid as far as it was checked" in done.stdout
    assert "Not checked: items, repeated items." in done.stderr
    told = json.loads(run(*command, "--json").stdout)
    assert (told["status"], told["not_checked"]) == ("valid", ["items", "repeated items"])

    Path("sample.settings.json").write_text(json.dumps(SETTINGS))
    done = run(*command)
    assert done.exit_code == 3
    assert f"sent.csv:2: “{items.split()[0]}” " in done.stderr


@pytest.mark.usefixtures("folder")
def test_what_settings_tell_is_checked_and_nothing_else_said() -> None:
    Path("sample.settings.json").write_text(json.dumps(SETTINGS))
    done = run("validate", "sent.csv", "--sample", "sample.csv", sample=LISTS, sent=LISTS)
    assert done.exit_code == 0
    assert done.stdout.startswith("status   valid\n")
    assert done.stderr == ""


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("sample", "unchecked"),
    [
        ("id,price\n1,0\n2,0\n", ["types and ranges of columns"]),
        ("user,item,rating\n1,7,0\n1,8,0\n", None),
        (LISTS, ["repeated items"]),
    ],
)
def test_a_sample_alone_leaves_things_unchecked(sample: str, unchecked: list[str] | None) -> None:
    kind = ["--task", "table"] if "price" in sample else []
    command = ("validate", "sent.csv", "--sample", "sample.csv", "--json", *kind)
    told = json.loads(run(*command, sample=sample, sent=sample).stdout)
    assert (told["status"], told.get("not_checked")) == ("valid", unchecked)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("option", ["--published-ids", "--sample"])
def test_ids_without_labels_are_answered_at_home_too(option: str) -> None:
    command = ("score", "sent.csv", "--truth", "t.csv", "--metric", "recall@2", "--no-history")
    done = run(*command, sent=LISTS, t=TRUTH)
    assert done.exit_code == 3
    assert "sent.csv:4: “3” is not among the published ids" in done.stderr
    assert "--published-ids names their list" in done.stderr
    done = run(*command, option, "ids.csv", "--json", ids="user,labels\n1,\n3,\n2,\n")
    told = json.loads(done.stdout)
    assert (told["score"], told["counts"]["rows"]) == (0.5, 3)
    # A truth that was read without them is not taken for one with them.
    assert run(*command).exit_code == 3


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("option", ["--published-ids", "--sample"])
@pytest.mark.parametrize(
    "command",
    [
        ("validate", "sent.csv"),
        ("compare", "sent.csv", "other.csv"),
        ("overlap", "sent.csv", "other.csv"),
        ("segments", "sent.csv"),
        ("analyze", "sent.csv"),
    ],
)
def test_every_command_with_a_truth_takes_published_ids(
    command: tuple[str, ...], option: str
) -> None:
    files = {"sent": LISTS, "other": LISTS, "t": TRUTH, "ids": "session\n3\n2\n1\n"}
    line = (*command, "--truth", "t.csv", "--metric", "recall@2", "--json")
    done = run(*line, **files)
    assert done.exit_code == 3
    assert "sent.csv:4: “3” is not among the published ids" in done.stderr
    assert run(*line, option, "ids.csv").exit_code == 0
    # Labels are of published ids.
    done = run(*line, option, "few.csv", few="session\n3\n2\n")
    assert isinstance(done.exception, InvalidInput)
    assert done.exception.detail.startswith("t.csv is itself not right")


@pytest.mark.usefixtures("folder")
def test_a_custom_metric_takes_published_ids() -> None:
    solution, sent = "id,y\n1,2\n2,5\n", "id,y\n1,3\n2,5\n3,9\n"
    Path("metric.py").write_text(
        "import pandas as pd\n\n\n"
        "def score(solution: pd.DataFrame, submission: pd.DataFrame, row_id_column_name: str)"
        " -> float:\n"
        "    return float((solution['y'] - submission['y']).abs().mean())\n"
    )
    line = ("score", "sent.csv", "--truth", "t.csv", "--metric-file", "metric.py", "--json")
    done = run(*line, sent=sent, t=solution)
    assert done.exit_code == 3
    assert "--published-ids names their list" in done.stderr
    told = json.loads(run(*line, "--published-ids", "sent.csv").stdout)
    assert (told["score"], told["splits"]["all"]["rows"]) == (0.5, 2)
    tried = ("metric", "check", "metric.py", "--solution", "t.csv", "--submission", "sent.csv")
    assert run(*tried).exit_code == 3
    assert run(*tried, "--published-ids", "sent.csv").exit_code == 0


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("truth", "sent", "words"),
    [
        ("0706", "706", "“0706” is meant: a program removed leading zeros"),
        ("706", "706.0", "“706” is meant: a program made floats of the ids"),
        ("12906577000001", "1.2906577e+13", "“12906577000001” is meant: a program wrote"),
        ("0706", "b", ""),
        ("0706", "0706", ""),
    ],
)
def test_an_item_that_a_program_changed_is_told_beside_the_score(
    truth: str, sent: str, words: str
) -> None:
    command = ("score", "sent.csv", "--truth", "t.csv", "--metric", "recall@2", "--no-history")
    files = {"t": f"user,item\n1,{truth}\n2,x\n", "sent": f"user,labels\n1,{sent} a\n2,b\n"}
    done = run(*command, "--item-ids", "string", **files)
    assert done.exit_code == 0
    assert words in done.stderr
    assert bool(done.stderr) is bool(words)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ("706 8", "1 of your items have leading zeros: a program removed them"),
        ("0706.0 8.0", "2 of your items have no “.0” at their end: a program made floats"),
        ("706.0 x", "1 of your items have no “.0” at their end: a program made floats"),
        ("0706 x", ""),
    ],
)
def test_the_catalogue_tells_which_items_a_program_changed(sent: str, words: str) -> None:
    command = ("score", "sent.csv", "--truth", "t.csv", "--metric", "recall@2", "--no-history")
    files = {"t": "user,item\n1,x\n", "items": "item\n0706\n8\nx\n"}
    done = run(
        *command, "--item-ids=string", "--items=items.csv", sent=f"user,labels\n1,{sent}\n", **files
    )
    assert done.exit_code == 0, done.stderr
    assert words in done.stdout + done.stderr
    assert ("In the catalogue" in done.stdout + done.stderr) is bool(words)
