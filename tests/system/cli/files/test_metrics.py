"""`podium metrics`, and `podium score` by other metrics and presets than OTTO's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from podium.scoring.metrics import REGISTRY
from tests.builders.processes.commands import Person
from tests.builders.processes.serving import ADMIN_TOKEN, Installation, serving

# One server for the tests of this file that need one.
pytestmark = pytest.mark.xdist_group("metrics on the command line")

TRUTH = "user,item,relevance\n1,1,1\n1,2,3\n2,7,1\n"
FILE = "user,labels\n1,1 2\n2,8 7\n"


@pytest.fixture(autouse=True)
def _files(person: Person) -> None:
    for name, text in (
        ("truth.csv", TRUTH),
        ("file.csv", FILE),
        ("hm.csv", "customer_id,prediction\nab,0706016001 0706016002\nc_d,7\n"),
        ("hm-file.csv", "customer_id,prediction\nab,706016001 0706016002\nc_d,7\n"),
        ("ratings.csv", "user,item,rating\n1,1,3\n1,2,5\n"),
        ("ratings-file.csv", "user,item,rating\n1,2,4\n1,1,3\n"),
    ):
        (person.home / name).write_text(text)


def scored(person: Person, file: str, truth: str, *options: str) -> Any:
    ran = person.types("score", file, "--truth", truth, "--json", *options)
    assert ran.code == 0, ran.err
    return ran.document


def test_every_metric_is_listed_with_its_formula(person: Person) -> None:
    listed = person.types("metrics", "--json").document
    assert {entry["name"] for entry in listed} == {
        name for known in REGISTRY.values() for name in known
    }
    table = person.types("metrics").out
    assert "recall_capped@K recall_capped@K:micro" in table
    assert "hits among the first K items / min(K, relevant items)" in table


@pytest.mark.parametrize(
    ("metric", "hits", "denominator"),
    [
        ("recall@1:micro", 1, 3),
        ("precision@3:micro", 3, 6),
        ("hit_rate@2:micro", 2, 2),
        ("recall_capped@1:micro", 1, 2),
    ],
)
def test_a_micro_average_is_the_ratio_of_the_integers_beside_it(
    person: Person, metric: str, hits: int, denominator: int
) -> None:
    document = scored(person, "file.csv", "truth.csv", "--metric", metric)
    assert document["objectives"][""] == {
        "score": document["score"],
        "hits": hits,
        "denominator": denominator,
        "queries": 2,
        "unlabelled": 0,
    }
    assert document["score"] == hits / denominator


def test_qrels_and_a_run_are_scored_as_they_are(person: Person) -> None:
    (person.home / "qrels").write_text("MB1 0 d1 2\nMB1 0 d2 0\n007 0 d1 1\n")
    (person.home / "run").write_text(
        "MB1 Q0 d2 1 9.5 mine\nMB1 Q0 d1 2 9.5 mine\n007 Q0 d9 1 3 mine\n007 Q0 d1 2 1 mine\n"
    )
    # d2 is before d1 at the same score: both relevant documents stand at rank 2.
    assert scored(person, "run", "qrels", "--metric", "mrr@10")["score"] == 0.5
    (person.home / "lists.csv").write_text("topic,labels\n007,d1\nMB1,d1\n")
    assert scored(person, "lists.csv", "qrels", "--metric", "ndcg@10")["score"] == 1.0
    assert person.types("validate", "run", "--truth", "qrels").code == 0
    ran = person.types("score", "run", "--truth", "qrels")
    assert ran.code == 2
    assert "add --metric" in ran.err


def test_one_metric_is_told_whole(person: Person) -> None:
    told = person.types("metrics", "mrr").out
    assert "mrr@K: Mean reciprocal rank (MRR@K)" in told
    parts = (
        "Example: mrr@5",
        "Unusual cases",
        "Range",
        "Standard error",
        "Used by",
        "Not the same",
    )
    assert [part for part in parts if f"\n{part}\n" not in told] == []
    assert "  The mean: (1/2 + 1/4) / 2 = 0.375\n" in told
    assert "Needs an item file with\n  users\n" in person.types("metrics", "novelty").out
    assert all(len(line) <= 100 for line in told.splitlines())
    described = person.types("metrics", "mrr@5", "--json").document
    assert described[0]["about"]["example"]["value"] == 0.375
    assert "rbp" in person.types("metrics", "rbp_95@20").out
    assert "Krichene & Rendle 2020" in person.types("metrics", "sampled_mrr@10").err
    ran = person.types("metrics", "wizardry")
    assert (ran.code, ran.out) == (2, "")
    assert person.types("metrics", "ndcg@10").out == person.types("metrics", "ndcg").out
    assert "There is no metric ndgc. Did you mean ndcg?" in person.types("metrics", "ndgc").err


def test_several_metrics_stand_side_by_side_with_their_standard_errors(person: Person) -> None:
    found = scored(
        *(person, "file.csv", "truth.csv"),
        *("--metric", "mrr@5", "--metric", "recall@1:micro", "--metric", "recall@1"),
    )
    # Of two users: 1 and 1/2; hits in the first place: 1 of 2 and 0 of 1.
    assert found["metrics"] == {"mrr@5": 0.75, "recall@1:micro": 1 / 3, "recall@1": 0.25}
    assert found["score"] == 0.75
    assert found["standard_errors"] == {
        "mrr@5": 0.25,
        # z = ±(1/3) · 1/3 twice: √(2 · 2 · 1/81).
        "recall@1:micro": pytest.approx(2 / 9),
        "recall@1": 0.25,
    }
    assert found["standard_error"] == 0.25
    table = person.types("score", "file.csv", "--truth", "truth.csv", "--metric", "mrr@5").out
    assert "mrr@5    0.75  (standard error 0.25)" in table


def test_metrics_of_whole_lists_stand_beside_those_at_k(person: Person) -> None:
    metrics = ("mean_f1", "f1@2", "rbp_50@2", "map", "precision_answered@9", "f1@2:micro")
    options = [part for metric in metrics for part in ("--metric", metric)]
    found = scored(person, "file.csv", "truth.csv", *options)
    # User 1 has both of two labels in two places, user 2 one label at rank 2.
    assert found["metrics"] == {
        "mean_f1": pytest.approx((1 + 2 / 3) / 2),
        "f1@2": pytest.approx((1 + 2 / 3) / 2),
        "rbp_50@2": (0.75 + 0.25) / 2,
        "map": 0.75,
        "precision_answered@9": 0.75,
        "f1@2:micro": pytest.approx(6 / 7),
    }
    compared = person.types(
        *("compare", "file.csv", "file.csv", "--truth", "truth.csv", "--json"), *options
    )
    assert compared.document["submissions"][0]["metrics"]["map"]["value"] == 0.75


def test_the_average_holds_for_every_metric_that_does_not_say(person: Person) -> None:
    options = ("--metric", "recall@1", "--average", "micro")
    assert scored(person, "file.csv", "truth.csv", *options)["score"] == 1 / 3
    ran = person.types("score", "file.csv", "--truth", "truth.csv", *options, "--metric", "mrr@5")
    assert ran.code == 2
    assert "mrr has no micro average" in ran.err
    assert "podium metrics" in ran.err


def test_a_preset_brings_columns_ids_metric_and_diagnostics(person: Person) -> None:
    found = scored(person, "hm-file.csv", "hm.csv", "--preset", "h-and-m")
    # Text keeps its zero: a hit at rank 2 of two labels, (1/2) / 2, and 1.
    assert found["metrics"] == {"map_capped@12": 0.625}
    found = scored(person, "ratings-file.csv", "ratings.csv", "--preset", "rmse")
    assert found["metrics"] == {"rmse": pytest.approx(0.5**0.5), "mae": 0.5}


def test_ids_are_text_where_the_file_or_an_option_says_so(person: Person) -> None:
    options = ("--metric", "map_capped@12")
    assert scored(person, "hm-file.csv", "hm.csv", *options)["score"] == 0.625
    text = ("--query-ids", "string", "--item-ids")
    assert scored(person, "hm-file.csv", "hm.csv", *options, *text, "string")["score"] == 0.625
    numbers = scored(person, "hm-file.csv", "hm.csv", *options, *text, "integer")
    assert numbers["score"] == 1.0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--metric", "rmse", "--metric", "mrr@5"], "task ranking, and the task is rating"),
        (
            ["--metric", "mrr@5", "--metric", "mae"],
            "task rating and table, and the task is ranking",
        ),
        (["--metric", "coverage@5"], "only be a diagnostic"),
        (["--metric", "rmse", "--average", "micro"], "none to choose"),
        (["--item-ids", "text"], "choose integer or string"),
        (["--preset", "kaggle"], "choose otto or otto-clicks or map@12"),
        (["--preset", "oto"], "Did you mean otto?"),
        (["--metric", "ndgc@10"], "unknown metric 'ndgc'. Did you mean ndcg@10?"),
        (["--metric", "ngcd@10"], "Did you mean ndcg@10?"),
        (["--metric", "hit@5"], "Did you mean hit_rate@5?"),
        (["--metric", "sampled_hit_rate@10"], "rank all items, as hit_rate@K and mrr@K do"),
        (["--metric", "mrr@10", "--sampled-negatives", "99"], "use the task rerank"),
        (["--metric", "recall"], "the metric recall needs a K: recall@20"),
        (["--preset", "otto", "--metric", "ndcg@10"], "For another one leave --preset out"),
        (["--preset", "rmse", "--missing-rows", "zero"], "rejects missing rows"),
    ],
)
def test_options_that_do_not_fit_say_what_would(
    person: Person, options: list[str], message: str
) -> None:
    ran = person.types("score", "file.csv", "--truth", "truth.csv", *options)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err


def test_a_sample_of_ratings_needs_no_option_to_validate(person: Person) -> None:
    for known in ("--truth", "--sample"):
        ran = person.types("validate", "ratings-file.csv", known, "ratings.csv", "--json")
        assert ran.code == 0, ran.err
        assert ran.document["counts"]["rows"] == 2


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    with serving(tmp_path_factory.mktemp("server")) as installation:
        yield installation


def test_a_competition_is_made_filled_and_opened_by_one_command(
    person: Person, server: Installation
) -> None:
    assert person.types("login", server.url, stdin=ADMIN_TOKEN).code == 0
    (person.home / "split.csv").write_text("user,labels,Usage\n1,1 2,Public\n2,3,Private\n")
    ran = person.types(
        *("create", "films", "--title", "Films", "--preset", "ndcg@10"),
        *("--metric", "ndcg@5", "--diagnostic", "mrr@5", "--diagnostic", "recall@5:micro"),
        *("--settings", '{"split": "usage", "decimals": 3}', "--truth", "split.csv", "--launch"),
    )
    assert ran.code == 0, ran.err
    assert [line.split() for line in ran.out.splitlines()] == [
        ["slug", "films"],
        ["title", "Films"],
        ["phase", "open"],
        ["items", "1.0", "·", "ndcg@5"],
        ["diagnostics", "mrr@5", "recall@5:micro"],
    ]
    assert "standard error" in ran.err
    shown = person.types("competitions", "list", "--json").document
    assert [each["slug"] for each in shown] == ["films"]


def test_a_competition_that_makes_no_sense_is_not_made(
    person: Person, server: Installation
) -> None:
    assert person.types("login", server.url, stdin=ADMIN_TOKEN).code == 0
    for options, message in (
        (["--metric", "wizardry@5"], "unknown metric 'wizardry'"),
        (["--launch"], "add --truth"),
        (["--settings", "[]"], "JSON object"),
        (["--preset", "kaggle"], "preset"),
        (["--preset", "rmes"], "Did you mean rmse?"),
        (["--settings", '{"dayly_limit": 3}'], "Did you mean daily_limit?"),
        (["--settings", '{"split": {"public_fracton": 0.3}}'], "Did you mean public_fraction?"),
    ):
        ran = person.types("create", "nothing", *options)
        assert (ran.code, ran.out) == (2, ""), ran.err
        assert message in ran.err
