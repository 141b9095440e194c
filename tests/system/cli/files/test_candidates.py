"""`podium baseline`, `blend`, `overlap` and `analyze`: files in, files and figures out."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest

from podium.otto.synthetic import synthesize
from tests.builders.processes.commands import Person
from tests.builders.processes.serving import Installation, serving

pytestmark = pytest.mark.xdist_group("candidates")

SESSIONS = 400


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A synthetic competition, and two baselines for it."""
    folder = tmp_path_factory.mktemp("otto")
    synthesize(folder, sessions=SESSIONS)
    home = Person(folder)
    for name in ("recent", "covisitation"):
        files = ("--train", "train_sessions.jsonl", "--test", "test_sessions.jsonl")
        ran = home.types("baseline", name, *files, "--out", f"{name}.csv")
        assert (ran.code, ran.err) == (0, "")
        assert ran.out == f"file  {name}.csv\nrows  {3 * SESSIONS}\n"
    return folder


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Installation]:
    folder = tmp_path / "server"
    folder.mkdir()
    with serving(folder) as installation:
        yield installation


def score(person: Person, file: Path, truth: Path) -> float:
    ran = person.types("score", file, "--truth", truth, "--json", "--no-history")
    assert ran.code == 0, ran.err
    value: float = ran.document["score"]
    return value


def test_baselines_are_valid_and_differ(person: Person, made: Path) -> None:
    truth = made / "test_labels.jsonl"
    recent, covisitation = (
        score(person, made / f"{n}.csv", truth) for n in ("recent", "covisitation")
    )
    assert 0.2 < recent < covisitation


def test_the_ending_of_the_name_says_how_a_baseline_is_packed(person: Person, made: Path) -> None:
    files = ("--train", made / "train_sessions.jsonl", "--test", made / "test_sessions.jsonl")
    ran = person.types("baseline", "recent", *files, "--out", "recent.csv.gz", "--json")
    assert ran.document == {"file": "recent.csv.gz", "rows": 3 * SESSIONS}
    packed = gzip.decompress((person.home / "recent.csv.gz").read_bytes())
    assert packed == (made / "recent.csv").read_bytes()


def test_a_bad_file_of_sessions_is_named_with_its_line(person: Person, made: Path) -> None:
    (person.home / "bad.jsonl").write_text('{"session": 1, "events": []}\n{"session": 2}\n')
    files = ("--train", made / "train_sessions.jsonl", "--test", "bad.jsonl")
    ran = person.types("baseline", "recent", *files, "--out", "out.csv")
    assert (ran.code, ran.out) == (2, "")
    assert "bad.jsonl:2:" in ran.err
    assert not (person.home / "out.csv").exists()


def test_an_organizer_puts_a_baseline_on_the_board(
    person: Person, made: Path, server: Installation
) -> None:
    here = server.as_administrator
    truth = made / "test_labels.jsonl"
    assert person.types("create", "shop", "--truth", truth, "--launch", **here).code == 0
    files = ("--train", made / "train_sessions.jsonl", "--test", made / "test_sessions.jsonl")
    command = ("baseline", "recent", *files, "--out", "recent.csv", "--submit", "shop", "--json")
    for _ in range(2):
        ran = person.types(*command, **here)
        assert ran.code == 0, ran.err
        assert (ran.document["team"], ran.document["status"]) == ("Recent", "scored")
    board = person.types("leaderboard", "shop", "--json", **here).document
    rows = [(row["team"]["name"], row["rank"], row["submissions"]) for row in board]
    assert rows == [("Recent", None, 2)]


def test_a_blend_of_a_file_with_itself_is_that_file(person: Person, made: Path) -> None:
    file = made / "covisitation.csv"
    ran = person.types("blend", file, file, "-w", "2,1", "--out", "blend.csv", "--json")
    assert ran.document == {"file": "blend.csv", "rows": 3 * SESSIONS}
    assert (person.home / "blend.csv").read_bytes() == file.read_bytes()


