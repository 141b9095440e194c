"""Columns and kinds of ids that nothing names: the files tell them."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from tests.builders.processes.commands import Person

LONG = "user,item\nu01,S07\nu01,S08\nu02,S09\n"
LISTS = "user,items\nu01,S07 S08\nu02,S09\n"
FILE = "user,items\nu01,S07 S01\nu02,S01 S09\n"
"""One of two labels is found, then one of one: recall@2 of (1/2 + 1) / 2."""

SCORE = 0.75
METRIC = ("--metric", "recall@2")


@pytest.fixture
def files(person: Person) -> Path:
    """The home with a file and its ground truth in several forms."""
    person.home.joinpath("long.csv").write_text(LONG)
    person.home.joinpath("lists.csv").write_text(LISTS)
    person.home.joinpath("file.csv").write_text(FILE)
    frame = pl.DataFrame({"user": ["u01", "u02"], "items": ["S07 S08", "S09"]})
    frame.write_parquet(person.home / "lists.parquet")
    return person.home


@pytest.mark.parametrize("truth", ["long.csv", "lists.csv", "lists.parquet"])
def test_text_ids_and_the_column_of_lists_are_found_in_the_files(
    person: Person, files: Path, truth: str
) -> None:
    ran = person.types("score", "file.csv", "--truth", truth, *METRIC, "--json")
    assert (ran.code, ran.document["score"]) == (0, SCORE)
    assert person.types("validate", "file.csv", "--truth", truth).code == 0


def test_a_column_that_is_named_as_in_the_truth_of_single_items_holds_lists(
    person: Person, files: Path
) -> None:
    (files / "same.csv").write_text(FILE.replace("items", "item"))
    ran = person.types("score", "same.csv", "--truth", "long.csv", *METRIC, "--json")
    assert ran.document["score"] == SCORE


def test_columns_that_a_competition_made_from_the_truth_would_refuse_are_told(
    person: Person, files: Path
) -> None:
    told = (
        "Columns were taken as user,items; a competition made from long.csv asks for user,labels.\n"
    )
    (files / "asked.csv").write_text(FILE.replace("items", "labels"))
    (files / "one.csv").write_text("user,item\nu01,S07\nu02,S09\n")
    (files / "run.txt").write_text("u01 Q0 S07 1 2.5 tag\nu02 Q0 S09 1 2.5 tag\n")
    for command, name, truth, note in (
        ("score", "file.csv", "long.csv", told),
        ("validate", "file.csv", "long.csv", told),
        ("compare", "file.csv", "long.csv", told),
        ("score", "asked.csv", "long.csv", ""),
        ("score", "run.txt", "one.csv", ""),
        ("score", "file.csv", "lists.csv", ""),
    ):
        twice = (name,) if command == "compare" else ()
        ran = person.types(command, name, *twice, "--truth", truth, *METRIC)
        assert (ran.code, ran.err) == (0, note), (command, name, truth)
    named = ("--columns", "user,items")
    assert person.types("score", "file.csv", "--truth", "long.csv", *METRIC, *named).err == ""


def test_another_column_of_ids_is_refused_until_it_is_named(person: Person, files: Path) -> None:
    (files / "other.csv").write_text(FILE.replace("user", "uid"))
    (files / "bought.csv").write_text(LISTS.replace("items", "bought"))
    for truth in ("long.csv", "lists.csv", "bought.csv"):
        command = ("score", "other.csv", "--truth", truth, *METRIC)
        refused = person.types(*command)
        assert (refused.code, "--columns names the columns" in refused.err) == (3, True)
        ran = person.types(*command, "--columns", "uid,items", "--json")
        assert ran.document["score"] == SCORE
    wrong = person.types(*command, "--columns", "uid")
    assert (wrong.code, "for example user,items" in wrong.err) == (2, True)


def test_a_sample_without_items_leaves_their_kind_to_the_file(person: Person, files: Path) -> None:
    (files / "sample.csv").write_text("user,items\nu01,\nu02,\n")
    assert person.types("validate", "file.csv", "--sample", "sample.csv").code == 0
    blended = person.types("blend", "file.csv", "file.csv", "--out", "both.csv")
    assert blended.code == 0, blended.err
    assert (files / "both.csv").read_text().startswith("user,items\nu01,S07 S01\n")


def test_where_numbers_were_asked_for_the_options_for_texts_are_named(
    person: Person, files: Path
) -> None:
    truth = person.types("score", "file.csv", "--truth", "long.csv", "--preset", "ndcg@10")
    assert "Ids are read as whole numbers: --query-ids string takes texts." in truth.err
    (files / "numbers.csv").write_text("user,items\n1,7 8\n2,9\n")
    (files / "texts.csv").write_text("user,items\n1,S7 8\n2,9\n")
    file = person.types("score", "texts.csv", "--truth", "numbers.csv", *METRIC)
    assert (file.code, "--item-ids string takes texts." in file.err) == (3, True)


def test_a_sample_says_itself_which_columns_and_ids_there_are(person: Person) -> None:
    (person.home / "sample.csv").write_text("user,items\n1,7 8\n2,9\n")
    (person.home / "texts.csv").write_text("user,items\na,S7 8\nb,9\n")
    (person.home / "others.csv").write_text("session,labels\n1,7\n2,9\n")
    for name in ("texts.csv", "others.csv"):
        ran = person.types("validate", name, "--sample", "sample.csv")
        assert ran.code == 3
        assert not [line for line in ran.err.splitlines() if not line.startswith(name)]


def test_ids_that_end_as_those_of_several_objectives_do_are_one_text(person: Person) -> None:
    rows = "".join(f"{n}_{end},7\n" for end in ("a", "b") for n in range(4))
    (person.home / "ids.csv").write_text(f"user,labels\n{rows}")
    ran = person.types("score", "ids.csv", "--truth", "ids.csv", *METRIC, "--json")
    assert ran.document["score"] == 1


def test_targets_that_no_task_has_end_in_a_sentence(person: Person) -> None:
    names = {
        "at most 16 objectives": [f"t{number}" for number in range(17)],
    }
    for reason, targets in names.items():
        rows = ["1,1" + ",1" * len(targets), "2,1" + ",0" * len(targets)]
        text = "\n".join([",".join(["user", "item", *targets]), *rows, ""])
        person.home.joinpath("pairs.csv").write_text(text)
        ran = person.types("score", "pairs.csv", "--truth", "pairs.csv", "--metric", "auc")
        assert (ran.code, reason in ran.err, "Traceback" in ran.err) == (2, True, False)


def test_a_score_below_that_of_the_base_rate_keeps_its_sign(person: Person) -> None:
    person.home.joinpath("pairs.csv").write_text("user,item,score\n1,1,1\n2,1,0\n")
    person.home.joinpath("sent.csv").write_text("user,item,score\n1,1,0.25\n2,1,0.75\n")
    ran = person.types("score", "sent.csv", "--truth", "pairs.csv", "--metric", "rce", "--json")
    # Base 1/2, and the truth is given 1/4: 100 · (1 − ln 4 / ln 2).
    assert (ran.document["score"], ran.document["metrics"]["rce"]) == (-100, -100)


@pytest.mark.parametrize(
    ("sample", "file"),
    [
        ("user,item,view,like,reply\n1,7,a,0.5,0.5\n1,7,b,0.5,0.5\n", "0.1,0.9"),
        ("user,item,view,click\n1,7,a,0.5\n1,7,b,0.5\n", "0.1"),
        ("user,like,reply\nu1,0.5,0.5\nu2,0.5,0.5\n", "0.1,0.9"),
        ("user,churn\nu1,0.5\nu2,0.5\n", "0.1"),
    ],
)
def test_a_sample_of_scored_pairs_tells_its_contexts_and_targets(
    person: Person, sample: str, file: str
) -> None:
    numbers = ",".join("0.5" for _ in file.split(","))
    (person.home / "sample.csv").write_text(sample)
    (person.home / "file.csv").write_text(sample.replace(numbers, file))
    (person.home / "worse.csv").write_text(sample.replace(numbers, file.replace("0.1", "x"), 1))
    ran = person.types("validate", "file.csv", "--sample", "sample.csv")
    # Whether they must be probabilities, no sample tells.
    assert (ran.code, ran.err[:35]) == (0, "Not checked: the range of numbers. ")
    ran = person.types("validate", "worse.csv", "--sample", "sample.csv")
    assert (ran.code, ran.err.partition("\n")[0]) == (
        3,
        "worse.csv:2: “x” is not a number. Write a decimal number, as in 3.5, -2 or 1e-3.",
    )


@pytest.mark.parametrize("answer", ["query,item,score\n1,7,3\n1,8,1\n", "query,items\n1,8 7\n"])
def test_a_sample_of_candidates_lets_both_forms_in(person: Person, answer: str) -> None:
    (person.home / "sample.csv").write_text("query,item,score\n1,7,0\n1,8,0\n")
    (person.home / "file.csv").write_text(answer)
    ran = person.types("validate", "file.csv", "--sample", "sample.csv")
    assert (ran.code, ran.err) == (0, "")


def test_a_truth_of_candidates_means_their_task_where_a_metric_suits_lists_as_well(
    person: Person,
) -> None:
    (person.home / "truth.csv").write_text("impression,item,click\n1,7,0\n1,8,1\n")
    (person.home / "file.csv").write_text("impression,items\n1,8 7\n")
    ran = person.types("score", "file.csv", "--truth", "truth.csv", "--metric", "ndcg@5", "--json")
    assert (ran.code, ran.document["score"]) == (0, 1.0)
