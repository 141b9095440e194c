"""`podium score` and `podium validate`: documents, exit codes, messages, the cache."""

from __future__ import annotations

import gzip
import json
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.builders.processes.commands import Person
from tests.places import ROOT

TRUTH = """\
{"session": 7, "labels": {"clicks": 3, "carts": [2, 3], "orders": [3, 4, 5, 6]}}
{"session": 9, "labels": {"clicks": 0}}
"""
GOOD = """\
session_type,labels
7_clicks,1 2 3
7_carts,9
7_orders,6 6 1
9_clicks,1
9_carts,
9_orders,
"""
"""By hand: clicks 1 of 2, carts 0 of 2, orders 1 of 4; 0.1 · 0.5 + 0.3 · 0 + 0.6 · 0.25 = 0.2."""

COUNTED = {"denominator": 2, "queries": 1, "unlabelled": 1}

BAD = """\
session_type,labels
7_clicks,1 2 x
7_carts,9
7_orders,6 6 1
7_orders,6
9_clicks,1
9_carts,
"""


@pytest.fixture(autouse=True)
def _files(person: Person) -> None:
    (person.home / "truth.jsonl").write_text(TRUTH)
    (person.home / "good.csv").write_text(GOOD)
    (person.home / "bad.csv").write_text(BAD)


def test_a_score_is_one_document_with_exact_integers(person: Person) -> None:
    ran = person.types("score", "good.csv", "--truth", "truth.jsonl", "--json")
    assert (ran.code, ran.err) == (0, "")
    assert ran.document == {
        "status": "scored",
        "score": 0.2,
        "standard_error": 0.05,
        "objectives": {
            "clicks": COUNTED | {"score": 0.5, "hits": 1, "queries": 2, "unlabelled": 0},
            "carts": COUNTED | {"score": 0.0, "hits": 0},
            "orders": COUNTED | {"score": 0.25, "hits": 1, "denominator": 4},
        },
        "metrics": {"recall_capped@20": 0.2},
        "standard_errors": {"recall_capped@20": 0.05},
        "counts": {"rows": 6, "missing": 0, "empty": 2},
        "lists": {
            "objectives": {
                "clicks": {"k": 20, "lists": 2, "empty": 0, "full": 0, "items": 4},
                "carts": {"k": 20, "lists": 2, "empty": 1, "full": 0, "items": 1},
                "orders": {"k": 20, "lists": 2, "empty": 1, "full": 0, "items": 3},
            },
            "counted_share": 1,
            "distinct": 5,
            "catalogue": None,
        },
    }


def test_a_bad_file_ends_with_3_and_names_every_line(person: Person) -> None:
    ran = person.types("score", "bad.csv", "--truth", "truth.jsonl", "--json")
    assert ran.code == 3
    problem = ran.document["problem"]
    assert ran.document["status"] == "rejected"
    found = [(error["line"], error["code"]) for error in problem["errors"]]
    assert found == [(2, "bad-label"), (5, "duplicate-id"), (None, "missing-ids")]
    assert problem["error_count"] == 3
    lines = ran.err.splitlines()
    assert lines[0].startswith("bad.csv:2: ")
    assert lines[1].startswith("bad.csv:5: ")
    assert lines[2].startswith("bad.csv: ")


def test_a_score_for_people_goes_to_standard_output_alone(person: Person) -> None:
    ran = person.types("score", "good.csv", "--truth", "truth.jsonl")
    assert (ran.code, ran.err) == (0, "")
    assert [line.split() for line in ran.out.splitlines()][:2] == [
        ["score", "0.2"],
        ["clicks", "0.5", "(1", "of", "2)"],
    ]


def test_a_missing_row_may_count_as_zero(person: Person) -> None:
    (person.home / "short.csv").write_text("session_type,labels\n7_clicks,3\n")
    arguments = ("score", "short.csv", "--truth", "truth.jsonl", "--json")
    assert person.types(*arguments).code == 3
    ran = person.types(*arguments, "--missing-rows", "zero")
    assert ran.code == 0
    assert ran.document["score"] == 0.05
    assert ran.document["counts"] == {"rows": 1, "missing": 5, "empty": 0}


