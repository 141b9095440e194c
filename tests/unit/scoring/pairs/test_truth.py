"""The organizer's ratings: forms, splits, published pairs, what is refused, what is stored."""

from __future__ import annotations

import gzip
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import polars as pl
import pytest

from podium.scoring import engine
from podium.scoring.engine import perfect_submission, sample_submission
from podium.scoring.pairs.truth import TruePairs
from podium.scoring.published import PublishedIds
from podium.scoring.rows.keys import PublishedRows
from podium.scoring.solutions.pairs import read_pairs
from podium.scoring.splits import SplitRule
from podium.scoring.task import OTTO
from podium.scoring.truth.canonical import GroundTruthCorrupt
from tests.builders.scoring.pairs import (
    RMSE,
    USAGE,
    WHOLE,
    found,
    pairs_of,
    refusal,
    score,
    task_by,
    text_of,
    truth_of,
)

HALVES = SplitRule("hash", secret=b"not a secret here", public_fraction=Decimal("0.5"))

TEXT = "user,item,rating,Usage\n7,10,4,Public\n7,11,2,public\n3,10,5,Private\n9,1,1,Ignored\n"


def rows(truth: TruePairs) -> list[tuple[int, int, float, int]]:
    return truth.frame.rows()


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        TEXT.replace("\n", "\r\n"),
        "\ufeff" + TEXT,
        TEXT.replace("7,10,4,Public", '"7","10","4.0","Public"'),
        TEXT.replace("7,10,4,Public", "7,010,+4e0,PUBLIC"),
        TEXT + "\n\n",
    ],
)
def test_a_truth_in_any_spelling_is_the_same(tmp_path: Path, text: str) -> None:
    truth, pairs = truth_of(tmp_path, text, split=USAGE)
    assert rows(truth) == [(0, 0, 4.0, 1), (1, 0, 2.0, 1), (2, 1, 5.0, 2), (3, 2, 1.0, 0)]
    assert pairs.frame.rows() == [(7, 10), (7, 11), (3, 10), (9, 1)]
    packed = gzip.compress(text.encode(), mtime=0)
    assert truth_of(tmp_path, packed, split=USAGE)[0].frame.equals(truth.frame)


def test_parquet_says_the_same(tmp_path: Path) -> None:
    table = pl.read_csv(TEXT.encode()).with_columns(rating=pl.Series(["4", "2", "5", "1"]))
    path = tmp_path / "truth"
    table.with_columns(pl.col("rating").cast(pl.Decimal(4, 1))).write_parquet(path)
    truth, _ = engine.read_truth(path, task=RMSE, published=None, split=USAGE)
    assert truth.frame.equals(truth_of(tmp_path, TEXT, split=USAGE)[0].frame)


def test_all_pairs_of_a_user_are_on_the_same_side(tmp_path: Path) -> None:
    ratings = {(user, item): float(item) for user in range(60) for item in range(5)}
    truth, _ = truth_of(tmp_path, text_of(ratings), split=HALVES)
    sides = truth.frame.group_by("unit").agg(pl.col("split").n_unique())
    assert sides["split"].to_list() == [1] * 60
    assert set(truth.splits) == {1, 2}
    expected = HALVES.of_sessions(pl.Series(range(60), dtype=pl.Int32))
    assert truth.units["split"].to_list() == expected.to_list()


def test_decoys_stay_decoys_when_a_hash_divides(tmp_path: Path) -> None:
    ratings = [f"{user},1,3,{'Ignored' if user < 9 else 'Public'}" for user in range(60)]
    text = "\n".join(["user,item,rating,Usage", *ratings])
    truth, _ = truth_of(tmp_path, text, split=HALVES)
    assert truth.frame["split"].to_list()[:9] == [0] * 9
    assert 0 not in truth.frame["split"].to_list()[9:]
    assert "of the column Usage only Ignored counts" in truth.warnings[0]


def test_published_pairs_without_a_rating_are_decoys(tmp_path: Path) -> None:
    published = pairs_of((7, 11), (5, 5), (7, 10))
    truth, pairs = truth_of(tmp_path, "user,item,rating\n7,10,4\n7,11,2\n", published=published)
    assert pairs is published
    assert rows(truth) == [(0, 0, 2.0, 3), (2, 0, 4.0, 3)]
    assert truth.summary() | {"warnings": []} == {
        "sessions": 3,
        "queries": 2,
        "unlabelled": 1,
        "labels": 2,
        "objectives": {"": {"all": {"queries": 2, "labels": 2, "denominator": 2}}},
        "warnings": [],
        "lacks": [[]],
    }
    sent = "user,item,rating\n7,10,4\n7,11,2\n5,5,100\n"
    assert score(tmp_path, sent, (truth, pairs)).splits["all"].values[""] == 0


