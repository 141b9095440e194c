"""The folder of `podium prepare` stands for the ground truth: nothing need be told again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders.processes.commands import Person

ROWS = [
    f"{user},{item},{item},{'order' if (user + item) % 3 == 0 else 'view'}"
    for user in range(1, 9)
    for item in range(user, user + 9)
]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    file = tmp_path / "events.csv"
    file.write_text("\n".join(["user,item,time,type", *ROWS, ""]))
    return file


def test_a_prepared_folder_is_scored_and_validated_against(
    person: Person, table: Path, tmp_path: Path
) -> None:
    person.types("prepare", table, "--to", "plain", "--seed", "1", "--type", "-")
    person.types("baseline", "popular", "--data", "plain", "--out", "popular.csv")
    told = person.types(
        "score", "popular.csv", "--truth", "plain", "--metric", "recall@5", "--json"
    ).document
    by_file = person.types(
        "score", "popular.csv", "--truth", "plain/labels.csv", "--metric", "recall@5", "--json"
    ).document
    assert told == by_file
    assert person.types("validate", "popular.csv", "--truth", "plain").code == 0


def test_types_of_a_prepared_folder_are_objectives_and_the_score_is_their_mean(
    person: Person, table: Path
) -> None:
    options = ("--type", "type", "--protocol", "leave-k-out", "--count", "3", "--seed", "1")
    person.types("prepare", table, "--to", "typed", *options)
    person.types("baseline", "popular", "--data", "typed", "--out", "popular.csv")
    assert person.types("validate", "popular.csv", "--truth", "typed").code == 0
    found = person.types(
        "score", "popular.csv", "--truth", "typed", "--metric", "hit_rate@20", "--json"
    ).document
    scores = [each["score"] for each in found["objectives"].values()]
    assert sorted(found["objectives"]) == ["order", "view"]
    assert found["score"] == pytest.approx(sum(scores) / 2)


def test_a_folder_that_nothing_describes_is_refused(person: Person, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "some.csv").write_text("user,labels\n1,2\n")
    ran = person.types(
        "score", tmp_path / "some.csv", "--truth", tmp_path / "empty", "--metric", "ndcg@10"
    )
    assert ran.code == 2
    assert "has no dataset.json: make the folder with `podium prepare`" in ran.err


def test_a_folder_of_otto_is_validated_as_that_and_scored_by_other_metrics(
    person: Person,
) -> None:
    """Its labels are JSON lines, which have no columns."""
    person.types("otto", "synth", "--sessions", "500", "--raw", "--to", "raw")
    person.types("otto", "prepare", "raw/raw_sessions.jsonl", "--to", "shop", "--seed", "1")
    person.types("baseline", "popular", "--data", "shop", "--out", "mine.csv")
    for truth in ("shop", "shop/test_labels.jsonl"):
        assert person.types("validate", "mine.csv", "--truth", truth).code == 0
    found = person.types(
        "score", "mine.csv", "--truth", "shop", "--metric", "ndcg@10", "--json"
    ).document
    scores = [each["score"] for each in found["objectives"].values()]
    assert sorted(found["objectives"]) == ["carts", "clicks", "orders"]
    assert found["score"] == pytest.approx(sum(scores) / 3)
    ran = person.types("score", "mine.csv", "--truth", "shop", "--metric", "auc")
    assert (ran.code, "the ground truth is lists of items" in ran.err) == (2, True)