def test_a_second_run_takes_the_truth_from_a_private_cache(person: Person) -> None:
    arguments = ("score", "good.csv", "--truth", "truth.jsonl", "--json")
    first = person.types(*arguments)
    folder = person.home / "cache" / "podium" / "ground-truth"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    (kept,) = folder.iterdir()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in kept.iterdir()} == {0o600}
    changed = (kept / "truth.parquet").stat().st_mtime_ns
    assert person.types(*arguments).out == first.out
    assert (kept / "truth.parquet").stat().st_mtime_ns == changed
    assert [path.name for path in folder.iterdir()] == [kept.name]


def test_a_changed_truth_is_read_anew(person: Person) -> None:
    arguments = ("score", "good.csv", "--truth", "truth.jsonl", "--json")
    person.types(*arguments)
    (person.home / "truth.jsonl").write_text(TRUTH.replace('"clicks": 0', '"clicks": 1'))
    assert person.types(*arguments).document["objectives"]["clicks"]["hits"] == 2


@pytest.mark.parametrize("name", ["truth.parquet", "published.parquet", "warnings.json", "seal"])
def test_a_damaged_cache_is_made_anew(person: Person, name: str) -> None:
    arguments = ("score", "good.csv", "--truth", "truth.jsonl", "--json")
    first = person.types(*arguments)
    (kept,) = (person.home / "cache" / "podium" / "ground-truth").iterdir()
    whole = (kept / name).read_bytes()
    (kept / name).write_bytes(whole[:40] + b"damaged" + whole[47:60])
    assert person.types(*arguments).out == first.out
    assert (kept / name).read_bytes() == whole
    (kept / name).unlink()
    assert person.types(*arguments).out == first.out
    assert (kept / name).read_bytes() == whole


def test_without_a_cache_it_only_takes_longer(person: Person) -> None:
    (person.home / "cache").write_text("a file where the folder should be")
    ran = person.types("score", "good.csv", "--truth", "truth.jsonl", "--json")
    assert (ran.code, ran.err) == (0, "")
    assert ran.document["score"] == 0.2


def test_a_cache_of_0_mib_is_none(person: Person) -> None:
    arguments = ("score", "good.csv", "--truth", "truth.jsonl", "--json")
    assert person.types(*arguments, PODIUM_TRUTH_CACHE_MIB="0").document["score"] == 0.2
    assert not (person.home / "cache").exists()
    ran = person.types(*arguments, PODIUM_TRUTH_CACHE_MIB="much")
    assert (ran.code, ran.document["code"]) == (2, "not-configured")
    assert "PODIUM_TRUTH_CACHE_MIB is 'much': give a number of MiB" in ran.err


def test_runs_at_the_same_time_keep_one_truth(person: Person) -> None:
    arguments = ("score", "good.csv", "--truth", "truth.jsonl", "--json", "--no-history")
    with ThreadPoolExecutor(3) as people:
        runs = list(people.map(lambda _: person.types(*arguments), range(3)))
    assert {(ran.code, ran.err) for ran in runs} == {(0, "")}
    assert {ran.document["score"] for ran in runs} == {0.2}
    (kept,) = (person.home / "cache" / "podium" / "ground-truth").iterdir()
    assert (kept / "seal").exists()


def test_a_truth_that_is_wrong_is_a_wrong_use(person: Person) -> None:
    (person.home / "truth.jsonl").write_text('{"session": 7, "labels": {"clicks": "x"}}\n')
    ran = person.types("score", "good.csv", "--truth", "truth.jsonl", "--json")
    assert (ran.code, ran.document["errors"][0]["line"]) == (2, 1)
    assert ran.err.splitlines()[0] == "truth.jsonl is itself not right:"
    assert ran.err.splitlines()[1].startswith("truth.jsonl:1: ")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--metric", "wizardry@20"], "unknown metric"),
        (["--metric", "recall_capped"], "needs a K"),
        (["--metric", "recall_capped@0"], "name@K"),
        (["--metric", "NDCG@10"], "unknown metric 'NDCG'. Did you mean ndcg@10?"),
        (["--metric", "ndcg@10, map@12"], "for several: --metric ndcg@10 --metric map@12."),
        (["--metric", "ndcg@10,"], "'ndcg@10,' is not a name@K"),
        (["--metric", ","], "`podium metrics` lists what there is, for example recall@20:micro."),
        (["--metric", "ndcg@10", "good.csv"], "It takes one file at a time; `podium compare`"),
        (["--truth", "-"], "Standard input is not read: save it to a file, and name that."),
        (["--metric", "recall_capped@20", "--preset", "otto"], "either --preset or --metric"),
        (["--preset", "netflix"], "choose otto"),
        (["--missing-rows", "maybe"], "choose reject or zero"),
        (["--average", "micro"], "--average goes with --metric"),
    ],
)
def test_options_that_make_no_sense_end_with_2(
    person: Person, options: list[str], message: str
) -> None:
    ran = person.types("score", "good.csv", "--truth", "truth.jsonl", *options)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err