@pytest.mark.parametrize(
    ("text", "split", "problems"),
    [
        ("", WHOLE, [("empty-file", None)]),
        ("user,item,rating\n", WHOLE, [("empty-file", None)]),
        ("user,item\n7,10\n", WHOLE, [("header-mismatch", 1)]),
        ("user,item,rating,when\n7,10,3,1\n", WHOLE, [("header-mismatch", 1)]),
        ("user,item,rating,rating\n7,10,3,1\n", WHOLE, [("header-mismatch", 1)]),
        ("user,item,rating\n7,10\n", WHOLE, [("row-shape", 2)]),
        ("user,item,rating\n7,10,\n", WHOLE, [("bad-label", 2)]),
        ("user,item,rating\n7,10,NaN\n07,x,1\n", WHOLE,
         [("bad-label", 2), ("bad-id", 3), ("bad-id", 3)]),
        ("user,item,rating\n7,10,3\n3,1,1\n7,10,3\n", WHOLE, [("duplicate-id", 4)]),
        ("user,item,rating\n7,10,3\n7,010,3\n", WHOLE, [("duplicate-id", 3)]),
        ("user,item,rating\n7,10,3\n", USAGE, [("bad-usage", 1)]),
        (TEXT.replace("Private", "secret"), USAGE, [("bad-usage", 4)]),
        (TEXT.replace("public", "Private"), USAGE, [("bad-usage", 3)]),
        (TEXT.replace("Private", "Ignored"), USAGE, [("zero-denominator", None)]),
        ("user,item,rating\n7,10,3\n\n7,11,3\n", WHOLE, [("blank-line", 3)]),
    ],
)  # fmt: skip
def test_what_is_refused_and_where(
    tmp_path: Path, text: str, split: SplitRule, problems: list[tuple[str, int | None]]
) -> None:
    assert found(refusal(lambda: truth_of(tmp_path, text, split=split))) == problems


def test_both_lines_of_a_repeated_pair_are_named(tmp_path: Path) -> None:
    text = "user,item,rating\n7,10,3\n3,1,1\n7,10,4\n"
    problem = refusal(lambda: truth_of(tmp_path, text)).problems[0]
    assert problem.detail == "(7, 10) occurs twice: on line 2 and on line 4"
    assert problem.id == "7,10"


def test_after_a_thousand_bad_rows_reading_stops(tmp_path: Path) -> None:
    text = "user,item,rating\n" + "7,10,x\n" * 1001
    assert refusal(lambda: truth_of(tmp_path, text)).count == 1000


@pytest.mark.parametrize("given", ["user", "item", "context", "rating"])
def test_a_truth_without_one_good_row_is_told_what_is_wrong(tmp_path: Path, given: str) -> None:
    task = replace(RMSE, context_column="context")
    good = {"user": "1", "item": "2", "context": "3", "rating": "4"}
    text = f"user,item,context,rating\n{','.join((good | {given: 'x'}).values())}\n"
    found = refusal(lambda: truth_of(tmp_path, text, task=task)).problems[0]
    assert (found.line, "x" in found.detail) == (2, True)


def test_a_pair_outside_the_list_is_named(tmp_path: Path) -> None:
    text = "user,item,rating\n7,10,3\n7,12,1\n"
    rejection = refusal(lambda: truth_of(tmp_path, text, published=pairs_of((7, 10))))
    assert found(rejection) == [("unpublished-session", 3)]


def test_a_repeated_pair_in_parquet_is_named_by_row(tmp_path: Path) -> None:
    path = tmp_path / "truth"
    table = pl.DataFrame({"user": [7, 7], "item": [1, 1], "rating": [1.0, 2.0]})
    table.write_parquet(path)
    rejection = refusal(lambda: engine.read_truth(path, task=RMSE, published=None, split=WHOLE))
    assert found(rejection) == [("duplicate-id", 1)]
    assert rejection.problems[0].detail == "(7, 1) occurs twice: in row 0 and in row 1"


@pytest.mark.parametrize(
    "text",
    ["user,item\n7,10\n3,1\n", "item,user\n10,7\n1,3\n", "user,rating,item\n7,0,10\n3,0,1\n",
     '"user","item"\n"7","10"\n"3","01"\n'],
)  # fmt: skip
def test_a_list_of_pairs_or_a_sample_publishes_in_its_order(tmp_path: Path, text: str) -> None:
    path = tmp_path / "pairs"
    path.write_text(text)
    assert read_pairs(path, task=RMSE).frame.rows() == [(7, 10), (3, 1)]


def test_a_list_of_pairs_names_what_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "pairs"
    path.write_text("user,item\n7,10\nx,1\n7,10\n")
    rejection = refusal(lambda: read_pairs(path, task=RMSE))
    assert found(rejection) == [("bad-id", 3), ("duplicate-id", 4)]


