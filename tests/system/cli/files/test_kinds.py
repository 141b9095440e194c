"""`podium score`, `validate` and `compare` of reranked candidates and of label sets."""

from __future__ import annotations

import pytest

from tests.builders.processes.commands import Person

TRUTH = "impression,item,score\ni1,N5,1\ni1,N6,0\ni1,N7,1\ni2,N5,0\ni2,N8,1\n"
SCORES = "impression,item,score\ni1,N5,0.9\ni1,N6,0.5\ni1,N7,0.1\ni2,N5,2\ni2,N8,1\n"
ORDERS = "impression,items\ni2,N5 N8\ni1,N5 N6 N7\n"
BOTH = ("--task", "rerank", "--metric", "ndcg@10")

SETS = {
    "sets": "id,tags\n1,b a\n2,c\n3,\n",
    "one": "id,tags\n2,c\n1,a\n3,\n",
    "two": "id,tags\n1,a b\n2,\n3,c\n",
    "twice": "id,tags\n1,a b a\n2,\n3,\n",
}
OF_SETS = ("--truth", "sets.csv", "--task", "label-sets")


@pytest.fixture(autouse=True)
def _files(person: Person) -> None:
    for name, text in (("truth", TRUTH), ("scores", SCORES), ("orders", ORDERS), *SETS.items()):
        (person.home / f"{name}.csv").write_text(text)


@pytest.mark.parametrize("file", ["scores.csv", "orders.csv"])
def test_both_forms_are_scored_and_validated(person: Person, file: str) -> None:
    ran = person.types("score", file, "--truth", "truth.csv", "--metric", "mrr_all", "--json")
    # The ranks 1 and 3, and rank 2.
    assert (ran.code, round(ran.document["score"], 6)) == (0, round((2 / 3 + 1 / 2) / 2, 6))
    ran = person.types("score", file, "--truth", "truth.csv", *BOTH, "--json")
    assert round(ran.document["score"], 6) == 0.775325
    assert person.types("validate", file, "--truth", "truth.csv", *BOTH).code == 0
    ran = person.types("validate", file, "--sample", "scores.csv", "--task", "rerank")
    assert ran.code == 0, ran.err


def test_both_forms_are_the_same_in_a_comparison(person: Person) -> None:
    ran = person.types("compare", "scores.csv", "orders.csv", "--truth", "truth.csv", *BOTH)
    assert "no difference" in ran.out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--task", "rank", "--metric", "mrr"), "Did you mean rerank?"),
        (("--task", "rerank"), "--task goes with --metric"),
        (("--task", "rerank", "--metric", "recall@5"), "the task is rerank"),
        (("--metric", "mrr", "--average", "micro"), "mrr has none to choose"),
    ],
)
def test_options_that_do_not_fit_are_refused(
    person: Person, options: tuple[str, ...], words: str
) -> None:
    ran = person.types("score", "scores.csv", "--truth", "truth.csv", *options)
    assert ran.code != 0
    assert words in ran.err


def test_sets_are_scored(person: Person) -> None:
    ran = person.types("score", "one.csv", *OF_SETS, "--metric", "f1_micro", "--json")
    # Two right labels, one missed.
    assert (ran.code, round(ran.document["score"], 6)) == (0, 0.8), ran.err
    # No other kind of task has this metric.
    ran = person.types("score", "one.csv", *OF_SETS[:2], "--metric", "recall_samples", "--json")
    assert round(ran.document["score"], 6) == 0.5


def test_sets_are_validated(person: Person) -> None:
    assert person.types("validate", "one.csv", *OF_SETS, "--metric", "hamming_loss").code == 0
    ran = person.types("validate", "two.csv", "--sample", "one.csv", "--task", "label-sets")
    assert ran.code == 0, ran.err
    ran = person.types("validate", "twice.csv", *OF_SETS, "--metric", "f1_micro")
    assert "twice.csv:2: tags: the label “a” occurs twice." in ran.err


def test_sets_are_compared(person: Person) -> None:
    ran = person.types("compare", "one.csv", "two.csv", *OF_SETS, "--metric", "f1_samples")
    assert ran.code == 0, ran.err
    assert "no difference" in ran.out
