"""`podium score --items`: what a submission shows beyond accuracy, without a server."""

from __future__ import annotations

import pytest

from tests.builders.processes.commands import Person

METRICS = ("recall@2", "coverage@2", "novelty@2", "ild@2", "serendipity@2")
ARGUMENTS = ("score", "file.csv", "--truth", "truth.csv", *(f"--metric={each}" for each in METRICS))


@pytest.fixture(autouse=True)
def _files(person: Person) -> None:
    (person.home / "truth.csv").write_text("user,labels\n1,3\n2,4\n3,\n")
    (person.home / "file.csv").write_text("user,labels\n1,1 3\n2,2\n3,5 6\n")
    (person.home / "items.csv").write_text(
        "item,users,sweet,sour\n1,8,1,0\n2,2,0,1\n3,0,0,2\n4,2,,\n5,1,0,0\n"
    )


def test_all_of_them_stand_beside_the_score(person: Person) -> None:
    ran = person.types(*ARGUMENTS, "--items", "items.csv", "--training-users", "8", "--json")
    assert (ran.code, ran.err) == (0, "")
    # By hand: 3 of 5 items; (0 + 3) / 2 and 2 / 2 bits; 1 and 0; the hit 3 is not popular.
    assert ran.document["metrics"] == {
        "recall@2": 0.5,
        "coverage@2": 0.6,
        "novelty@2": 1.25,
        "ild@2": 0.5,
        "serendipity@2": 0.25,
    }
    assert ran.document["standard_errors"]["coverage@2"] is None
    assert ran.document["notes"] == {
        "ild@2": {"short_lists": {"": 1}, "pairs_without_features": {"": 0}}
    }


def test_items_that_no_catalogue_has_are_asked_about(person: Person) -> None:
    command = ("score", "file.csv", "--truth", "truth.csv", "--metric=recall@2")
    (person.home / "items.csv").write_text("item\n1\n2\n3\n4\n5\n")
    ran = person.types(*command, "--items", "items.csv")
    assert "5 different items, 80 % of the catalogue's 5; 1 item is not in the catalogue" in ran.out
    assert "1.7 items per list on average; 67 % of lists are full (2 items)" in ran.out
    assert ran.err == ""
    (person.home / "file.csv").write_text("user,labels\n1,81 83\n2,82\n3,85\n")
    ran = person.types(*command, "--items", "items.csv")
    assert "None of your items is in the catalogue: are these the right ids?" in ran.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "coverage@2 needs --items FILE."),
        (("--training-users", "8"), "--training-users goes with --items."),
        (("--items", "items.csv"), "no number of all training users"),
        (("--items", "items.csv", "--training-users", "7"), "items.csv:2: 8 users"),
    ],
)
def test_what_is_missing_is_said(person: Person, options: tuple[str, ...], message: str) -> None:
    ran = person.types(*ARGUMENTS, *options)
    assert ran.code != 0
    assert message in ran.err
    assert ran.out == ""


def test_a_catalogue_without_users_is_not_enough_for_novelty(person: Person) -> None:
    (person.home / "items.csv").write_text("item\n1\n")
    ran = person.types(*ARGUMENTS, "--items", "items.csv")
    assert "novelty@2 needs --items FILE with a column users, and --training-users N." in ran.err
