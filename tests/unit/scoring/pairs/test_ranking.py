"""Metrics of candidates: values by hand, queries that are left out, ties, standard errors."""

from __future__ import annotations

import json
import math
import random
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from podium.scoring.engine import perfect_submission, sample_submission
from podium.scoring.metrics import metric_for, metric_of, pair_metric_of
from podium.scoring.metrics.rows.candidates.ties import chance_within, reciprocal_of_first
from tests.builders.reranking.candidates import (
    EVERYTHING,
    METRICS,
    over_all_orders,
    queries_of,
    some_candidates,
    task_by,
    text_of,
)
from tests.builders.scoring.pairs import USAGE, found, refusal, score, truth_of
from tests.places import ROOT

TRUTH = "impression,item,score\n1,5,1\n1,6,0\n1,7,1\n2,5,0\n2,8,1\n3,5,0\n3,6,0\n4,9,1\n"
"""Query 3 has nothing relevant, and query 4 nothing else."""


def test_values_by_hand(tmp_path: Path) -> None:
    task = task_by("mrr_all", *METRICS)
    sent = "impression,item,score\n1,5,.9\n1,6,.5\n1,7,.1\n2,5,2\n2,8,1\n3,5,1\n3,6,1\n4,9,0\n"
    sent = sent.replace(",.", ",0.")
    whole = score(tmp_path, sent, truth_of(tmp_path, TRUTH, task=task), task).splits["all"]
    # Query 1 has ranks 1 and 3, query 2 has rank 2, query 4 rank 1.
    assert float(whole.values[""]) == pytest.approx(((1 + 1 / 3) / 2 + 1 / 2 + 1) / 3)
    values = {metric: float(value[""]) for metric, value in whole.diagnostics.items()}
    first = (1 + 1 / 2) / (1 + 1 / math.log2(3))
    expected = {
        "mrr": (1 + 1 / 2 + 1) / 3,
        "ndcg@3": (first + 1 / math.log2(3) + 1) / 3,
        "hit_rate@1": 2 / 3,
        "map": ((1 + 2 / 3) / 2 + 1 / 2 + 1) / 3,
        "gauc": (1 / 2 + 0) / 2,
    }
    assert {metric: values[metric] for metric in expected} == pytest.approx(expected)
    assert whole.notes["mrr_all"] == {"units_without_relevant": {"": 1}}
    assert whole.notes["gauc"] == {"units_of_one_class": {"": 2}}


def test_a_constant_answer_scores_what_a_random_one_is_expected_to(tmp_path: Path) -> None:
    targets = some_candidates(random.Random(3), 12)
    truth = truth_of(tmp_path, text_of(targets), task=EVERYTHING)
    sent = b"".join(sample_submission(truth[1], EVERYTHING))
    whole = score(tmp_path, sent, truth, EVERYTHING).splits["all"]
    values = {METRICS[0]: whole.values, **whole.diagnostics}
    by_query: dict[int, list[int]] = {}
    for (query, _), target in targets.items():
        by_query.setdefault(query, []).append(target)
    for metric in METRICS:
        random_ones = [over_all_orders(metric, [0] * len(all_), all_) for all_ in by_query.values()]
        mean = sum(random_ones) / len(random_ones)
        assert float(values[metric][""]) == pytest.approx(mean, abs=1e-12), metric


@pytest.mark.parametrize("metric", [each for each in METRICS if each != "mrr_all"])
def test_the_perfect_answer_scores_exactly_1(tmp_path: Path, metric: str) -> None:
    task = task_by(metric)
    targets = some_candidates(random.Random(4), 40)
    truth = truth_of(tmp_path, text_of(targets), task=task)
    sent = b"".join(perfect_submission(truth[0], truth[1], task))
    assert score(tmp_path, sent, truth, task).splits["all"].values[""] == 1
    # The same order without a tie.
    dice = random.Random(5)
    apart = {pair: target + dice.random() / 2 for pair, target in targets.items()}
    assert score(tmp_path, text_of(apart), truth, task).splits["all"].values[""] == 1


@pytest.mark.parametrize("metric", METRICS)
def test_the_order_of_rows_never_changes_a_bit(tmp_path: Path, metric: str) -> None:
    dice, task = random.Random(metric), task_by(metric)
    targets = {pair: dice.choice((0, 0.1, 0.7, 0.3)) for pair in some_candidates(dice, 60)}
    truth = truth_of(tmp_path, text_of(targets), task=task)
    sent = {pair: dice.choice((0.1, 0.2, dice.random())) for pair in targets}
    pairs, seen = list(sent), set()
    for _ in range(5):
        dice.shuffle(pairs)
        again = text_of({pair: sent[pair] for pair in pairs})
        seen.add(json.dumps(score(tmp_path, again, truth, task).to_dict()))
    assert len(seen) == 1