@pytest.mark.parametrize("text", ["", "user,item\n", "user,item,rating\n\n"])
def test_a_list_without_pairs_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "pairs"
    path.write_text(text)
    assert found(refusal(lambda: read_pairs(path, task=RMSE))) == [("empty-file", None)]


def test_what_is_stored_comes_back_and_is_known_by_its_hash(tmp_path: Path) -> None:
    truth, pairs = truth_of(tmp_path, TEXT, split=USAGE)
    kept, listed = tmp_path / "kept", tmp_path / "pairs"
    sha256 = truth.write(kept)
    assert truth.write(tmp_path / "again") == sha256
    pairs.write(listed)
    back = engine.load_published(listed, RMSE)
    assert isinstance(back, PublishedRows)
    assert back.frame.equals(pairs.frame)
    loaded = engine.load_truth(kept, sha256=sha256, published=back, task=RMSE)
    assert isinstance(loaded, TruePairs)
    assert loaded.numbered.equals(truth.frame)
    # No pair is a decoy: the numbers are those of the rows.
    assert "pair" not in loaded.frame.columns
    kept.write_bytes(kept.read_bytes()[:-1] + b"x")
    with pytest.raises(GroundTruthCorrupt):
        TruePairs.load(kept, sha256=sha256, published=back, task=RMSE)
    sha256 = truth.write(kept)
    with pytest.raises(GroundTruthCorrupt, match="not published"):
        TruePairs.load(kept, sha256=sha256, published=pairs_of((7, 10)), task=RMSE)
    pairs_of((1, 2)).frame.write_parquet(kept)
    with pytest.raises(GroundTruthCorrupt):
        TruePairs.load(kept, sha256=None, published=back, task=RMSE)


def test_users_that_change_sides_are_named_unless_they_are_ignored_in_one(tmp_path: Path) -> None:
    before, pairs = truth_of(tmp_path, TEXT, split=USAGE)
    changed = "7,10,4,Private\n7,11,2,Private\n3,10,5,Public\n9,1,1,Public\n"
    after, _ = truth_of(
        tmp_path, "user,item,rating,Usage\n" + changed, split=USAGE, published=pairs
    )
    assert engine.moved_sides(before, after).to_list() == [0, 1]


def test_the_published_part_of_one_kind_is_never_taken_for_that_of_the_other(
    tmp_path: Path,
) -> None:
    path, ids = tmp_path / "truth", PublishedIds(pl.Series([7], dtype=pl.Int32), OTTO.names)
    with pytest.raises(TypeError, match="a rating task has PublishedRows"):
        engine.read_truth(path, task=RMSE, published=ids, split=WHOLE)
    with pytest.raises(TypeError, match="a ranking task has PublishedIds"):
        engine.read_truth(path, task=OTTO, published=pairs_of((1, 2)), split=WHOLE)


@pytest.mark.parametrize("kind", ["integer", "string"])
def test_the_perfect_file_has_no_error_and_the_sample_is_accepted(
    tmp_path: Path, kind: str
) -> None:
    task = task_by("rmse", "mae", query_ids=kind, item_ids=kind)
    text = "user,item,rating\n7,10,0.1\n3,10,1e-7\n7,3,-2.5\n10,7,1e22\n"
    truth = truth_of(tmp_path, text, task=task)
    perfect = b"".join(perfect_submission(*truth, task))
    whole = score(tmp_path, perfect, truth, task).splits["all"]
    assert (whole.values, whole.diagnostics["mae"]) == ({"": Fraction(0)}, {"": Fraction(0)})
    sample = b"".join(sample_submission(truth[1], task))
    assert sample == b"user,item,rating\n7,10,0\n3,10,0\n7,3,0\n10,7,0\n"
    assert score(tmp_path, sample, truth, task).splits["all"].score(task) < 0


def test_few_users_or_equal_ratings_are_warned_of(tmp_path: Path) -> None:
    text = "user,item,rating,Usage\n1,1,3,Public\n2,1,3,Private\n"
    warnings = truth_of(tmp_path, text, split=USAGE)[0].warnings
    assert warnings == (
        "all numbers in rating are the same",
        "1 users are public: scores are far from sure with so few",
        "1 users are private: scores are far from sure with so few",
    )


def test_a_side_with_hardly_any_pairs_is_warned_of(tmp_path: Path) -> None:
    rows = [f"{user},1,{user % 5},{'Public' if user == 0 else 'Private'}" for user in range(100)]
    text = "\n".join(["user,item,rating,Usage", *rows])
    assert truth_of(tmp_path, text, split=USAGE)[0].warnings == (
        "1.0% of the pairs are public",
        "1 users are public: scores are far from sure with so few",
    )
