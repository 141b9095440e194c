"""Tables that no settings describe: the solution, the sample and the metric say what a submission
is, and never the submission itself."""

from __future__ import annotations

import bz2
import json
import lzma
import re
from pathlib import Path
from typing import Any

import pytest

from podium.scoring.metrics import REGISTRY, table_metric_of
from tests.builders.processes.typed import typed

SOLUTION = "id,y\n1,4\n2,3\n"
SETTINGS = {
    "task": "table",
    "id_column": "id",
    "objectives": {"y": 1},
    "metric": "rmse",
    "table_columns": [{"name": "y"}],
}
WRONG: dict[str, bytes] = {
    "an index": b",id,y\n0,1,4.5\n1,2,3\n",
    "an index of pandas": b"Unnamed: 0,id,y\n0,1,4.5\n1,2,3\n",
    "capitals": b"ID,Y\n1,4.5\n2,3\n",
    "UTF-16 without a mark": "id,y\n1,4.5\n2,3\n".encode("utf-16-le"),
    "CR alone": b"id,y\r1,4.5\r2,3\r",
    "a zero-width space": "\u200bid,y\n1,4.5\n2,3\n".encode(),
    "one column": b"id\n1\n2\n",
    "another column": b"id,z\n1,4.5\n2,3\n",
    "a column too many": b"id,y,z\n1,4.5,1\n2,3,1\n",
    "a column twice": b"id,y,y\n1,4.5,4.5\n2,3,3\n",
    "a text": b"id,y\n1,4.5\n2,three\n",
    "an empty field": b"id,y\n1,4.5\n2,\n",
    "decimal commas": b'id,y\n1,"4,5"\n2,3\n',
    "an id that is text": b"id,y\nu1,4.5\n2,3\n",
    "a float id": b"id,y\n1.0,4.5\n2,3\n",
    "HTML": b"<html></html>\n",
    "nothing": b"",
}


def problem(*arguments: object) -> Any:
    """The problem of a file that is rejected."""
    done = typed(*arguments, "--json")
    assert done.code == 3, done.out + done.err
    return done.document["problem"]


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_file_is_refused_as_by_settings(tmp_path: Path, name: str) -> None:
    file, truth, sample = tmp_path / "s.csv", tmp_path / "t.csv", tmp_path / "sample.csv"
    settings = tmp_path / "settings.json"
    file.write_bytes(WRONG[name])
    truth.write_text(SOLUTION)
    sample.write_text("id,y\n1,0\n2,0\n")
    settings.write_text(json.dumps(SETTINGS))
    by_metric = ("--metric", "rmse", "--task", "table")

    told = problem("validate", file, "--truth", truth, "--preset", settings)

    assert problem("score", file, "--truth", truth, *by_metric) == told
    assert problem("validate", file, "--truth", truth, *by_metric) == told
    assert problem("validate", file, "--sample", sample, *by_metric) == told


OTHER_FORMS = {
    "no header": b"1,4.5\n2,3\n",
    "separated by semicolons": b"id;y\n1;4.5\n2;3\n",
    "separated by tabs": b"id\ty\n1\t4.5\n2\t3\n",
    "UTF-16": "id,y\n1,4.5\n2,3\n".encode("utf-16"),
    "bzip2; UTF-16; no header": bz2.compress("1,4.5\n2,3\n".encode("utf-16")),
    "JSON lines": b'{"id": 1, "y": 4.5}\n{"id": 2, "y": 3}\n',
    "xz": lzma.compress(b"id,y\n1,4.5\n2,3\n"),
}


