"""`podium otto split` and `baseline` go by the types that the sessions were prepared with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from podium.otto.synthetic import synthesize_raw
from tests.builders.processes.commands import Person

BASELINES = ("popular", "recent", "covisitation", "als", "random")


def sessions(folder: Path, names: dict[str, str]) -> Path:
    """Raw sessions with events of some types only, under other names."""
    raw = synthesize_raw(folder, sessions=150, train=450, items=200)
    made = folder / "some.jsonl"
    with raw.open() as source, made.open("w") as sink:
        for line in source:
            entry = json.loads(line)
            events = [event for event in entry["events"] if event["type"] in names]
            entry["events"] = [event | {"type": names[event["type"]]} for event in events]
            sink.write(json.dumps(entry) + "\n")
    return made


def prepared(person: Person, names: dict[str, str]) -> None:
    """Prepares such sessions in the folder `made`, and hands its public files to `got`."""
    raw = sessions(person.home / "raw", names)
    ran = person.types("otto", "prepare", raw, "--to", "made", "--types", ",".join(names.values()))
    assert ran.code == 0, ran.err
    (person.home / "got").mkdir()
    for name in ("train_sessions.jsonl", "test_sessions.jsonl", "sample_submission.csv"):
        (person.home / "got" / name).write_bytes((person.home / "made" / name).read_bytes())


def ids(file: Path) -> list[str]:
    """The first column."""
    return [line.split(",")[0] for line in file.read_text().splitlines()]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_every_baseline_answers_a_competition_of_one_type(person: Person, ending: str) -> None:
    prepared(person, {"clicks": "clicks"})
    for name in BASELINES:
        ran = person.types(
            *("baseline", name, "--train", "got/train_sessions.jsonl", "--types", "clicks"),
            *("--test", "got/test_sessions.jsonl", "--out", f"{name}.{ending}"),
        )
        assert ran.code == 0, ran.err
        ran = person.types(
            *("score", f"{name}.{ending}", "--truth", "made/test_labels.jsonl"),
            *("--preset", "otto-clicks", "--no-history"),
        )
        assert ran.code == 0, ran.err


@pytest.mark.parametrize("names", [{"clicks": "view"}, {"clicks": "view", "orders": "buy"}])
@pytest.mark.parametrize("folder", ["made", "got"])
def test_without_a_word_the_types_are_those_of_the_preparation(
    person: Person, names: dict[str, str], folder: str
) -> None:
    """In the organizer's folder by the report, in a participant's by sample and sessions."""
    prepared(person, names)
    ran = person.types(
        *("baseline", "recent", "--train", f"{folder}/train_sessions.jsonl"),
        *("--test", f"{folder}/test_sessions.jsonl", "--out", "recent.csv"),
    )
    assert ran.code == 0, ran.err
    assert ids(person.home / "recent.csv") == ids(person.home / "got" / "sample_submission.csv")
    if folder == "made":
        ran = person.types("baseline", "recent", "--data", "made", "--out", "data.csv")
        assert ran.code == 0, ran.err
        assert (person.home / "data.csv").read_bytes() == (person.home / "recent.csv").read_bytes()
    ran = person.types("otto", "split", f"{folder}/train_sessions.jsonl", "--to", "local")
    assert ran.code == 0, ran.err
    report = json.loads((person.home / "local" / "report.json").read_text())
    assert set(report["test"]["types"]) == set(names.values())


def test_sessions_alone_say_one_type_or_are_those_of_otto(person: Person) -> None:
    for number, names in enumerate(({"carts": "view"}, {"clicks": "clicks", "carts": "carts"})):
        raw = sessions(person.home / f"raw{number}", names)
        ran = person.types("otto", "split", raw, "--to", f"local{number}")
        assert ran.code == 0, ran.err
    reports = [
        json.loads((person.home / f"local{number}" / "report.json").read_text())
        for number in range(2)
    ]
    assert [list(report["test"]["types"]) for report in reports] == [
        ["view"],
        ["clicks", "carts", "orders"],
    ]
