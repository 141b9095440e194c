"""Local figures of any competition: its own description, or a preset named after it, says what is
scored, and how."""

from __future__ import annotations

import json

import pytest

from tests.builders.presets.impressions import IMPRESSIONS
from tests.builders.presets.played import COMPETITIONS
from tests.builders.presets.scored_pairs import SCORED_PAIRS
from tests.builders.processes.commands import Person

PRESETS = {**COMPETITIONS, **SCORED_PAIRS, **IMPRESSIONS}

DESCRIBED = {
    "slug": "shop",
    "objectives": {"view": 0.25, "buy": 0.75},
    "metric": {"id": "recall_capped@20", "full_id": "recall_capped@20:micro"},
    "objective_metrics": {"buy": {"id": "ndcg@2", "full_id": "ndcg@2"}},
    "diagnostics": [],
    "id_column": "visit_what",
    "labels_column": "guesses",
    "missing_rows": "zero",
}
TRUTH = '{"session": 7, "labels": {"view": [3], "buy": [2, 5]}}\n{"session": 8, "labels": {}}\n'
FILE = "visit_what,guesses\n7_view,1 3\n7_buy,9 2\n"
"""By hand: views 1 of 1. NDCG@2 of 9, 2: 1/log2(3) of 1 + 1/log2(3), 0.386853. So the score is
0.25 + 0.75 · 0.386853 = 0.54014."""


@pytest.fixture(autouse=True)
def _files(person: Person) -> None:
    (person.home / "shop.json").write_text(json.dumps(DESCRIBED))
    (person.home / "truth.jsonl").write_text(TRUTH)
    (person.home / "file.csv").write_text(FILE)


def test_a_competition_that_is_described_in_a_file_is_scored_as_it_says(person: Person) -> None:
    options = ("--truth", "truth.jsonl", "--preset", "shop.json", "--json")
    ran = person.types("score", "file.csv", *options)
    assert ran.code == 0, ran.err
    assert round(ran.document["score"], 5) == 0.54014
    assert ran.document["objectives"]["view"]["score"] == 1.0
    assert ran.document["counts"]["missing"] == 2
    assert person.types("validate", "file.csv", *options).code == 0


def test_an_option_overrides_what_the_description_says(person: Person) -> None:
    options = ("--truth", "truth.jsonl", "--preset", "shop.json", "--missing-rows", "reject")
    ran = person.types("score", "file.csv", *options)
    assert ran.code == 3
    assert "8_view" in ran.err


def test_an_organizers_document_and_yaml_will_do(person: Person) -> None:
    whole = json.dumps({"slug": "shop", "settings": DESCRIBED})
    yaml = (
        "slug: shop\nobjectives: {view: 0.25, buy: {weight: 0.75, metric: ndcg@2}}\n"
        "metric: {name: recall_capped, k: 20, average: micro}\nid_column: visit_what\n"
        "labels_column: guesses\nmissing_rows: zero\n"
    )
    for name, text in (("whole.json", whole), ("shop.yaml", yaml)):
        (person.home / name).write_text(text)
        options = ("--truth", "truth.jsonl", "--preset", name, "--json")
        ran = person.types("score", "file.csv", *options)
        assert ran.code == 0, ran.err
        assert round(ran.document["score"], 5) == 0.54014


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{}", "has no objectives or metric"),
        ("[1]", "not a JSON or YAML document"),
        ("a: [", "not a JSON or YAML document"),
        ('{"objectives": {"view": -1}}', "objectives.view"),
        ('{"metric": "best@20"}', "unknown metric 'best'"),
    ],
)
def test_a_file_that_describes_nothing_is_refused(person: Person, text: str, message: str) -> None:
    (person.home / "odd.json").write_text(text)
    ran = person.types("score", "file.csv", "--truth", "truth.jsonl", "--preset", "odd.json")
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err


def test_neither_a_preset_nor_a_file_is_refused(person: Person) -> None:
    ran = person.types("score", "file.csv", "--truth", "truth.jsonl", "--preset", "nothing.json")
    assert ran.code == 2
    assert "a file that describes a competition" in ran.err


def test_the_way_from_a_clickstream_to_a_local_score_is_the_same_in_every_shop(
    person: Person,
) -> None:
    rows = [
        f"user {u},item {(u + 7 * i) % 20},{u * 60 + i},{'buy' if i % 3 == 2 else 'view'}"
        for u in range(300)
        for i in range(6)
    ]
    (person.home / "events.csv").write_text("\n".join(["user,item,ts,kind", *rows]))
    described = {"objectives": {"view": 0.3, "buy": 0.7}, "metric": "recall_capped@20:micro"}
    (person.home / "shop.json").write_text(json.dumps(described))
    columns = ("--columns", "user,item,ts,kind", "--time-unit", "s", "--ids", "text")
    days = ("--days", 1 / 12)
    for line in (
        ("otto", "prepare", "events.csv", "--to", "shop", *days, *columns),
        ("otto", "split", "shop/train_sessions.jsonl", "--to", "mine", *days,
         "--types", "view,buy"),
        ("baseline", "covisitation", "--train", "mine/train_sessions.jsonl", "--test",
         "mine/test_sessions.jsonl", "--out", "mine.csv", "--types", "view,buy"),
        ("validate", "mine.csv", "--sample", "mine/sample_submission.csv", "--preset", "shop.json"),
    ):  # fmt: skip
        ran = person.types(*line)
        assert ran.code == 0, ran.err
    options = ("--truth", "mine/test_labels.jsonl", "--preset", "shop.json", "--json")
    ran = person.types("score", "mine.csv", *options)
    assert ran.code == 0, ran.err
    assert set(ran.document["objectives"]) == {"view", "buy"}
    # Twenty items in all, and rows of twenty: every label is found.
    assert ran.document["score"] == 1.0


@pytest.mark.parametrize("preset", ["recsys-2020", "recsys-2021", "mind", "avazu", "instacart"])
def test_a_file_is_scored_and_validated_by_the_preset_s_name(person: Person, preset: str) -> None:
    (person.home / "truth.csv").write_text(PRESETS[preset].truth)
    (person.home / "better.csv").write_text(PRESETS[preset].better)
    (person.home / "worse.csv").write_text(PRESETS[preset].worse)
    by = ("--truth", "truth.csv", "--preset", preset)
    scores = [person.types("score", f"{file}.csv", *by, "--json") for file in ("better", "worse")]
    assert [ran.code for ran in scores] == [0, 0]
    better, worse = (ran.document["score"] for ran in scores)
    assert worse > better if preset == "avazu" else better > worse
    assert person.types("validate", "better.csv", *by).code == 0


def test_objectives_of_pairs_are_shown_without_counts(person: Person) -> None:
    (person.home / "truth.csv").write_text(PRESETS["recsys-2020"].truth)
    (person.home / "better.csv").write_text(PRESETS["recsys-2020"].better)
    by = ("--truth", "truth.csv", "--preset", "recsys-2020")
    shown = person.types("score", "better.csv", *by).out.splitlines()
    assert ["reply", "1.0"] in [line.split() for line in shown]
