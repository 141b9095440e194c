"""Mean absolute and root mean squared error: values by hand and by others, what never matters."""

from __future__ import annotations

import dataclasses
import json
import math
import random
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from podium.scoring.metrics import (
    REGISTRY,
    metric_for,
    metric_of,
    pair_metric_of,
    rank_metric_of,
)
from podium.scoring.pairs.truth import TruePairs
from podium.scoring.scores.pair_answers import Answers, PairMeasurements
from podium.scoring.splits import ALL, IGNORED, PRIVATE, PUBLIC
from podium.scoring.task import Objective
from podium.scoring.uncertainty import Influence
from tests.builders.scoring.pairs import RMSE, USAGE, score, scores_of, task_by, text_of, truth_of
from tests.places import ROOT


def errors_of(values: list[float], users: list[int], sides: list[int] | None = None) -> Answers:
    """Errors of predictions for ratings that are all 0."""
    count = len(values)
    frame = pl.DataFrame(
        {
            "pair": pl.Series(range(count), dtype=pl.UInt32),
            "unit": pl.Series(users, dtype=pl.UInt32),
            "target0": [0.0] * count,
            "split": pl.Series(sides or [ALL] * count, dtype=pl.UInt8),
        }
    )
    return Answers.of([pl.Series(values, dtype=pl.Float64)], TruePairs(frame, RMSE, count))


def moved_by(name: str, errors: Answers, weight: Fraction) -> Influence:
    """The influence of users on a metric with this weight."""
    _, found = PairMeasurements.of([(name, 0)], errors).weighted([name], [weight])
    assert found is not None
    return found


def test_the_example_of_the_definition_by_hand(tmp_path: Path) -> None:
    truth = truth_of(tmp_path, "user,item,rating\n1,10,3\n1,11,5\n")
    whole = score(tmp_path, "user,item,rating\n1,10,4\n1,11,2\n", truth).splits["all"]
    assert float(whole.values[""]) == math.sqrt(5)
    assert whole.diagnostics == {"mae": {"": Fraction(2)}}
    assert whole.queries == {"": 2}


def test_an_error_is_a_negative_score_so_that_more_is_better(tmp_path: Path) -> None:
    truth = truth_of(tmp_path, "user,item,rating\n1,10,3\n1,11,5\n")
    near = score(tmp_path, "user,item,rating\n1,10,3\n1,11,4\n", truth).splits["all"]
    far = score(tmp_path, "user,item,rating\n1,10,3\n1,11,9\n", truth).splits["all"]
    assert far.score(RMSE) < near.score(RMSE) < 0
    assert near.score(task_by("mae")) == -near.values[""]
    assert near.diagnostic("mae", RMSE) == Fraction(1, 2)


def test_splits_are_scored_apart_and_decoys_not_at_all(tmp_path: Path) -> None:
    text = "user,item,rating,Usage\n1,10,1,Public\n1,11,1,Public\n2,10,1,Private\n3,10,1,Ignored\n"
    truth = truth_of(tmp_path, text, split=USAGE)
    sent = "user,item,rating\n3,10,1000\n2,10,3\n1,10,1\n1,11,2\n"
    splits = score(tmp_path, sent, truth).splits
    assert splits.keys() == {"public", "private"}
    assert float(splits["public"].values[""]) == math.sqrt(0.5)
    assert splits["private"].values[""] == 2
    assert splits["public"].diagnostics["mae"][""] == Fraction(1, 2)


def test_all_pairs_count_alike_and_not_all_users() -> None:
    errors = errors_of([0, 0, 0, 4], [0, 0, 0, 1])
    assert pair_metric_of("mae").measure(errors.of_objective(0)).values == {ALL: Fraction(1)}


def test_the_order_of_rows_never_changes_a_bit(tmp_path: Path) -> None:
    dice = random.Random(5)
    pairs = [(user, item) for user in range(40) for item in range(1, dice.randint(2, 30))]
    truth = truth_of(tmp_path, text_of({pair: dice.gauss(3, 1) for pair in pairs}))
    sent = {pair: dice.gauss(3, 1) for pair in pairs}
    first = score(tmp_path, text_of(sent), truth).to_dict()
    for _ in range(5):
        dice.shuffle(pairs)
        again = text_of({pair: sent[pair] for pair in pairs})
        assert score(tmp_path, again, truth).to_dict() == first


