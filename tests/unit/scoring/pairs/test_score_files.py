"""Scored pairs from file to verdict: several targets, contexts, groups, and what is refused."""

from __future__ import annotations

import json
import math
import random
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from podium.scoring.metrics import pair_metric_of
from podium.scoring.problems import Code
from podium.scoring.task import Objective, Task
from tests.builders.scoring.pairs import (
    EVERY,
    USAGE,
    found,
    refusal,
    score,
    scores_task,
    truth_of,
    value,
)

TWEETS = scores_task(
    "auc",
    *("log_loss", "gauc", "ece"),
    objectives=(
        Objective("like", Decimal("0.5"), "rce"),
        Objective("reply", Decimal("0.3"), "auc"),
        Objective("retweet", Decimal("0.2"), "log_loss"),
    ),
    context_column="day",
)

Row = tuple[int, int, int]


def rows_of(dice: random.Random) -> list[Row]:
    """Users, items and days, in which an item may come again on another day."""
    return [(user, item, day) for user in range(20) for item in (5, 6, 7) for day in (1, 2)]


def text(rows: list[Row], columns: dict[str, list[object]]) -> str:
    lines = [",".join(["user,item,day", *columns])]
    for at, row in enumerate(rows):
        lines.append(",".join(map(str, (*row, *(column[at] for column in columns.values())))))
    return "\n".join([*lines, ""])


def tweets(
    dice: random.Random,
) -> tuple[list[Row], dict[str, list[object]], dict[str, list[object]]]:
    """Rows, and by target what is true and what is predicted."""
    rows = rows_of(dice)
    true = {name: [int(dice.random() < 0.4) for _ in rows] for name in TWEETS.names}
    sent = {name: [round(dice.random(), 2) for _ in rows] for name in TWEETS.names}
    return rows, true, sent  # type: ignore[return-value]


def test_several_targets_in_contexts_are_each_scored_and_weighted(tmp_path: Path) -> None:
    dice = random.Random(8)
    rows, true, sent = tweets(dice)
    usage = ["Public" if user < 8 else "Private" for user, _, _ in rows]
    known = text(rows, {**true, "Usage": usage})  # type: ignore[dict-item]
    truth = truth_of(tmp_path, known, task=TWEETS, split=USAGE)
    order = list(range(len(rows)))
    dice.shuffle(order)
    shuffled = {name: [column[at] for at in order] for name, column in sent.items()}
    splits = score(tmp_path, text([rows[at] for at in order], shuffled), truth, TWEETS).splits
    assert splits.keys() == {"public", "private"}
    for side, name in (("Public", "public"), ("Private", "private")):
        mine = [at for at, each in enumerate(usage) if each == side]
        expected = {}
        for objective in TWEETS.objectives:
            case = (
                [sent[objective.name][at] for at in mine],
                [true[objective.name][at] for at in mine],
                [rows[at][0] for at in mine],
            )
            expected[objective.name] = value(objective.metric, *case)  # type: ignore[arg-type]
            for metric in TWEETS.diagnostics:
                diagnostic = splits[name].diagnostics[metric][objective.name]
                assert float(diagnostic) == pytest.approx(value(metric, *case))  # type: ignore[arg-type]
        assert {k: float(v) for k, v in splits[name].values.items()} == pytest.approx(expected)
        like, reply, retweet = (expected[each] for each in TWEETS.names)
        total = 0.5 * like + 0.3 * reply - 0.2 * retweet
        assert float(splits[name].score(TWEETS)) == pytest.approx(total)
        assert splits[name].standard_error is not None
        assert splits[name].diagnostic_errors["ece"] is None
        assert splits[name].notes["gauc"]["units_of_one_class"].keys() == set(TWEETS.names)


def test_neither_the_order_of_rows_nor_that_of_columns_changes_a_bit(tmp_path: Path) -> None:
    dice = random.Random(9)
    rows, true, sent = tweets(dice)
    truth = truth_of(tmp_path, text(rows, true), task=TWEETS)
    first = score(tmp_path, text(rows, sent), truth, TWEETS).to_dict()
    for _ in range(4):
        order, names = list(range(len(rows))), list(sent)
        dice.shuffle(order)
        dice.shuffle(names)
        shuffled = {name: [sent[name][at] for at in order] for name in names}
        again = text([rows[at] for at in order], shuffled)
        assert score(tmp_path, again, truth, TWEETS).to_dict() == first