@pytest.mark.parametrize("name", ["baseline", "blend"])
def test_a_file_with_other_content_is_overwritten_only_by_force(
    person: Person, made: Path, name: str
) -> None:
    out = person.home / "out.csv"
    files = {
        "baseline": (
            *("recent", "--train", made / "train_sessions.jsonl"),
            *("--test", made / "test_sessions.jsonl"),
        ),
        "blend": (made / "recent.csv", made / "covisitation.csv"),
    }
    command = (name, *files[name], "--out", "out.csv")
    out.write_text("mine")
    refused = person.types(*command)
    assert (refused.code, refused.out, out.read_text()) == (2, "", "mine")
    assert refused.err == (
        "out.csv exists and has other content. Move it away, or overwrite it with --force.\n"
    )
    assert person.types(*command, "--force").code == 0
    written = out.read_bytes()
    again = person.types(*command)
    assert (again.code, out.read_bytes()) == (0, written)
    assert [path.name for path in person.home.iterdir() if "out.csv" in path.name] == ["out.csv"]


def test_a_blend_takes_the_place_of_none_of_its_files(person: Person, made: Path) -> None:
    file = person.home / "recent.csv"
    file.write_bytes((made / "recent.csv").read_bytes())
    ran = person.types("blend", "recent.csv", made / "covisitation.csv", "--out", file)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"{file} is one of the files to blend. Name another one with --out.\n"
    assert file.read_bytes() == (made / "recent.csv").read_bytes()


def test_blending_ends_with_3_and_names_the_line(person: Person) -> None:
    (person.home / "a.csv").write_text("user,labels\n1,2\n2,3\n")
    (person.home / "b.csv").write_text("user,labels\n1,2\n2,x\n")
    ran = person.types("blend", "a.csv", "b.csv", "--out", "c.csv")
    assert ran.code == 3
    assert "b.csv:3:" in ran.err
    assert not (person.home / "c.csv").exists()


@pytest.mark.parametrize("weights", ["1", "1,x", "0,1", "1,0.00000001"])
def test_weights_that_cannot_be_end_with_2(person: Person, weights: str) -> None:
    (person.home / "a.csv").write_text("user,labels\n1,2\n")
    ran = person.types("blend", "a.csv", "a.csv", "-w", weights, "--out", "c.csv")
    assert (ran.code, ran.out) == (2, "")
    assert "--weights" in ran.err


def test_an_overlap_counts_lists_and_hits(person: Person) -> None:
    (person.home / "truth.csv").write_text("user,labels\n1,7\n2,8\n")
    (person.home / "a.csv").write_text("user,labels\n1,7 5\n2,8\n")
    (person.home / "b.csv").write_text("user,labels\n2,9\n1,7 5\n")
    command = ("overlap", "a.csv", "b.csv", "--truth", "truth.csv", "--metric", "recall@20")
    document = person.types(*command, "--json").document
    assert document == {
        "k": 20,
        "objectives": {"": {"queries": 2, "equal": 1, "equal_share": 0.5, "jaccard": 0.5}},
        "hits": {"": {"both": 1, "first": 1, "second": 0, "neither": 0}},
    }
    lines = person.types(*command).out.splitlines()
    assert lines[1].split() == ["2", "1", "50.00%", "0.5000"]
    assert person.types("overlap", "a.csv", "b.csv").out.splitlines() == lines[:2]


def test_an_analysis_shows_recall_of_longer_lists(person: Person) -> None:
    items = " ".join(str(n) for n in range(1, 41))
    (person.home / "truth.csv").write_text("user,labels\n1,1\n2,30\n3,99\n")
    (person.home / "a.csv").write_text(f"user,labels\n1,{items}\n2,{items}\n3,{items}\n")
    command = ("analyze", "a.csv", "--truth", "truth.csv", "--metric", "recall@20", "--k", "20,40")
    document = person.types(*command, "--json").document
    assert [(row["k"], row["recall"]) for row in document["k"]] == [
        (20, pytest.approx(1 / 3)),
        (40, pytest.approx(2 / 3)),
    ]
    found = {row["ranks"]: row["found"][""] for row in document["ranks"] if row["found"][""]}
    assert found == {"1": 1, "21 to 40": 1}
    assert list(document["segments"]) == ["labels", "popularity", "rank"]
    assert person.types(*command).out.splitlines()[:3] == [
        "Capped recall:",
        "K   weighted  value",
        "20  0.333333  0.333333",
    ]
    assert person.types(*command[:-1], "20,x").code == 2