def test_the_number_of_threads_never_changes_a_bit(tmp_path: Path) -> None:
    program = """
import json, random, sys
from pathlib import Path
from tests.builders.scoring.pairs import score, truth_of
from tests.builders.reranking.candidates import EVERYTHING, some_candidates, text_of
dice, folder = random.Random(9), Path(sys.argv[1])
targets = {pair: dice.choice((0, 0.1, 0.7, 0.3)) for pair in some_candidates(dice, 900)}
truth = truth_of(folder, text_of(targets), task=EVERYTHING)
sent = text_of({pair: dice.choice((0.1, 0.2, dice.random())) for pair in targets})
print(json.dumps(score(folder, sent, truth, EVERYTHING).to_dict()))
"""
    outputs = set()
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
        outputs.add(ran.stdout)
    assert len(outputs) == 1


def test_a_query_moves_the_mean_by_its_distance_and_one_left_out_by_nothing() -> None:
    found = pair_metric_of("mrr").measure(queries_of([[1], [2, 3], [], [4]]))
    mean = (1 + 1 / 2 + 1 / 4) / 3
    expected = [(1 - mean) / 3, (1 / 2 - mean) / 3, 0, (1 / 4 - mean) / 3]
    assert found.moves is not None
    assert found.moves.to_list() == pytest.approx(expected)
    assert pair_metric_of("mrr").measure(queries_of([[1], []])).moves is None


def test_splits_are_scored_apart_and_decoys_not_at_all(tmp_path: Path) -> None:
    task = task_by("mrr")
    text = (
        "impression,item,score,Usage\n1,1,1,Public\n1,2,0,Public\n"
        "2,1,1,Private\n2,2,0,Private\n3,1,1,Ignored\n3,2,0,Ignored\n"
    )
    truth = truth_of(tmp_path, text, task=task, split=USAGE)
    sent = "impression,item,score\n1,1,1\n1,2,0\n2,1,0\n2,2,1\n3,1,0\n3,2,1\n"
    splits = score(tmp_path, sent, truth, task).splits
    assert {name: split.values[""] for name, split in splits.items()} == {
        "public": 1,
        "private": Fraction(1, 2),
    }


def test_a_split_without_a_relevant_candidate_is_refused(tmp_path: Path) -> None:
    text = "impression,item,score\n1,1,0\n1,2,0\n"
    refused = refusal(lambda: truth_of(tmp_path, text, task=task_by("mrr")))
    assert found(refused) == [("zero-denominator", None)]
    # Everything relevant: there is a first one, but nothing to put it above.
    text = "impression,item,score\n1,1,1\n1,2,1\n"
    assert truth_of(tmp_path, text, task=task_by("ndcg@10"))[0].frame.height == 2
    refused = refusal(lambda: truth_of(tmp_path, text, task=task_by("gauc")))
    assert found(refused) == [("zero-denominator", None)]


@pytest.mark.parametrize("tied", [1, 2, 5, 9])
def test_closed_forms_are_sums_of_fractions(tied: int) -> None:
    for relevant in range(1, tied + 1):
        ways = math.comb(tied, relevant)
        for above in (0, 3, 1000):
            first = [
                Fraction(math.comb(tied - at, relevant - 1), ways) / (above + at)
                for at in range(1, tied - relevant + 2)
            ]
            exact = float(sum(first))
            assert reciprocal_of_first(above, tied, relevant) == pytest.approx(exact, rel=1e-14)
            for places in (1, above, above + 1, above + tied - 1, above + tied, above + 99):
                taken = min(max(places - above, 0), tied)
                missed = Fraction(math.comb(tied - relevant, taken), math.comb(tied, taken))
                chance = chance_within(places, above, tied, relevant)
                assert chance == pytest.approx(float(1 - missed), abs=1e-14)


def test_names_mean_the_metric_of_the_task() -> None:
    assert metric_of("ndcg@10", "rerank").id == metric_of("ndcg@10", "ranking").id == "ndcg@10"
    assert metric_for("mrr", task="rerank", ranks=True).k is None
    assert metric_for("hit_rate@3", task="rerank", ranks=True).k == 3
    for wrong in ("ndcg", "hit_rate@0", "ndcg@1001", "ndcg@1.5", "mrr@5", "rmse"):
        with pytest.raises(ValueError, match=wrong.partition("@")[0]):
            metric_for(wrong, task="rerank", ranks=True)


@pytest.mark.parametrize("target", ["1e-7", "5e-324", "1000.5", "2000", "1e100"])
def test_a_gain_that_no_float_holds_is_refused(tmp_path: Path, target: str) -> None:
    text = f"impression,item,score\n1,5,0\n1,6,{target}\n2,5,1\n"
    task = task_by("ndcg_exp@5")
    refused = refusal(lambda: truth_of(tmp_path, text, task=task))
    assert found(refused) == [("bad-label", 3)]
    # The extremes that are taken have ideal lists of value 1.
    for taken in ("0.000001", "1000"):
        good = text.replace(target, taken)
        whole = score(tmp_path, good, truth_of(tmp_path, good, task=task), task).splits["all"]
        assert whole.values[""] == 1
        assert whole.standard_error == 0
