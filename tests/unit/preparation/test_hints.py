"""Each hint about a file that is not read is followed once, and the next attempt succeeds."""

from __future__ import annotations

import json
import lzma
import re
import shutil
import subprocess
from pathlib import Path

import polars as pl
import pytest

from tests.builders.preparation.wrong_forms import ROWS, WrongForm, asked, csv_text, packed, read
from tests.builders.processes.typed import typed

COMMAND = re.compile(r"`([^`]+)`")


def stats(*arguments: object) -> int:
    """The interactions that are read."""
    return int(typed("stats", *arguments, "--json").document["interactions"])


def refusal(*arguments: object) -> str:
    ended = typed("stats", *arguments)
    assert ended.code == 2, ended.out
    assert ended.out == ""
    return ended.err


@pytest.mark.parametrize("form", [*packed()], ids=lambda form: form.told)
def test_the_command_of_a_hint_makes_a_file_that_is_read(form: WrongForm, tmp_path: Path) -> None:
    file = tmp_path / form.name
    file.write_bytes(form.content)
    told = refusal(file)
    assert form.told in told
    command = COMMAND.search(told)
    assert command is not None, told
    if shutil.which(command[1].split()[0]) is None:
        pytest.skip(f"{command[1].split()[0]} is not there")
    before = set(tmp_path.iterdir())
    subprocess.run(command[1].replace("FILE", form.name), shell=True, cwd=tmp_path, check=True)  # noqa: S602 - that is what a hint is for
    made = set(tmp_path.iterdir()) - before
    assert len(made) == 1
    assert stats(made.pop()) == len(ROWS)


@pytest.mark.parametrize("form", [*asked()], ids=lambda form: form.told)
def test_the_option_of_a_hint_makes_the_file_readable(form: WrongForm, tmp_path: Path) -> None:
    file = tmp_path / form.name
    file.write_bytes(form.content)
    told = refusal(file, *form.options)
    assert form.told in told
    hint = told.replace("COLUMN", "1" if "user" in form.told else "2").partition(form.told)[2]
    options = re.findall(r"--[a-z-]+(?: (?:[0-9]+|[mnu]?s)(?![a-z]))?", hint)
    words = [word for option in options[:3] for word in option.split()]
    words = words[: words.index("--header")] if "--header" in words else words
    assert words, told
    assert stats(file, *form.options, *words) == len(ROWS)


@pytest.mark.parametrize(("what", "text"), [*read()])
def test_what_is_usual_is_read(what: str, text: str, tmp_path: Path) -> None:
    file = tmp_path / "r.csv"
    file.write_text(text)
    assert stats(file) == len(ROWS), what


def test_variants_of_a_product_are_the_items_of_their_parent(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text(dict(read())["a parent beside its variants"])
    found = typed("stats", file, "--json").document
    assert found["columns"]["item"] == "parent_asin"
    assert found["items"] == 7


def test_months_and_days_are_told_apart(tmp_path: Path) -> None:
    file = tmp_path / "r.csv"
    for what in ("months first", "days first"):
        file.write_text(dict(read())[what])
        times = typed("stats", file, "--json").document["times"]
        assert (times["from"][:8], times["to"][:10]) == ("2010-12-", "2010-12-28")
    file.write_text(csv_text(rows=[(u, i, r, "12/1/2010 8:26") for u, i, r, _ in ROWS]))
    told = refusal(file)
    assert "may begin with the day or the month: “12/1/2010 8:26”. Write them as 2010-" in told


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        (pl.Series([[1, 2], [3]]), "List(Int64)"),
        (pl.Series([1.5, 2.0]), "Float64"),
        (pl.Series([[1, 2], [3, 4]], dtype=pl.Array(pl.Int64, 2)), "Array"),
        (pl.Series([{"a": 1}, {"a": 2}]), "Struct"),
    ],
)
def test_a_type_of_parquet_that_is_no_item_is_named(
    column: pl.Series, kind: str, tmp_path: Path
) -> None:
    file = tmp_path / "l.parquet"
    pl.DataFrame({"user": [1, 2], "item": column}).write_parquet(file)
    told = refusal(file)
    assert f"column item has the type {kind}" in told
    assert "Traceback" not in told


def test_joined_files_and_floats_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "r.csv"
    file.write_text(csv_text() + csv_text())
    assert "r.csv:42: the line is the header again" in refusal(file)
    file.write_text(csv_text(rows=[(f"{u}.0", i, r, t) for u, i, r, t in ROWS]))
    assert "“0.0” is a whole number as a float" in refusal(file)


def test_sessions_in_seconds_are_asked_about(tmp_path: Path) -> None:
    file = tmp_path / "train.jsonl"
    events = [{"aid": n % 5, "ts": 1_659_304_800 + n, "type": "clicks"} for n in range(4)]
    file.write_text("".join(f"{json.dumps({'session': n, 'events': events})}\n" for n in range(9)))
    ended = typed("otto", "prepare", file, "--to", tmp_path / "o", "--seed", 1)
    assert ended.code == 2
    assert "in January 1970 as milliseconds" in ended.err
    assert "`jq -c '.events[].ts *= 1000' train.jsonl > milliseconds.jsonl`" in ended.err


def test_archives_of_sessions_are_named(tmp_path: Path) -> None:
    file = tmp_path / "train.jsonl.xz"
    file.write_bytes(lzma.compress(b"{}"))
    ended = typed("otto", "prepare", file, "--to", tmp_path / "o", "--seed", 1)
    assert "the file is xz, which is not read here" in ended.err


def test_a_parquet_file_without_columns_is_named(tmp_path: Path) -> None:
    file = tmp_path / "nothing.parquet"
    pl.DataFrame().write_parquet(file)
    ended = typed("prepare", file, "--to", tmp_path / "made")
    assert (ended.code, ended.out) == (2, "")
    assert "nothing.parquet:1: the file has no columns." in ended.err


def test_a_data_set_of_beir_leads_to_its_qrels_and_to_their_columns(tmp_path: Path) -> None:
    (tmp_path / "qrels").mkdir()
    qrels, corpus = tmp_path / "qrels" / "test.tsv", tmp_path / "corpus.jsonl"
    rows = "".join(f"q{n % 7}\td{n % 5}\t1\n" for n in range(30))
    qrels.write_text("query-id\tcorpus-id\tscore\n" + rows)
    corpus.write_text('{"_id": "d1", "title": "", "text": "A text."}\n')
    for command in (["stats"], ["prepare", "--to", tmp_path / "made"]):
        ended = typed(*command, tmp_path)
        assert (ended.code, ended.out) == (2, "")
        assert f"a data set of BEIR, whose judgments are its qrels: give {qrels}." in ended.err
        for file, then in ((qrels, "awk 'NR > 1"), (corpus, "Give qrels/test.tsv")):
            ended = typed(*command, file)
            assert (ended.code, ended.out) == (2, "")
            assert "as BEIR has them" in ended.err
            assert then in ended.err
    options = re.search(r"add (--user \S+ --item \S+)\.$", refusal(qrels).strip())
    assert options is not None
    assert stats(qrels, *options[1].split()) == 30
