"""From a file of users × items to a score: `podium prepare` and `podium stats`."""

from __future__ import annotations

import random
import stat
from pathlib import Path

import polars as pl
import pytest

from podium.preparation.dataset import Dataset
from tests.builders.processes.commands import Person
from tests.builders.processes.serving import serving

MADE = (
    "train.parquet",
    "items.csv",
    "published_ids.csv",
    "sample_submission.csv",
    "labels.csv",
    "dataset.json",
    "report.json",
    "report.md",
)

FORMS = {
    "u.data": ("\t", ""),
    "ratings.dat": ("::", ""),
    "ratings.csv": (",", "userId,movieId,rating,timestamp\n"),
}


def movielens(folder: Path, name: str, users: int = 60) -> Path:
    """Ratings in one of MovieLens' three forms."""
    chance = random.Random(7)
    sign, header = FORMS[name]
    rows = [
        (user, item, chance.randint(1, 5), 881250949 + chance.randrange(9) * 60)
        for user in range(1, users + 1)
        for item in chance.sample(range(1, 80), chance.randint(4, 30))
    ]
    chance.shuffle(rows)
    file = folder / name
    file.write_text(header + "".join(sign.join(map(str, row)) + "\n" for row in rows))
    return file


def popular(folder: Path, *, grade: int = 5) -> Path:
    """The same items for every user of the sample."""
    items = pl.read_csv(folder / "items.csv").sort("users", descending=True)["item"].head(grade)
    users = pl.read_csv(folder / "published_ids.csv")
    labels = " ".join(map(str, items))
    out = folder / "popular.csv"
    users.with_columns(labels=pl.lit(labels)).write_csv(out)
    return out


@pytest.mark.parametrize("name", FORMS)
def test_every_form_of_movielens_is_known(person: Person, name: str) -> None:
    file = movielens(person.home, name)
    ran = person.types("prepare", file, "--to", "made", "--threshold", 3, "--json")
    assert ran.code == 0, ran.err
    assert ran.document["files"] == [f"made/{each}" for each in (*MADE, "cut.key")]
    folder = person.home / "made"
    for secret in ("labels.csv", "report.json", "cut.key"):
        assert stat.S_IMODE((folder / secret).stat().st_mode) == 0o600
    ran = person.types("validate", popular(folder), "--sample", folder / "published_ids.csv")
    assert ran.code == 0, ran.err
    ran = person.types(
        "score", folder / "popular.csv", "--truth", folder / "labels.csv", "--metric", "ndcg@5"
    )
    assert ran.code == 0, ran.err
    train = Dataset.read(folder).scan_train().collect()
    assert train["rating"].min() == 3


def test_a_competition_of_prepared_files_scores_as_at_home(person: Person, tmp_path: Path) -> None:
    file = movielens(person.home, "u.data")
    ran = person.types("prepare", file, "--to", "made", "--protocol", "share", "--relevance")
    assert ran.code == 0, ran.err
    folder = person.home / "made"
    file, truth = popular(folder), folder / "labels.csv"
    home = person.types("score", file, "--truth", truth, "--metric", "ndcg@5", "--json")
    (tmp_path / "server").mkdir()
    with serving(tmp_path / "server") as server:
        here = server.as_administrator
        given = "--truth", truth, "--published-ids", folder / "published_ids.csv"
        settings = '{"split": {"public_fraction": 0.5}}'
        ran = person.types(
            "create",
            "films",
            *given,
            "--metric",
            "ndcg@5",
            "--settings",
            settings,
            "--launch",
            **here,
        )
        assert ran.code == 0, ran.err
        with server.organizer() as organizer:
            team = organizer.make_baseline("films", "Popular")
            sent = organizer.submit("films", file, team=team["id"])
            assert organizer.wait(sent["id"])["status"] == "scored"
    assert home.document["score"] > 0


def test_leave_one_out_labels_ask_for_the_sample_s_columns(person: Person, tmp_path: Path) -> None:
    file = movielens(person.home, "u.data")
    assert person.types("prepare", file, "--to", "made", "--seed", 1).code == 0
    folder = person.home / "made"
    (tmp_path / "server").mkdir()
    with serving(tmp_path / "server") as server:
        ran = person.types(
            "create", "one", "--truth", folder / "labels.csv", "--metric", "mrr@10", "--launch",
            **server.as_administrator,
        )  # fmt: skip
        assert ran.code == 0, ran.err
        with server.organizer() as organizer:
            team = organizer.make_baseline("one", "Popular")
            sent = organizer.submit("one", popular(folder), team=team["id"])
            assert organizer.wait(sent["id"])["status"] == "scored"


def test_folds_have_folders_of_their_own(person: Person) -> None:
    file = movielens(person.home, "ratings.csv")
    told = ("--protocol", "k-fold", "--folds", 2, "--seed", 1)
    assert person.types("prepare", file, "--to", "made", *told).code == 0
    assert person.types("prepare", file, "--to", "made", *told).code == 0
    refused = person.types("prepare", file, "--to", "made", *told[:-1], 2)
    assert (refused.code, refused.out) == (2, "")
    for fold in ("fold-1", "fold-2"):
        assert Dataset.read(person.home / "made" / fold).protocol == "k-fold"


