"""From a file of ratings to a score, prepared by the server: `podium prepare --upload`."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from podium.client import Podium
from tests.builders.processes.commands import Person
from tests.builders.processes.serving import Installation, serving

MADE = ["dataset.json", "items.csv", "report.md", "train.parquet"]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Installation]:
    folder = tmp_path / "server"
    folder.mkdir()
    with serving(folder) as installation:
        yield installation


def movielens(person: Person) -> list[list[int]]:
    """A file as MovieLens has it; the times of a user are all different."""
    drawn = random.Random(11)
    rows = [
        [user, item, drawn.randint(1, 5), 960_000_000 + 1000 * place]
        for user in range(1, 81)
        for place, item in enumerate(drawn.sample(range(1, 120), 20))
    ]
    text = "".join("::".join(map(str, row)) + "\n" for row in rows)
    (person.home / "ratings.dat").write_text(text)
    return rows


def test_a_file_of_ratings_becomes_a_competition_whose_hidden_items_score_best(
    person: Person, server: Installation
) -> None:
    rows = movielens(person)
    here = server.as_administrator
    assert person.types("create", "films", "--metric", "ndcg@10", **here).code == 0
    told = ("--threshold", 3, "--protocol", "leave-k-out", "--count", 2)
    ran = person.types("prepare", "ratings.dat", "--upload", "films", *told, "--launch", **here)
    assert ran.code == 0, ran.err
    assert "Settings changed to fit the file: objectives, id_column." in ran.err
    assert ran.out.splitlines()[:4] == MADE
    good = [row for row in rows if row[2] >= 3]
    facts = dict(line.split() for line in ran.out.splitlines()[4:])
    assert facts == {
        "interactions": "1600",
        "dropped_below_threshold": str(len(rows) - len(good)),
        "train": str(len(good) - 160),
        "test_users": "80",
        "labels": "160",
        "ground_truth": "1",
    }

    with server.organizer() as organizer:
        token = organizer.create_user("ada")["token"]
    ada = {"PODIUM_URL": server.url, "PODIUM_TOKEN": token}
    assert person.types("competitions", "download", "films", "--path", "data", **ada).code == 0
    train = pl.read_parquet(person.home / "data" / "train.parquet")
    known = set(train.select("user", "item").iter_rows())
    hidden = {user: [row[1] for row in good if row[0] == user][-2:] for user in range(1, 81)}
    labels = {(user, item) for user, items in hidden.items() for item in items}
    assert {(row[0], row[1]) for row in good} - known == labels
    best = "".join(f"{user},{a} {b}\n" for user, (a, b) in hidden.items())
    (person.home / "best.csv").write_text("user,labels\n" + best)
    made = person.types("baseline", "popular", "--data", "data", "--out", "popular.csv")
    assert made.code == 0, made.err
    with Podium(server.url, token) as podium:
        podium.create_team("films", "Team Ada")
        scores = []
        for name in ("best.csv", "popular.csv"):
            sent = podium.submit("films", person.home / name)
            verdict = podium.wait(sent["id"])
            assert verdict["status"] == "scored", verdict
            scores.append(verdict["public_score"])
    assert scores[0] == 1
    assert 0 <= scores[1] < 1


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ((), "Name the folder to write to (--to), or a draft (--upload)."),
        (("--to", "x", "--launch"), "--launch goes with --upload."),
        (("--to", "x", "--upload", "films"), "--to does not go with --upload"),
        (("--seed", "0", "--upload", "films"), "--seed does not go with --upload"),
        (("--protocol", "k-fold", "--upload", "films"), "k-fold is for --to."),
        (("--recipe", "otto", "--upload", "films"), "`podium otto upload films` sends raw"),
        (
            ("--protocol", "share", "--share", "2", "--upload", "films"),
            "share: more than 0 and less than 1",
        ),
    ],
)
def test_options_that_do_not_go_together_are_refused_without_a_server(
    person: Person, more: tuple[str, ...], told: str
) -> None:
    movielens(person)
    ran = person.types("prepare", "ratings.dat", *more, PODIUM_URL="http://127.0.0.1:9")
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err


def test_lines_that_cannot_be_read_are_told_as_at_home(
    person: Person, server: Installation
) -> None:
    here = server.as_administrator
    assert person.types("create", "films", "--metric", "ndcg@10", **here).code == 0
    (person.home / "bad.csv").write_text("user,item\n1,2\n3\n")
    pick = ("--pick", "random")
    refused = person.types("prepare", "bad.csv", "--upload", "films", *pick, **here)
    at_home = person.types("prepare", "bad.csv", "--to", "made", *pick)
    assert (refused.code, at_home.code) == (3, 2)
    for ran in (refused, at_home):
        assert "bad.csv:3: 1 fields instead of 2: “3”" in ran.err