@pytest.mark.parametrize("form", OTHER_FORMS)
def test_another_form_is_read_and_named_where_no_settings_refuse_it(
    tmp_path: Path, form: str
) -> None:
    file, truth, settings = tmp_path / "s.csv", tmp_path / "t.csv", tmp_path / "settings.json"
    file.write_bytes(OTHER_FORMS[form])
    truth.write_text(SOLUTION)
    settings.write_text(json.dumps(SETTINGS))
    code = problem("score", file, "--truth", truth, "--preset", settings)["code"]
    assert code in ("header-mismatch", "encoding", "unsupported-media-type")
    by_metric = typed("score", file, "--truth", truth, "--metric", "rmse", "--task", "table")
    assert by_metric.code == 0
    assert re.search(rf"^form +{form}$", by_metric.out, re.MULTILINE)


def test_a_check_by_a_sample_alone_names_the_form(tmp_path: Path) -> None:
    file, sample = tmp_path / "s.csv", tmp_path / "sample.csv"
    sample.write_text("user,labels\n1,7\n2,8\n")
    file.write_text("user;labels\n1;7\n2;8\n")
    done = typed("validate", file, "--sample", sample)
    assert done.code == 0, done.err
    assert re.search("^form +separated by semicolons$", done.out, re.MULTILINE)
    assert "Not checked: repeated items, whether a server takes this form." in done.err
    # An id that occurs twice is a mistake here, as it is there.
    file.write_text("user,labels\n1,7\n1,7\n2,8\n")
    assert problem("validate", file, "--sample", sample)["code"] == "duplicate-id"


OTHERS = {
    *("jaccard_rle", "dice_rle", "bleu", "levenshtein", "levenshtein_normalized"),  # texts
    *("auc_mean", "auc_ovr_macro", "auc_ovr_weighted", "log_loss_normalized"),  # several columns
    *("kappa_quadratic", "own", "own_error"),  # grades, and what a file says
    "mape",  # there are no percents of 0
    "gini_stability",  # a column of weeks
}
"""The metrics that take no probabilities of a 1."""


@pytest.mark.parametrize("metric", sorted(set(REGISTRY["table"]) - OTHERS))
@pytest.mark.parametrize("one", ["1", "1.0"])
def test_each_metric_of_numbers_and_decisions_takes_probabilities_over_zeros_and_ones(
    tmp_path: Path, metric: str, one: str
) -> None:
    zero = one.replace("1", "0")
    (tmp_path / "t.csv").write_text(f"id,y\n1,{one}\n2,{zero}\n3,{one}\n4,{zero}\n")
    (tmp_path / "s.csv").write_text("id,y\n1,0.9\n2,0.2\n3,0.4\n4,0.1\n")
    ranked = [metric] if table_metric_of(metric).ranks else ["auc", metric]
    asked = [word for each in ranked for word in ("--metric", each)]
    truth = ("--truth", tmp_path / "t.csv", "--task", "table")

    done = typed("score", tmp_path / "s.csv", *truth, *asked, "--no-history", "--json")

    assert done.code == 0, done.out + done.err


def test_labels_that_are_words_make_a_column_of_each_where_a_metric_asks_for_several(
    tmp_path: Path,
) -> None:
    truth, file = tmp_path / "t.csv", tmp_path / "s.csv"
    truth.write_text("id,breed\n1,cat\n2,dog\n3,cat\n")
    file.write_text("id,dog,cat\n1,0.5,0.5\n2,0.5,0.5\n3,0.5,0.5\n")
    for metric in ("log_loss", "log_loss_normalized"):
        done = typed("score", file, "--truth", truth, "--metric", metric, "--json", "--no-history")
        assert done.document["score"] == pytest.approx(0.6931471805599453)
    file.write_text("id,Dog,cat\n1,0.5,0.5\n2,0.5,0.5\n3,0.5,0.5\n")
    told = problem("score", file, "--truth", truth, "--metric", "log_loss_normalized")
    assert told["detail"].startswith("the header must be “id,cat,dog”, found “id,Dog,cat”")