@pytest.mark.parametrize(
    ("average", "score"),
    [
        # By hand: user 1 has 2 relevant items, 1 hit; user 2 has 1, 0 hits.
        ("macro", 0.25),
        ("micro", 1 / 3),
    ],
)
def test_one_objective_takes_its_id_column_from_the_header(
    person: Person, average: str, score: float
) -> None:
    (person.home / "truth.csv").write_text("user,labels\n1,5 6\n2,7\n")
    (person.home / "mine.csv").write_text("user,labels\n1,6 6 9\n2,8\n")
    ran = person.types(
        *("score", "mine.csv", "--truth", "truth.csv", "--json"),
        *("--metric", "recall_capped@20", "--average", average),
    )
    assert ran.code == 0, ran.err
    assert ran.document["score"] == score
    assert ran.document["metrics"] == {"recall_capped@20": score}


def test_one_objective_may_be_judged_by_a_long_form(person: Person) -> None:
    (person.home / "truth.csv").write_text("user,item,relevance\n1,5,1\n1,6,2\n2,7,1\n")
    (person.home / "mine.csv").write_text("user,labels\n1,6 6 9\n2,8\n")
    ran = person.types(
        *("score", "mine.csv", "--truth", "truth.csv", "--json"),
        *("--metric", "recall_capped@1", "--metric", "recall_capped@20"),
    )
    assert ran.code == 0, ran.err
    assert ran.document["metrics"] == {"recall_capped@1": 0.5, "recall_capped@20": 0.25}


def test_a_file_is_valid_or_gets_the_same_rejection_as_when_scored(person: Person) -> None:
    (person.home / "sample.csv").write_text(GOOD.replace("1 2 3", ""))
    for known in (("--truth", "truth.jsonl"), ("--sample", "sample.csv")):
        valid = person.types("validate", "good.csv", *known, "--json")
        assert valid.code == 0, valid.err
        assert valid.document == {
            "status": "valid",
            "counts": {"rows": 6, "missing": 0, "empty": 2},
        }
        refused = person.types("validate", "bad.csv", *known, "--json")
        scored = person.types("score", "bad.csv", "--truth", "truth.jsonl", "--json")
        assert (refused.code, refused.out) == (3, scored.out)


def test_validating_needs_exactly_one_list_of_ids(person: Person) -> None:
    ran = person.types("validate", "good.csv")
    assert ran.code == 2
    assert "--sample or --truth" in ran.err


def test_a_sample_of_one_objective_needs_no_option(person: Person) -> None:
    (person.home / "sample.csv").write_text("user,labels\n1,\n2,\n")
    (person.home / "mine.csv").write_text("user,labels\n2,5\n1,6\n")
    assert person.types("validate", "mine.csv", "--sample", "sample.csv").code == 0


def test_a_truth_of_one_objective_needs_no_option_to_validate(person: Person) -> None:
    (person.home / "truth.csv").write_text("user,labels\n1,5 6\n2,7\n")
    (person.home / "mine.csv").write_text("user,labels\n2,5\n1,6\n")
    ran = person.types("validate", "mine.csv", "--truth", "truth.csv", "--json")
    assert ran.code == 0, ran.err
    assert ran.document == {"status": "valid", "counts": {"rows": 2, "missing": 0, "empty": 0}}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["score", "--truth", "truth.jsonl", "--metric", "recall_capped@20"], "use --preset"),
        (["score", "--truth", "cut.jsonl", "--metric", "recall_capped@20"], "use --preset"),
        (["validate", "--sample", "cut.jsonl"], "is itself not right"),
        (["validate", "--sample", "good.csv", "--metric", "wizardry@20"], "unknown metric"),
    ],
)
def test_what_cannot_be_a_list_of_ids_here_ends_with_2(
    person: Person, arguments: list[str], message: str
) -> None:
    (person.home / "cut.jsonl").write_text(TRUTH[:40])
    ran = person.types(arguments[0], "good.csv", *arguments[1:], "--json")
    assert (ran.code, ran.document["exit_code"]) == (2, 2)
    assert message in ran.document["detail"]
    assert message in ran.err


