"""From raw sessions to a score: `podium otto synth`, `prepare`, `split` and `upload`."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from podium.baselines.registry import SESSIONS
from podium.baselines.sessions.rows import SessionFiles
from podium.client import Podium
from podium.otto.synthetic import synthesize_raw
from podium.scoring.writing import write_rows
from tests.builders.processes.commands import Person
from tests.builders.processes.serving import Installation, serving

MADE = (
    "train_sessions.jsonl",
    "test_sessions.jsonl",
    "test_labels.jsonl",
    "published_ids.csv",
    "sample_submission.csv",
    "report.json",
    "report.md",
    "report.svg",
    "report.html",
    "dataset.json",
)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Installation]:
    folder = tmp_path / "server"
    folder.mkdir()
    with serving(folder) as installation:
        yield installation


@pytest.fixture(scope="module")
def raw(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Synthetic raw sessions."""
    return synthesize_raw(tmp_path_factory.mktemp("raw"), sessions=400, train=1200)


def baseline(folder: Path) -> Path:
    out = folder / "recent.csv"
    files = SessionFiles(folder / "train_sessions.jsonl", folder / "test_sessions.jsonl")
    write_rows(SESSIONS["recent"].learned(files).rows(), out, "plain")
    return out


def test_prepared_files_make_a_competition_that_scores_as_at_home(
    person: Person, server: Installation, raw: Path
) -> None:
    ran = person.types("otto", "prepare", raw, "--to", "made", "--json")
    assert ran.code == 0, ran.err
    assert ran.document["files"] == [f"made/{name}" for name in (*MADE, "cut.key")]
    assert ran.err.startswith("made/cut.key is the key of the cuts")
    folder = person.home / "made"
    key = folder / "cut.key"
    secrets = key, folder / "test_labels.jsonl", folder / "report.html"
    assert {stat.S_IMODE(path.stat().st_mode) for path in secrets} == {0o600}
    assert not any(
        key.read_text().strip().encode() in (folder / name).read_bytes() for name in MADE
    )
    report = json.loads((folder / "report.json").read_text())
    assert report["cut_by"] == "a secret key"
    assert report["test"]["sessions"] == ran.document["test_sessions"]

    here = server.as_administrator
    truth = ("--truth", folder / "test_labels.jsonl")
    ran = person.types("create", "shop", *truth, "--launch", **here)
    assert ran.code == 0, ran.err
    file = baseline(folder)
    home = person.types("score", file, *truth, "--json")
    with server.organizer() as organizer:
        token = organizer.create_user("ada")["token"]
        with Podium(server.url, token) as podium:
            podium.create_team("shop", "Team Ada")
            sent = podium.submit("shop", file)
            assert podium.wait(sent["id"])["status"] == "scored"
            assert podium.wait(podium.submit("shop", folder / MADE[4])["id"])["status"] == "scored"
        hits = organizer.submission(sent["id"])["hits"]
    objectives = home.document["objectives"]
    for name in ("clicks", "carts", "orders"):
        parts = [hits[name][split] for split in ("public", "private")]
        assert sum(part["hits"] for part in parts) == objectives[name]["hits"]
        assert sum(part["denominator"] for part in parts) == objectives[name]["denominator"]


def test_the_same_key_gives_the_same_files(person: Person, raw: Path) -> None:
    for folder, more in (("1", ()), ("2", ("--key-file", "1/cut.key")), ("3", ())):
        ran = person.types("otto", "prepare", raw, "--to", folder, *more)
        assert ran.code == 0, ran.err
    one, two, three = (
        {name: (person.home / folder / name).read_bytes() for name in MADE} for folder in "123"
    )
    assert one == two
    assert one["train_sessions.jsonl"] == three["train_sessions.jsonl"]
    assert one["test_labels.jsonl"] != three["test_labels.jsonl"]
    assert not (person.home / "2" / "cut.key").exists()


@pytest.mark.parametrize("command", ["prepare", "split", "synth"])
def test_files_of_another_making_are_overwritten_only_by_force(
    person: Person, raw: Path, command: str
) -> None:
    given = ("--sessions", 9) if command == "synth" else (raw,)

    def made(seed: int, *more: str) -> Any:
        return person.types("otto", command, *given, "--to", "made", "--seed", seed, *more)

    assert made(1).code == 0
    folder = person.home / "made"
    first = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert made(1).code == 0
    refused = made(2)
    assert (refused.code, refused.out) == (2, "")
    assert (
        "exists and has other content. Move it away, or overwrite it with --force." in refused.err
    )
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == first
    assert made(2, "--force").code == 0
    assert (folder / "test_labels.jsonl").read_bytes() != first["test_labels.jsonl"]
    assert {path.name for path in folder.iterdir()} == set(first)


def test_a_seed_is_warned_of_and_not_shown(person: Person, raw: Path) -> None:
    ran = person.types("otto", "prepare", raw, "--to", "made", "--seed", 1)
    assert ran.code == 0
    assert "whoever guesses it" in ran.err
    assert not (person.home / "made" / "cut.key").exists()


def test_training_sessions_are_split_the_same_way(person: Person, raw: Path) -> None:
    person.types("otto", "prepare", raw, "--to", "made")
    train = person.home / "made" / "train_sessions.jsonl"
    ran = person.types("otto", "split", train, "--to", "local", "--days", 6)
    assert ran.code == 0, ran.err
    assert ran.err == ""
    local = person.home / "local"
    ran = person.types("otto", "prepare", train, "--to", "p", "--days", 6, "--seed", 42)
    assert ran.code == 0
    for name in MADE:
        assert (local / name).read_bytes() == (person.home / "p" / name).read_bytes()
    scored = person.types("score", baseline(local), "--truth", "local/test_labels.jsonl", "--json")
    assert 0 < scored.document["score"] < 1