def test_the_number_of_threads_never_changes_a_bit(tmp_path: Path) -> None:
    program = """
import json, random, sys
from pathlib import Path
from tests.builders.scoring.pairs import score, text_of, truth_of
dice = random.Random(9)
pairs = [(user, item) for user in range(900) for item in range(dice.randint(1, 20))]
truth = truth_of(Path(sys.argv[1]), text_of({pair: dice.gauss(3, 1) for pair in pairs}))
sent = text_of({pair: dice.gauss(3, 1) for pair in pairs})
print(json.dumps(score(Path(sys.argv[1]), sent, truth).to_dict()))
"""
    found = set()
    for threads in ("1", "2", "5"):
        folder = tmp_path / threads
        folder.mkdir()
        ran = subprocess.run(
            [sys.executable, "-c", program, str(folder)],
            env={"POLARS_MAX_THREADS": threads, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        )
        found.add(json.dumps(json.loads(ran.stdout)))
    assert len(found) == 1


@pytest.mark.parametrize("size", [1e-170, 1e-160, 1e-30, 1.0, 1e30, 1e100])
def test_errors_of_any_size_are_scored(size: float) -> None:
    errors = errors_of([size, -size, size], [0, 1, 2])
    found = scores_of(errors)["all"]
    assert float(found.diagnostics["mae"][""]) == pytest.approx(size, rel=1e-12)
    # The square of the smallest is nothing that a float64 can hold.
    assert float(found.values[""]) == pytest.approx(size if size > 1e-165 else 0.0, rel=1e-3)
    assert found.standard_error == pytest.approx(0.0, abs=size * 1e-3)


def test_the_standard_error_by_hand() -> None:
    # User 0 has errors 1 and 0, user 1 has 2: mean of squares 5/3, of absolute errors 1.
    errors = errors_of([1, 0, -2], [0, 0, 1])
    found = scores_of(errors)["all"]
    # mae: z = (1 − 2)/3 and (2 − 1)/3; SE² = 2 / 1 · (1/9 + 1/9).
    assert found.diagnostic_errors["mae"] == pytest.approx(2 / 3)
    # rmse: z = (1 − 10/3) / (2 · √(5/3) · 3) and its negative; SE = 2 |z|.
    assert found.standard_error == pytest.approx(7 / 9 / math.sqrt(5 / 3))


def test_one_user_has_no_standard_error_and_no_error_has_one_of_zero() -> None:
    assert scores_of(errors_of([1, 2], [4, 4]))["all"].standard_error is None
    assert scores_of(errors_of([0, 0], [4, 5]))["all"].standard_error == 0


@pytest.mark.parametrize("name", REGISTRY["rating"])
def test_influences_add_up_to_nothing_in_each_split(name: str) -> None:
    dice = random.Random(name)
    users = [dice.randint(0, 60) for _ in range(500)]
    sides = [(IGNORED, PUBLIC, PRIVATE)[user % 3] for user in users]
    errors = errors_of([dice.gauss(0, 2) for _ in users], users, sides)
    moved = moved_by(name, errors, Fraction(3))
    for split in (PUBLIC, PRIVATE):
        assert moved.z.filter(moved.split == split).sum() == pytest.approx(0, abs=1e-12)
    assert moved.z.filter(moved.split == IGNORED).abs().sum() == 0
    assert (moved - moved).standard_errors()[PUBLIC] == 0


@pytest.mark.parametrize("name", REGISTRY["rating"])
def test_the_standard_error_is_that_of_drawing_other_users(name: str) -> None:
    dice = random.Random(3)
    metric, people = pair_metric_of(name), 400

    def value_and_error() -> tuple[float, float]:
        users, values = [], []
        for user in range(people):
            skill, count = dice.uniform(0.5, 1.5), dice.randint(1, 8)
            users += [user] * count
            values += [dice.gauss(0, skill) for _ in range(count)]
        errors = errors_of(values, users)
        moved = moved_by(name, errors, Fraction(1)).standard_errors()[ALL]
        assert moved is not None
        return float(metric.measure(errors.of_objective(0)).values[ALL]), moved

    drawn = [value_and_error() for _ in range(300)]
    mean = sum(value for value, _ in drawn) / len(drawn)
    spread = math.sqrt(sum((value - mean) ** 2 for value, _ in drawn) / (len(drawn) - 1))
    estimated = sum(error for _, error in drawn) / len(drawn)
    # 300 draws know the spread to 4 %.
    assert estimated == pytest.approx(spread, rel=0.12)


def test_stored_errors_give_the_same_verdict_and_belong_to_one_version(tmp_path: Path) -> None:
    truth = truth_of(tmp_path, "user,item,rating\n1,10,3\n1,11,5\n2,10,1\n")
    kept = tmp_path / "errors.parquet"
    sent = "user,item,rating\n2,10,1.5\n1,10,4\n1,11,2\n"
    scored = score(tmp_path, sent, truth, errors_to=kept)
    stored = pl.read_parquet(kept)
    assert stored.to_dict(as_series=False) == {"query": [0, 1, 2], "number0": [4.0, 2.0, 1.5]}
    assert scores_of(Answers.read(kept, truth[0])) == scored.splits
    other, _ = truth_of(tmp_path, "user,item,rating\n1,10,3\n", published=truth[1])
    with pytest.raises(ValueError, match="another version"):
        Answers.read(kept, other)


def test_metrics_of_lists_and_of_ratings_do_not_mix() -> None:
    assert metric_of("rmse").id == "rmse"
    with pytest.raises(ValueError, match="not ranked lists"):
        rank_metric_of("mae")
    with pytest.raises(ValueError, match="does not measure numbers"):
        pair_metric_of("recall@10")
    with pytest.raises(ValueError, match="the task is ranking"):
        metric_for("rmse", task="ranking", ranks=True)
    with pytest.raises(ValueError, match="the task is rating"):
        metric_for("ndcg@10", task="rating", ranks=False)


@pytest.mark.parametrize(
    "changed",
    [
        {"missing_rows": "zero"},
        {"duplicates": "drop"},
        {"objectives": (Objective("stars", Decimal(1), "rmse"),)},
    ],
)
def test_rules_of_lists_mean_nothing_for_ratings(changed: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="a rating task"):
        dataclasses.replace(task_by("rmse"), **changed)