@pytest.mark.parametrize(
    ("metric", "score", "objectives"),
    [
        ("rmse_mean", (1 + 3) / 2, [""]),
        ("accuracy_mean", (0 + 1 / 2) / 2, [""]),
        ("rmse", 1 + 3, ["a", "b"]),
    ],
)
def test_a_mean_over_columns_is_one_objective_of_all(
    tmp_path: Path, metric: str, score: float, objectives: list[str]
) -> None:
    truth, file = tmp_path / "t.csv", tmp_path / "s.csv"
    truth.write_text("id,a,b\n1,4,0\n2,3,1\n")
    file.write_text("id,a,b\n1,5,3\n2,2,4\n")

    task = ("--task", "table", "--metric", metric, "--no-history", "--json")
    found = typed("score", file, "--truth", truth, *task).document

    assert found["score"] == score
    assert list(found["objectives"]) == objectives


def test_some_columns_of_a_solution_are_taken_and_told(tmp_path: Path) -> None:
    truth, file = tmp_path / "t.csv", tmp_path / "s.csv"
    truth.write_text("id,y,weight\n1,4,1\n2,3,2\n")
    file.write_text("id,y\n1,4\n2,3\n")
    asked = ("score", file, "--truth", truth, "--metric", "rmse", "--task", "table", "--no-history")

    done = typed(*asked)
    named = typed(*asked, "--columns", "id,y")

    told = f"Columns were taken as id,y; a competition made from {truth} asks for id,y,weight.\n"
    assert (done.code, done.err) == (0, told)
    assert (named.code, named.err) == (0, "")


def test_the_option_is_named_by_which_other_columns_are_taken(tmp_path: Path) -> None:
    truth, file = tmp_path / "t.csv", tmp_path / "s.csv"
    truth.write_text("id,y\n1,a\n2,b\n3,a\n")
    file.write_text("id,a,b,c\n1,1,0,0\n2,0,1,0\n3,0,0,1\n")
    asked = ("score", file, "--truth", truth, "--metric", "accuracy", "--no-history")

    refused = typed(*asked)
    taken = typed(*asked, "--columns", "id,a,b,c", "--json")

    assert "If its columns are meant, --columns id,a,b,c takes them." in refused.err
    assert taken.document["score"] == pytest.approx(2 / 3)


def test_items_of_a_sample_with_empty_lists_are_texts_whatever_a_file_has(tmp_path: Path) -> None:
    sample, file = tmp_path / "sample.csv", tmp_path / "s.csv"
    sample.write_text("user,items\n1,\n2,\n")
    for items in ("7 S08", "7 8"):
        file.write_text(f"user,items\n1,{items}\n2,9\n")
        assert typed("validate", file, "--sample", sample).code == 0
    file.write_text("user,items\n1,7 S08\n2,9\n")
    asked = ("validate", file, "--sample", sample, "--item-ids", "integer")
    assert problem(*asked)["errors"][0]["line"] == 2


@pytest.mark.parametrize("metric", ["rmse", "spearman", "rmsle"])
def test_whole_numbers_of_any_size_are_scored(tmp_path: Path, metric: str) -> None:
    masses = tmp_path / "masses.csv"
    masses.write_text("id,mass\n1,5.97e24\n2,3.3e23\n3,4.87e24\n")
    task = ("--metric", metric, "--task", "table")
    done = typed("score", masses, "--truth", masses, *task, "--json")
    assert (done.code, json.loads(done.out)["score"]) == (0, 1 if metric == "spearman" else 0)


@pytest.mark.parametrize("command", ["score", "validate"])
def test_a_solution_of_label_sets_may_have_further_columns(tmp_path: Path, command: str) -> None:
    truth, submission = tmp_path / "truth.csv", tmp_path / "submission.csv"
    truth.write_text("id,labels,city\n1,a,x\n2,c,y\n")
    submission.write_text("id,labels\n1,a\n2,b\n")
    task = ("--metric", "f1_samples", "--task", "label-sets")
    done = typed(command, submission, "--truth", truth, *task)
    assert done.code == 0, done.err