def test_the_server_prepares_uploaded_sessions(
    person: Person, server: Installation, raw: Path
) -> None:
    here = server.as_administrator
    assert person.types("create", "shop", **here).code == 0
    ran = person.types("otto", "upload", "shop", raw, "--launch", **here)
    assert ran.code == 0, ran.err
    assert ran.out.splitlines()[:2] == ["test_sessions.jsonl", "train_sessions.jsonl"]
    with server.organizer() as organizer:
        assert organizer.competition("shop")["phase"] == "open"
    again = person.types("otto", "upload", "shop", raw, **here)
    assert again.code == 6
    assert "before the launch" in again.err


def test_a_file_that_cannot_be_prepared_is_named_with_its_lines(person: Person) -> None:
    (person.home / "raw.jsonl").write_text('{"session": 1, "events": []}\n{"session": 2}\n')
    ran = person.types("otto", "prepare", "raw.jsonl", "--to", "made")
    assert ran.code == 2
    assert 'raw.jsonl:2: the session has no list of events: “{"session": 2}”.' in ran.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--seed", "1", "--key-file", "raw.csv"], "either --seed or --key-file"),
        (["--key-file", "raw.csv"], "holds no key"),
        (["--columns", "user,item"], "three or four columns"),
        (["--columns", "user,,time"], "three or four columns"),
        (["--columns", "user,item,user"], "three or four columns"),
        (["--time-unit", "s"], "go with --columns"),
        (["--ids", "text"], "go with --columns"),
        (["--types", "view,a_b"], "--types names the types"),
        (["--types", ",".join(f"t{n}" for n in range(17))], "at most 16 types"),
        (["--types", "view", "--columns", "u,i,t"], "a clickstream has its own types"),
    ],
)
def test_options_that_do_not_fit_are_refused(
    person: Person, options: list[str], message: str
) -> None:
    (person.home / "raw.csv").write_text("user,item,timestamp\n")
    ran = person.types("otto", "prepare", "raw.csv", "--to", "made", *options)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err


def test_a_clickstream_is_prepared_too(person: Person) -> None:
    rows = [f"{user},{item},{user * 86400 + item}" for user in range(9) for item in range(4)]
    (person.home / "clicks.csv").write_text("\n".join(["u,i,t", *rows]))
    options = ("--columns", "u,i,t", "--time-unit", "s", "--to", "made", "--json")
    ran = person.types("otto", "prepare", "clicks.csv", *options)
    assert ran.code == 0, ran.err
    assert (ran.document["train_sessions"], ran.document["test_sessions"]) == (2, 7)
    sample = (person.home / "made" / "sample_submission.csv").read_text()
    assert sample.splitlines()[:2] == ["session,labels", "2,"]
    truth = "made/test_labels.jsonl"
    checked = person.types(
        "score", "made/sample_submission.csv", "--truth", truth, "--preset", "otto-clicks", "--json"
    )
    assert checked.document["score"] == 0


def test_a_clickstream_of_names_and_dates_is_prepared_too(person: Person) -> None:
    rows = [f"user {u},item {i},2026-11-{1 + 2 * u:02} 10:0{i}" for u in range(9) for i in range(4)]
    (person.home / "clicks.csv").write_text("\n".join(["u,i,t", *rows]))
    options = ("--columns", "u,i,t", "--time-unit", "iso", "--ids", "text", "--to", "made")
    ran = person.types("otto", "prepare", "clicks.csv", *options)
    assert ran.code == 0, ran.err
    made = person.home / "made"
    assert {"made/item_names.csv", "made/user_names.csv"} <= set(ran.out.split())
    assert (made / "item_names.csv").read_text().splitlines()[:2] == ["aid,item", "0,item 0"]
    # What users are called is for organizers, as the labels are.
    secret = {path.name for path in made.iterdir() if path.stat().st_mode & 0o777 == 0o600}
    assert {"user_names.csv", "test_labels.jsonl"} <= secret
    assert "item_names.csv" not in secret


def test_synthetic_sessions_say_what_they_are(person: Person) -> None:
    assert "none of it is real data" in person.types("otto", "synth", "--help").out
    ran = person.types("otto", "synth", "--sessions", 50, "--to", "made", "--json")
    assert ran.document["synthetic"] is True
    assert len(ran.document["files"]) == 3


def test_synthetic_raw_sessions_are_whole(person: Person, raw: Path) -> None:
    options = ("--sessions", 400, "--train", 1200, "--raw", "--to", "raw")
    ran = person.types("otto", "synth", *options)
    assert ran.code == 0, ran.err
    assert ran.out.splitlines()[0] == "raw/raw_sessions.jsonl"
    assert (person.home / "raw" / "raw_sessions.jsonl").read_bytes() == raw.read_bytes()


def test_a_table_without_its_columns_is_told_of_the_option(person: Person) -> None:
    (person.home / "clicks.csv").write_text("user,item,ts\n1,2,3\n")
    for command in ("prepare", "split"):
        ran = person.types("otto", command, "clicks.csv", "--to", "out")
        assert (ran.code, "such as --columns user,item,timestamp,type." in ran.err) == (2, True)
