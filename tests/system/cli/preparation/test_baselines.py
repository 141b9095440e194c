"""`podium baseline` for users × items: from a table of interactions to scores."""

from __future__ import annotations

import random
from pathlib import Path

import polars as pl
import pytest

from tests.builders.processes.commands import Person, Ran

FILES = ("--train", "train.csv", "--published", "users.csv")

USERS, ITEMS, GENRES = 240, 120, 6


@pytest.fixture
def movies(person: Person) -> Path:
    """Ratings of users who each like two of six genres, and of these the popular items most; the
    last two of each user are hidden."""
    chance = random.Random(1)
    train, labels = ["user,item,rating,timestamp"], ["user,item"]
    for user in range(1, USERS + 1):
        liked = chance.sample(range(GENRES), 2)
        chosen: list[int] = []
        while len(chosen) < 16:
            place = min(int(chance.expovariate(0.15)), ITEMS // GENRES - 1)
            item = 1 + GENRES * place + chance.choice(liked)
            chosen += [] if item in chosen else [item]
        for time, item in enumerate(chosen[:-2]):
            train.append(f"{user},{item},{chance.randint(1, 10) / 2},{1000 * user + time}")
        labels += [f"{user},{item}" for item in chosen[-2:]]
    (person.home / "train.csv").write_text("\n".join(train) + "\n")
    (person.home / "labels.csv").write_text("\n".join(labels) + "\n")
    rows = "".join(f"{user},\n" for user in range(1, USERS + 1))
    (person.home / "users.csv").write_text(f"user,items\n{rows}")
    return person.home


def baseline(person: Person, name: str, *options: object) -> Ran:
    return person.types("baseline", name, *FILES, "--out", f"{name}.csv", *options)


def scores(person: Person, name: str, *options: object) -> dict[str, dict[str, float]]:
    evaluate = ("--evaluate-train", "--labels", "labels.csv", "--json")
    found: dict[str, dict[str, float]] = baseline(person, name, *evaluate, *options).document[
        "scores"
    ]
    return found


def test_what_learns_beats_what_is_popular_and_this_beats_chance(
    person: Person, movies: Path
) -> None:
    test = {
        name: scores(person, name)["ndcg@10"]["test"]
        for name in ("item-knn", "user-knn", "als", "ease", "popular", "random")
    }
    assert min(test[name] for name in ("item-knn", "user-knn", "als", "ease")) > test["popular"]
    assert test["popular"] > test["random"]


def test_scores_are_those_of_podium_score_and_training_scores_are_higher(
    person: Person, movies: Path
) -> None:
    metrics = ("--metric", "ndcg@5", "--metric", "recall_capped@5")
    both = scores(person, "als", "--rating", "rating", *metrics)
    score = ("score", "als.csv", "--truth", "labels.csv", "--no-history", "--json")
    scored = person.types(*score, *metrics).document["metrics"]
    assert {metric: each["test"] for metric, each in both.items()} == scored
    assert all(each["train"] > each["test"] for each in both.values())


def test_lists_are_valid_and_hold_nothing_that_was_seen(person: Person, movies: Path) -> None:
    train = pl.read_csv(movies / "train.csv").group_by("user").agg("item")
    seen = {user: set(map(str, items)) for user, items in train.iter_rows()}
    for name in ("popular", "recent", "random", "item-knn", "user-knn", "als", "bpr", "ease"):
        timed = ("--timestamp", "timestamp") if name == "recent" else ()
        assert baseline(person, name, *timed).code == 0
        ran = person.types("validate", f"{name}.csv", "--sample", "users.csv")
        assert (ran.code, ran.err[:19]) == (0, "Not checked: items,")
        header, *rows = (movies / f"{name}.csv").read_text().splitlines()
        assert header == "user,items"
        for row in rows:
            user, _, items = row.partition(",")
            assert len(set(items.split())) == 20
            assert not seen[int(user)] & set(items.split())


def test_a_prepared_folder_says_everything(person: Person, movies: Path) -> None:
    ran = person.types(
        *("prepare", "train.csv", "--to", "made", "--seed", 1, "--format", "csv"),
        *("--protocol", "leave-k-out", "--count", 2),
    )
    assert ran.code == 0, ran.err
    files = ("--train", "made/train.csv", "--published", "made/sample_submission.csv")
    ran = person.types("baseline", "ease", *files, "--rating", "rating", "--out", "files.csv")
    assert ran.code == 0, ran.err
    ran = person.types(
        "baseline", "ease", "--data", "made", "--out", "folder.csv", "--evaluate-train"
    )
    assert ran.code == 0, ran.err
    assert (movies / "folder.csv").read_bytes() == (movies / "files.csv").read_bytes()
    assert "ndcg@10  train 0." in ran.out
    assert "  test 0." in ran.out
    ran = person.types("validate", "folder.csv", "--sample", "made/sample_submission.csv")
    # The folder says what an item is.
    assert (ran.code, ran.err[:28]) == (0, "Not checked: repeated items.")


def test_types_are_objectives(person: Person) -> None:
    (person.home / "train.csv").write_text(
        "who,what,kind\nann,a,view\nann,b,buy\nbob,a,view\nbob,c,view\ncem,c,buy\ncem,d,buy\n"
    )
    (person.home / "users.csv").write_text("who\nann\ncem\n")
    (person.home / "labels.csv").write_text("session,type,aid\nann,view,c\ncem,buy,b\n")
    columns = ("--user", "who", "--item", "what", "--type", "kind", "--types", "view,buy")
    ran = baseline(
        person,
        "popular",
        *(*columns, "--top", 2, "--evaluate-train", "--labels", "labels.csv"),
        *("--metric", "recall@2", "--json"),
    )
    assert (person.home / "popular.csv").read_text() == (
        "who_type,labels\nann_view,c b\nann_buy,c d\ncem_view,a c\ncem_buy,b a\n"
    )
    # With seen items everybody gets a and c as views and b and c as purchases: all of ann's one
    # view, all of her one purchase, and half of cem's two purchases.
    assert ran.document["scores"] == {"recall@2": {"train": (1 + (1 + 0.5) / 2) / 2, "test": 1.0}}


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("popular", *FILES, "--alpha", 2), "--alpha goes with als, and not with popular."),
        (("popular", "--train", "train.csv"), "Give --data, a folder made by `podium prepare`; or"),
        (("covisitation", *FILES), "covisitation is for sessions: give --train and --test."),
        (("ease", "--train", "train.csv", "--test", "users.csv"), "ease is for users × items"),
        (("recent", *FILES), "recent goes by times: name their column with --timestamp."),
        (("popular", *FILES, "--item", "film"), "The interactions have no column 'film', but"),
        (("popular", *FILES, "--metric", "map@5"), "--metric goes with --evaluate-train."),
        (("popular", *FILES, "--evaluate-train"), "--evaluate-train needs a ground truth"),
        (("popular", "--data", "."), "has no dataset.json: make the folder with `podium prepare`"),
        (
            ("popular", "--train", "train.csv", "--test", "users.csv", "--keep-seen"),
            "--keep-seen does not go with --test.",
        ),
        (
            ("als", *FILES, "--evaluate-train", "--labels", "labels.csv", "--metric", "ndgc@10"),
            "ndcg@10",
        ),
    ],
)
def test_what_does_not_fit_together_is_told(
    person: Person, movies: Path, options: tuple[object, ...], told: str
) -> None:
    ran = person.types("baseline", *options, "--out", "out.csv")
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err
    assert not (movies / "out.csv").exists()