def test_the_context_is_the_unit_where_the_task_says_so(tmp_path: Path) -> None:
    task = scores_task("gauc", context_column="impression", unit="context")
    known = "user,item,impression,score\n1,5,70,1\n1,6,70,0\n1,5,71,0\n1,6,71,1\n2,5,72,1\n"
    sent = "user,item,impression,score\n1,5,70,4\n1,6,70,3\n1,5,71,2\n1,6,71,1\n2,5,72,9\n"
    whole = score(tmp_path, sent, truth_of(tmp_path, known, task=task), task).splits["all"]
    # In impression 70 the clicked item is first, in 71 second, and 72 has nothing to compare.
    assert whole.values == {"": Fraction(1, 2)}
    assert whole.notes == {"gauc": {"units_of_one_class": {"": 1}}}


def test_the_mean_over_groups_of_authors_from_file_to_verdict(tmp_path: Path) -> None:
    task = scores_task("auc", group_column="followers")
    known = "user,item,score,followers\n1,1,1,many\n1,2,0,many\n2,1,1,few\n2,2,0,few\n3,1,0,few\n"
    sent = "user,item,score\n1,1,0.9\n1,2,0.1\n2,1,0.5\n2,2,0.5\n3,1,0.8\n"
    whole = score(tmp_path, sent, truth_of(tmp_path, known, task=task), task).splits["all"]
    # `many`: 1; `few`: a tie and a loss, 1/4. Over all pairs it would be 4.5 of 6.
    assert whole.values == {"": Fraction(5, 8)}


@pytest.mark.parametrize(
    ("metric", "rows", "words"),
    [
        ("auc", "1,1,1,Public 1,2,0,Public 2,1,1,Private", "private has no pair that is 0"),
        ("rce", "1,1,0,Public 1,2,0,Public 2,1,1,Private 2,2,0,Private", "public has no pair"),
        ("pr_auc", "1,1,3,Public 2,2,0,Private 2,3,1,Private", "public has no pair"),
        ("gauc", "1,1,1,Public 2,2,0,Public 3,1,1,Private 3,2,0,Private", "public has no query"),
    ],
)
def test_a_truth_in_which_a_metric_is_undefined_is_refused(
    tmp_path: Path, metric: str, rows: str, words: str
) -> None:
    known = "\n".join(["user,item,score,Usage", *rows.split(), ""])
    task = scores_task("log_loss", metric)
    refused = refusal(lambda: truth_of(tmp_path, known, task=task, split=USAGE))
    assert [each.code for each in refused.problems] == [Code.ZERO_DENOMINATOR]
    assert words in refused.problems[0].detail
    # Losses have a value there.
    truth_of(tmp_path, known, task=scores_task("log_loss", "brier", "accuracy"), split=USAGE)


def test_a_group_in_which_a_metric_is_undefined_is_refused(tmp_path: Path) -> None:
    task = scores_task("auc", group_column="part")
    known = "user,item,score,part\n1,1,1,a\n1,2,0,a\n2,1,1,b\n2,2,1,b\n"
    refused = refusal(lambda: truth_of(tmp_path, known, task=task))
    assert "split all, group 2 has no pair that is 0" in refused.problems[0].detail


@pytest.mark.parametrize("metric", ["log_loss", "auc"])
def test_a_group_that_one_split_lacks_is_refused(tmp_path: Path, metric: str) -> None:
    task = scores_task(metric, group_column="part")
    sides = ["1,1,1,a,Public", "1,2,0,a,Public", "2,1,1,a,Private", "2,2,0,a,Private"]
    sides += ["3,1,1,b,Private", "3,2,0,b,Private"]
    known = "\n".join(["user,item,score,part,Usage", *sides, ""])
    refused = refusal(lambda: truth_of(tmp_path, known, task=task, split=USAGE))
    assert [each.detail for each in refused.problems] == [
        "the split public, group 2 has no pair: metrics are means over all groups"
    ]


NEED_PROBABILITIES = {
    *("log_loss", "normalized_entropy", "rce", "brier", "ece", "accuracy"),
    *("f1_binary", "f1_binary_30", "f2_binary", "f05_binary_70"),
    *("precision_binary_70", "recall_binary"),
}


