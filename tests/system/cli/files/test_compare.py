"""`podium compare` and `podium segments`: tables, documents, exit codes."""

from __future__ import annotations

import pytest

from tests.builders.processes.commands import Person

SESSIONS = 2400


@pytest.fixture(autouse=True)
def _files(person: Person) -> None:
    def file_of(rows: list[str]) -> str:
        return "\n".join(["user,labels", *rows]) + "\n"

    sessions = range(SESSIONS)
    (person.home / "truth.csv").write_text(file_of([f"{n},{n + 1}" for n in sessions]))
    for name, found in (("better", 4), ("worse", 3), ("same", 3)):
        rows = [f"{n},{n + 1 if n % 8 < found else 99999}" for n in sessions]
        (person.home / f"{name}.csv").write_text(file_of(rows))
    (person.home / "bad.csv").write_text("user,labels\n1,x\n")


def test_a_comparison_is_one_document(person: Person) -> None:
    ran = person.types(
        "compare",
        "better.csv",
        "worse.csv",
        "--truth",
        "truth.csv",
        "--metric",
        "recall@5",
        "--json",
    )
    assert (ran.code, ran.err) == (0, "")
    document = ran.document
    assert document["files"] == ["better.csv", "worse.csv"]
    assert (document["sessions"], document["method"]) == (SESSIONS, "closed-form")
    assert [each["score"]["value"] for each in document["submissions"]] == [0.5, 0.375]
    score = document["pairs"][0]["score"]
    # One session of eight differs by 1: variance 1/8 · 7/8, over N - 1.
    assert score["value"] == 0.125
    assert score["standard_error"] == pytest.approx((7 / 64 / (SESSIONS - 1)) ** 0.5)
    assert score["better"] == "first"


def test_a_comparison_for_people_says_which_file_is_better(person: Person) -> None:
    files = ("better.csv", "worse.csv", "same.csv")
    ran = person.types("compare", *files, "--truth", "truth.csv", "--metric", "recall@5")
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[1].split()[:3] == ["better.csv", "score", "0.5"]
    pairs = {line.split("  ")[0]: line.split("  ")[-1] for line in lines if " - " in line}
    assert pairs["better.csv - worse.csv"] == "better.csv"
    assert pairs["worse.csv - same.csv"].strip() == "no difference"
    assert lines[-1] == "2,400 sessions; standard errors: closed-form"


def test_the_preset_compares_every_objective(person: Person) -> None:
    (person.home / "truth.jsonl").write_text(
        '{"session": 7, "labels": {"clicks": 3, "carts": [2], "orders": [3]}}\n'
        '{"session": 9, "labels": {"clicks": 4, "carts": [2], "orders": [3]}}\n'
    )
    rows = [f"{s}_{k},3" for s in (7, 9) for k in ("clicks", "carts", "orders")]
    (person.home / "otto.csv").write_text("\n".join(["session_type,labels", *rows]) + "\n")
    ran = person.types("compare", "otto.csv", "otto.csv", "--truth", "truth.jsonl", "--json")
    assert ran.code == 0, ran.err
    assert ran.document["method"] == "bootstrap"
    objectives = ran.document["submissions"][0]["objectives"]
    assert {name: each["value"] for name, each in objectives.items()} == {
        "clicks": 0.5,
        "carts": 0.0,
        "orders": 1.0,
    }


def test_a_bad_file_ends_with_3_and_names_its_line(person: Person) -> None:
    ran = person.types(
        "compare", "better.csv", "bad.csv", "--truth", "truth.csv", "--metric", "recall@5"
    )
    assert ran.code == 3
    assert "bad.csv:2:" in ran.err


def test_a_single_file_cannot_be_compared(person: Person) -> None:
    ran = person.types("compare", "better.csv", "--truth", "truth.csv", "--metric", "recall@5")
    assert ran.code == 2
    assert "2 to 20" in ran.err


def test_ids_that_are_text_are_compared_and_taken_apart_as_text(person: Person) -> None:
    (person.home / "texts.csv").write_text("user,labels\na,07\nb,7\n")
    (person.home / "zeros.csv").write_text("user,labels\na,7\nb,7\n")
    options = ("--truth", "texts.csv", "--metric", "recall@5")
    as_text = (*options, "--query-ids", "string", "--item-ids", "string", "--json")
    compared = person.types("compare", "texts.csv", "zeros.csv", *as_text).document
    assert [each["score"]["value"] for each in compared["submissions"]] == [1.0, 0.5]
    assert person.types("segments", "zeros.csv", *as_text).code == 0


def test_a_score_is_taken_apart(person: Person) -> None:
    rows = "".join(f"{n},{'even' if n % 2 == 0 else 'odd'}\n" for n in range(SESSIONS))
    (person.home / "sessions.csv").write_text("session,parity\n" + rows)
    command = ("segments", "better.csv", "--truth", "truth.csv", "--metric", "recall@5")
    ran = person.types(*command, "--sessions", "sessions.csv", "--json")
    assert (ran.code, ran.err) == (0, "")
    # Of eight sessions the first four are found, two of them even.
    assert {group["group"]: group["score"] for group in ran.document["segments"]["parity"]} == {
        "even": 0.5,
        "odd": 0.5,
    }
    lines = person.types(*command).out.splitlines()
    assert lines[:3] == [
        "By labels:",
        "group  sessions  score  found",
        "1      2400      0.5    0.5",
    ]


def test_a_bad_file_about_sessions_is_named(person: Person) -> None:
    (person.home / "sessions.csv").write_text("session,a\n99999,1\n")
    command = ("segments", "better.csv", "--truth", "truth.csv", "--metric", "recall@5")
    ran = person.types(*command, "--sessions", "sessions.csv")
    assert (ran.code, ran.err.startswith("sessions.csv:2: ")) == (3, True)