def test_what_is_odd_about_a_truth_is_said_every_time_beside_the_result(person: Person) -> None:
    (person.home / "truth.csv").write_text(
        "session,type,aid\n7,clicks,3\n7,carts,2\n8,carts,2\n7,orders,3\n"
    )
    rows = "".join(
        f"{session}_{name},\n" for session in (7, 8) for name in ("clicks", "carts", "orders")
    )
    (person.home / "mine.csv").write_text(
        "session_type,labels\n" + rows.replace("7_clicks,", "7_clicks,3")
    )
    for _ in range(2):
        ran = person.types("score", "mine.csv", "--truth", "truth.csv", "--json")
        assert (ran.code, ran.document["score"]) == (0, 0.1)
        assert ran.err == "truth.csv: all labels of objective “carts” are the same item.\n"


def test_the_number_of_problems_of_a_truth_is_told_where_not_all_are_shown(person: Person) -> None:
    (person.home / "truth.csv").write_text("session_type,labels\n" + "7_click,3\n" * 12)
    ran = person.types("score", "good.csv", "--truth", "truth.csv")
    assert (ran.code, len(ran.err.splitlines())) == (2, 11)
    told = "truth.csv is itself not right. Of its 12 problems these are the first 10:\n"
    assert ran.err.startswith(told)


def test_a_device_is_refused_because_files_are_read_twice(person: Person) -> None:
    endless = "/dev/zero"
    for arguments in ((endless, "--truth", "truth.jsonl"), ("good.csv", "--truth", endless)):
        ran = person.types("score", *arguments)
        assert ran.code == 2
        assert ran.err.startswith(f"{endless} is not a regular file")


def test_a_compressed_file_scores_the_same(person: Person) -> None:
    packed = person.home / "good.csv.gz"
    packed.write_bytes(gzip.compress(GOOD.encode()))
    ran = person.types("score", packed, "--truth", "truth.jsonl", "--json")
    assert ran.document["score"] == 0.2


def test_the_organizers_sample_scores_what_their_own_script_says(person: Person) -> None:
    sample = ROOT.parent / "shared" / "fixtures" / "otto-sample"
    if not sample.is_dir():
        pytest.skip("the OTTO sample is not beside this repository")
    expected = json.loads((sample / "cut42.expected.official_evaluate.json").read_text())
    for name, wanted in expected.items():
        file, truth = sample / f"cut42.{name}.csv", sample / "cut42.test_labels.jsonl"
        document = person.types("score", file, "--truth", truth, "--json").document
        assert document["score"] == pytest.approx(wanted["scores"]["total"], abs=1e-15)
        for objective, part in document["objectives"].items():
            assert part["denominator"] == wanted["denominators"][objective]
            assert part["score"] == wanted["scores"][objective]


def test_without_the_compiled_reader_the_score_is_the_same_and_it_is_said(person: Person) -> None:
    program = (
        "from pathlib import Path\n"
        "from podium.scoring.kernel import library\n"
        "library.FILE = Path('nowhere')\n"
        "from podium.cli import main\n"
        "main()\n"
    )
    slow = subprocess.run(
        [sys.executable, "-c", program, "score", "good.csv", "--truth", "truth.jsonl", "--json"],
        cwd=person.home,
        env=person.environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert slow.stderr.count("The compiled reader was not built here") == 1
    fast = person.types("score", "good.csv", "--truth", "truth.jsonl", "--json")
    assert json.loads(slow.stdout) == fast.document


@pytest.mark.parametrize(
    "command",
    [
        ["score", "good.csv"],
        ["compare", "good.csv", "good.csv"],
        ["overlap", "good.csv", "good.csv"],
        ["analyze", "good.csv"],
        ["segments", "good.csv"],
    ],
    ids=lambda command: command[0],
)
def test_a_truth_of_another_form_is_told_which_one_was_assumed(
    person: Person, command: list[str]
) -> None:
    (person.home / "labels.csv").write_text("user,item\n1,7\n")
    assumed = person.types(*command, "--truth", "labels.csv")
    assert assumed.code == 2
    hint = "Without --preset or --metric all files are read as OTTO's. Name one, such as"
    assert assumed.err.startswith(f"labels.csv is itself not right. {hint}")
    (person.home / "wrong.csv").write_text("a,b\n1,7\n")
    named = person.types(*command, "--truth", "wrong.csv", "--preset", "ndcg@10")
    assert (named.code, hint in named.err) == (2, False)