@pytest.mark.parametrize("metric", EVERY)
def test_numbers_that_are_no_probabilities_are_refused_by_line_where_a_metric_needs_them(
    tmp_path: Path, metric: str
) -> None:
    task = scores_task("auc", metric)
    truth = truth_of(tmp_path, "user,item,score\n1,1,1\n1,2,0\n2,1,0\n", task=task)
    assert pair_metric_of(metric).needs_probabilities == (metric in NEED_PROBABILITIES)
    sent = "user,item,score\n1,1,1\n1,2,-0.1\n2,1,1.5\n"
    if metric not in NEED_PROBABILITIES:
        assert score(tmp_path, sent, truth, task).splits["all"].values == {"": Fraction(1, 2)}
        return
    refused = refusal(lambda: score(tmp_path, sent, truth, task))
    assert found(refused) == [("bad-label", 3), ("bad-label", 4)]
    assert "not a probability" in refused.problems[0].detail


def test_scores_travel_as_json(tmp_path: Path) -> None:
    task: Task = scores_task("rce", "f1_binary_30")
    truth = truth_of(tmp_path, "user,item,score\n1,1,1\n1,2,0\n2,1,0\n", task=task)
    result = score(tmp_path, "user,item,score\n1,1,0\n1,2,1\n2,1,1\n", truth, task)
    document = json.loads(json.dumps(result.to_dict()))
    assert Task.from_dict(json.loads(json.dumps(task.to_dict()))) == task
    assert Fraction(document["splits"]["all"]["values"][""]) < -1000


GROUPED = "user,item,score,part,Usage\n" + "".join(
    f"{user},{item},{item % 2},{part},{side}\n"
    for user, side in enumerate(("Public", "Private", "Ignored"))
    for item, part in enumerate("aabb" if side != "Ignored" else "cccc")
)


def test_a_group_of_decoys_alone_is_no_part_of_the_mean(tmp_path: Path) -> None:
    task = scores_task("auc", "log_loss", group_column="part")
    truth = truth_of(tmp_path, GROUPED, task=task, split=USAGE)
    sent = "user,item,score\n" + "".join(f"{u},{i},{i % 2}\n" for u in range(3) for i in range(4))
    splits = score(tmp_path, sent, truth, task).splits
    assert {name: split.score(task) for name, split in splits.items()} == {
        "public": 1,
        "private": 1,
    }


def test_a_column_of_ids_is_no_column_of_groups(tmp_path: Path) -> None:
    rows = [f"{user},{item},{item},g{user}\n" for user in range(101) for item in (0, 1)]
    task = scores_task("auc", group_column="part")
    text_of_all = "user,item,score,part\n" + "".join(rows)
    refused = refusal(lambda: truth_of(tmp_path, text_of_all, task=task))
    assert found(refused) == [("bad-id", None)]
    assert "101 groups" in refused.problems[0].detail
    fewer = text_of_all.replace("g100", "g99")
    assert truth_of(tmp_path, fewer, task=task)[0].groups == tuple(range(100))


@pytest.mark.parametrize("metrics", [("gauc", "auc"), ("auc", "gauc")])
def test_notes_belong_to_the_metric_that_has_them(tmp_path: Path, metrics: tuple[str, str]) -> None:
    objectives = tuple(
        Objective(name, Decimal(1), m) for name, m in zip("ab", metrics, strict=True)
    )
    task = scores_task("auc", objectives=objectives)
    # The second user has one class of both targets.
    text_of_all = "user,item,a,b\n1,1,1,1\n1,2,0,0\n2,1,1,1\n2,2,1,1\n"
    truth = truth_of(tmp_path, text_of_all, task=task)
    notes = score(tmp_path, text_of_all, truth, task).splits["all"].notes
    assert notes == {"gauc": {"units_of_one_class": {"ab"[metrics.index("gauc")]: 1}}}


@pytest.mark.parametrize(
    ("metric", "shown"),
    # Base 1/2, and the truth is given 1/4: a loss of ln 4.
    [("rce", -100), ("log_loss", 2 * math.log(2)), ("normalized_entropy", 2), ("auc", 0)],
)
def test_only_errors_are_shown_without_their_sign(
    tmp_path: Path, metric: str, shown: float
) -> None:
    task = scores_task(metric)
    truth = truth_of(tmp_path, "user,item,score\n1,1,1\n2,1,0\n", task=task)
    whole = score(tmp_path, "user,item,score\n1,1,0.25\n2,1,0.75\n", truth, task).splits["all"]
    assert float(whole.shown(task)) == pytest.approx(shown)