@pytest.mark.parametrize(
    ("told", "meant"),
    [
        (
            ["--share", 0.2],
            "share goes with the protocol share or time, and not with leave-one-out",
        ),
        (["--rounding", "down"], "rounding goes with the protocol share or time"),
        (["--folds", 5], "folds goes with the protocol k-fold"),
        (["--protocol", "time", "--count", 1], "count goes with the protocol leave-k-out"),
    ],
)
@pytest.mark.parametrize("place", [("--to", "made"), ("--upload", "films")])
def test_an_option_that_the_protocol_ignores_is_refused(
    person: Person, told: list[object], meant: str, place: tuple[str, str]
) -> None:
    file = movielens(person.home, "ratings.csv")
    refused = person.types("prepare", file, *place, *told)
    assert (refused.code, meant in refused.err) == (2, True), refused.err
    assert not (person.home / "made").exists()


def test_the_recipe_of_otto_is_its_command(person: Person) -> None:
    assert person.types("otto", "synth", "--sessions", 60, "--raw", "--to", "raw").code == 0
    raw = "raw/raw_sessions.jsonl"
    ran = person.types("prepare", raw, "--recipe", "otto", "--to", "a", "--seed", 1)
    assert ran.code == 0, ran.err
    assert person.types("otto", "prepare", raw, "--to", "b", "--seed", 1).code == 0
    for file in (person.home / "a").iterdir():
        assert file.read_bytes() == (person.home / "b" / file.name).read_bytes()
    dataset = Dataset.read(person.home / "a")
    assert dataset.objectives == {"clicks": "next", "carts": "all", "orders": "all"}
    assert dataset.scan_train().collect().columns == ["session", "aid", "ts", "type"]
    for days in ("inf", 1e300):
        for command in (("otto", "prepare", raw), ("prepare", raw, "--recipe", "otto")):
            refused = person.types(*command, "--to", "c", "--days", days)
            assert refused.code == 2
            assert "days: 0 or more, and at most 1,000,000." in refused.err
    refused = person.types("prepare", raw, "--recipe", "otto", "--to", "c", "--threshold", 4)
    assert refused.code == 2
    assert "--threshold is not an option of --recipe otto" in refused.err


def test_what_counts_of_a_type_is_told(person: Person) -> None:
    rows = [f"{user},{item},{1000 * item},view\n" for user in range(9) for item in range(1, 9)]
    (person.home / "views.csv").write_text("user,item,timestamp,type\n" + "".join(rows))
    given = ("prepare", "views.csv", "--type", "type", "--protocol", "time", "--at", "5000")
    for scope, labels in (("next", 9), ("all", 36)):
        ran = person.types(*given, "--to", scope, "--objective", f"view={scope}", "--seed", 1)
        assert ran.code == 0, ran.err
        assert ran.out.split()[-1] == str(labels)
    refused = person.types(*given, "--to", "no", "--objective", "view=some")
    assert refused.code == 2


def test_a_view_of_otto_sessions_may_be_the_next_only(person: Person) -> None:
    rows = [f"{user},{item},{10**12 + item},view\n" for user in range(9) for item in range(1, 9)]
    (person.home / "views.csv").write_text("user,item,timestamp,type\n" + "".join(rows))
    given = ("otto", "prepare", "views.csv", "--columns", "user,item,timestamp,type", "--seed", 1)
    late = [f"{user},{item},{2 * 10**12 + item},view\n" for user in (10, 11) for item in (1, 2, 3)]
    with (person.home / "views.csv").open("a") as file:
        file.write("".join(late))
    assert person.types(*given, "--to", "next", "--objective", "view=next").code == 0
    labels = (person.home / "next" / "test_labels.jsonl").read_text()
    assert labels.count("[") == 0
    assert labels.count('"view"') == 2
    assert Dataset.read(person.home / "next").objectives == {"view": "next"}
    assert person.types(*given, "--to", "all").code == 0
    assert (person.home / "all" / "test_labels.jsonl").read_text().count("[") == 2
    refused = person.types(*given, "--to", "no", "--objective", "buy=next")
    assert "no event is of the type buy; the types are view" in refused.err


def test_statistics_are_printed(person: Person) -> None:
    file = movielens(person.home, "u.data")
    ran = person.types("stats", file)
    assert ran.code == 0
    assert "Gini of popularity" in ran.out
    ran = person.types("stats", file, "--json")
    assert ran.document["users"] == 60


def test_a_bad_line_is_told(person: Person) -> None:
    (person.home / "bad.csv").write_text("user,item,rating\n1,2,3\n1,3,great\n")
    ran = person.types("stats", "bad.csv")
    assert ran.code == 2
    assert "line 3: the rating “great” is not a finite number" in ran.err
